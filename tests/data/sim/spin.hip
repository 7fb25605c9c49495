/* A loop of simple vector instructions, for bench/bench_sim.c. */
extern "C" __global__ void spin(float *out, int n) {
    float a = threadIdx.x, b = 1.5f, c = 0.25f, d = 3;
    unsigned x = threadIdx.x, y = 12345;
#pragma nounroll
    for (int i = 0; i < n; i++) {
        a = a * b + c;
        c = c * b - d;
        d = d + a;
        x = (x ^ y) + 7;
        y = y << 1 ^ x;
        b = b * 0.5f + 1;
        y = y > x ? y - x : y + 3;
        a = fmaxf(a, d);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d + (float)(x + y);
}
