#include "session.h"

#include "error.h"

int64_t fsattn_session_now(const fsattn_session *session) {
    return session->evaluator->ops->now_ns(session->evaluator);
}

bool fsattn_session_stopped(const fsattn_session *session) {
    return session->stop && *session->stop;
}

void fsattn_session_emit(const fsattn_session *session, fsattn_notice *notice) {
    notice->elapsed_s = (double)(fsattn_session_now(session) - session->began_ns) / 1e9;
    fsattn_events_emit(session->events, notice);
}

fsattn_status fsattn_session_canary(const fsattn_session *session, fsattn_verdict verdict, fsattn_err *err) {
    if (verdict != FSATTN_VERDICT_CRASHED && verdict != FSATTN_VERDICT_TIMEOUT) {
        return FSATTN_OK;
    }
    session->totals->canaries++;
    fsattn_status status = session->evaluator->ops->canary(session->evaluator, err);
    fsattn_notice notice = {.kind = FSATTN_NOTICE_CANARY, .canary = {.sound = status == FSATTN_OK}};
    fsattn_session_emit(session, &notice);
    return status;
}
