extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = a[i] + b[i]; }
extern "C" __global__ void reduce_sum(const float *in, float *out, int n) {
  __shared__ float part[256]; float s = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) s += in[i];
  part[threadIdx.x] = s; __syncthreads();
  for (int w = 128; w > 0; w >>= 1) { if (threadIdx.x < w) part[threadIdx.x] += part[threadIdx.x + w]; __syncthreads(); }
  if (!threadIdx.x) out[blockIdx.x] = part[0]; }
extern "C" __global__ void shuffle_sum(const float *in, float *out) {
  float v = in[blockIdx.x * 64 + threadIdx.x];
  for (int o = 32; o; o >>= 1) v += __shfl_xor(v, o);
  out[blockIdx.x * 64 + threadIdx.x] = v; }
extern "C" __global__ void transpose(const float *in, float *out, int n) {
  __shared__ float t[32][33]; int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) if (x < n && y + j < n) t[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads(); x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) if (x < n && y + j < n) out[(y + j) * n + x] = t[threadIdx.x][threadIdx.y + j]; }
extern "C" __global__ void softmax_rows(const float *in, float *out, int n) {
  __shared__ float m[64]; const float *r = in + blockIdx.x * n; float mx = -3.4e38f;
  for (int i = threadIdx.x; i < n; i += 64) mx = fmaxf(mx, r[i]);
  m[threadIdx.x] = mx; __syncthreads(); for (int i = 0; i < 64; i++) mx = fmaxf(mx, m[i]); __syncthreads();
  float s = 0; for (int i = threadIdx.x; i < n; i += 64) s += expf(r[i] - mx);
  m[threadIdx.x] = s; __syncthreads(); s = 0; for (int i = 0; i < 64; i++) s += m[i];
  for (int i = threadIdx.x; i < n; i += 64) out[blockIdx.x * n + i] = expf(r[i] - mx) / s; }
extern "C" __global__ void argmax(const float *in, int *out, int n) {
  float b = in[0]; int w = 0; for (int i = threadIdx.x; i < n; i += 64) if (in[i] > b) b = in[i], w = i;
  for (int o = 32; o; o >>= 1) { float ob = __shfl_down(b, o); int ow = __shfl_down(w, o); if (ob > b || (ob == b && ow < w)) b = ob, w = ow; }
  if (!threadIdx.x) *out = w; }
extern "C" __global__ void histogram(const unsigned char *in, unsigned *out, int n) {
  __shared__ unsigned h[256]; h[threadIdx.x] = 0; __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&h[in[i]], 1u);
  __syncthreads(); atomicAdd(&out[threadIdx.x], h[threadIdx.x]); }
extern "C" __global__ void scan(const unsigned *in, unsigned *out) {
  __shared__ unsigned t[2][256]; int i = threadIdx.x, p = 0; t[0][i] = i ? in[i - 1] : 0; __syncthreads();
  for (int o = 1; o < 256; o *= 2) { t[1 - p][i] = t[p][i] + (i >= o ? t[p][i - o] : 0); p = 1 - p; __syncthreads(); }
  out[i] = t[p][i]; }
extern "C" __global__ void bitonic(unsigned *d) {
  __shared__ unsigned s[512]; int i = threadIdx.x; s[i] = d[i]; s[i + 256] = d[i + 256]; __syncthreads();
  for (int k = 2; k <= 512; k *= 2) for (int j = k / 2; j; j /= 2) { int a = 2 * j * (i / j) + i % j, b = a + j; unsigned x = s[a], y = s[b];
    if ((x > y) == ((a & k) == 0)) s[a] = y, s[b] = x; __syncthreads(); }
  d[i] = s[i]; d[i + 256] = s[i + 256]; }
