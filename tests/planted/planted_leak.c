/* Must fail under AddressSanitizer: one block is lost. */
#include "memory.h"

int main(void) {
    void *volatile lost = fsattn_alloc(1, 100);
    lost = (void *)0;
    return lost != (void *)0;
}
