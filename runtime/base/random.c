#include "random.h"

#include <math.h>

static void philox(uint32_t counter[4], uint32_t key0, uint32_t key1) {
    for (int round = 0; round < 10; round++) {
        uint64_t product0 = (uint64_t)0xD2511F53u * counter[0];
        uint64_t product1 = (uint64_t)0xCD9E8D57u * counter[2];
        uint32_t next0 = (uint32_t)(product1 >> 32) ^ counter[1] ^ key0;
        uint32_t next2 = (uint32_t)(product0 >> 32) ^ counter[3] ^ key1;
        counter[1] = (uint32_t)product1;
        counter[3] = (uint32_t)product0;
        counter[0] = next0;
        counter[2] = next2;
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
}

uint64_t fsattn_random_u64(uint64_t seed, uint64_t stream, uint64_t index) {
    uint32_t counter[4] = {(uint32_t)index, (uint32_t)(index >> 32), (uint32_t)stream, (uint32_t)(stream >> 32)};
    philox(counter, (uint32_t)seed, (uint32_t)(seed >> 32));
    return (uint64_t)counter[1] << 32 | counter[0];
}

double fsattn_random_unit(uint64_t seed, uint64_t stream, uint64_t index) {
    return (double)(fsattn_random_u64(seed, stream, index) >> 11) * 0x1p-53;
}

uint64_t fsattn_random_below(uint64_t seed, uint64_t stream, uint64_t index, uint64_t count) {
    return (uint64_t)(((unsigned __int128)fsattn_random_u64(seed, stream, index) * count) >> 64);
}

double fsattn_random_normal(uint64_t seed, uint64_t stream, uint64_t index) {
    uint64_t bits = fsattn_random_u64(seed, stream, index);
    double radius_unit = ((double)(uint32_t)(bits >> 32) + 0.5) * 0x1p-32;
    double angle_unit = (double)(uint32_t)bits * 0x1p-32;
    return sqrt(-2.0 * log(radius_unit)) * cos(6.283185307179586477 * angle_unit);
}
