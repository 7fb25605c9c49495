/* Must fail under AddressSanitizer: one byte is written behind a block. */
#include "memory.h"

int main(int argc, char **argv) {
    (void)argv;
    char *block = fsattn_alloc(16, 1);
    block[15 + argc] = 1;
    fsattn_free(block);
    return 0;
}
