/* Loading what a plan needs: one module for each code object, whatever number of plans and threads asks for
 * it. */
#include "context.h"

#include "error.h"
#include "text.h"

/* The module with that code, loaded when it is not there yet. Under the lock, so that no two threads load the
 * same. */
static fsattn_status module_of(fsattn_context *context, const fsattn_entry *entry, size_t stage,
                               fsattn_module **module, fsattn_err *err) {
    const fsattn_blob *code = &entry->record->stages[stage].code;
    for (fsattn_loaded *loaded = context->modules; loaded; loaded = loaded->next) {
        if (!fsattn_hash_compare(fsattn_module_hash(loaded->module), &code->hash)) {
            *module = loaded->module;
            return FSATTN_OK;
        }
    }
    fsattn_status status = FSATTN_OK;
    fsattn_text name = {0};
    fsattn_loaded *made = fsattn_alloc(1, sizeof *made);
    fsattn_text_printf(&name, "%s: %s", entry->cache, entry->record->template_name);
    if (!made || name.failed) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", entry->cache);
        goto out;
    }
    FSATTN_GOTO(fsattn_module_load(context->device, name.data, code->data, code->bytes, &code->hash,
                                   &made->module, err));
    made->next = context->modules;
    context->modules = made;
    *module = made->module;
    made = NULL;
out:
    fsattn_text_fini(&name);
    fsattn_free(made);
    return status;
}

fsattn_status fsattn_prepare(fsattn_context *context, const fsattn_plan *plan, fsattn_err *err) {
    FSATTN_TRY(fsattn_context_owns(context, plan, err));
    const fsattn_entry *entry = plan->entry;
    fsattn_entry_state *state = entry->state;
    if (atomic_load_explicit(&state->ready, memory_order_acquire)) {
        return FSATTN_OK;
    }
    fsattn_status status = FSATTN_OK;
    pthread_mutex_lock(&context->lock);
    const bool ready = atomic_load_explicit(&state->ready, memory_order_relaxed); /* since then by another thread */
    for (size_t i = 0; i < entry->record->stage_count && !ready && status == FSATTN_OK; i++) {
        fsattn_module *module = NULL;
        status = module_of(context, entry, i, &module, err);
        if (status == FSATTN_OK) {
            status = fsattn_kernel_get(module, entry->record->stages[i].entry, &state->kernels[i], err);
        }
    }
    if (status == FSATTN_OK) {
        atomic_store_explicit(&state->ready, true, memory_order_release);
    }
    pthread_mutex_unlock(&context->lock);
    return status;
}
