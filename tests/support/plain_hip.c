/* An ordinary program of HIP's module interface, which knows nothing of this project: only the headers of HIP, and a code object from
 * its command line. Exit status 0 when everything came out right.
 * usage: plain_hip basic.co (tests/data/sim) */
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <string.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        const hipError_t error_ = (call);                                                                    \
        if (error_ != hipSuccess) {                                                                          \
            fprintf(stderr, "%s: %s (%s)\n", #call, hipGetErrorName(error_), hipGetErrorString(error_));     \
            return 1;                                                                                        \
        }                                                                                                    \
    } while (0)

enum { count = 1000, block = 256 };

static int describe(void) {
    hipDeviceProp_t properties;
    int devices = 0, units = 0, wave = 0, version = 0;
    size_t memory = 0;
    CHECK(hipGetDeviceCount(&devices));
    CHECK(hipSetDevice(0));
    CHECK(hipGetDeviceProperties(&properties, 0));
    CHECK(hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, 0));
    CHECK(hipDeviceGetAttribute(&wave, hipDeviceAttributeWarpSize, 0));
    CHECK(hipDeviceTotalMem(&memory, 0));
    CHECK(hipRuntimeGetVersion(&version));
    printf("%d device: %s, %s, %d units, wave %d, %zu GiB, HIP %d\n", devices, properties.name, properties.gcnArchName, units, wave,
           memory >> 30, version / 10000000);
    return units != properties.multiProcessorCount || wave != properties.warpSize || memory != properties.totalGlobalMem;
}

/* c = a + b, timed by events on a stream of its own; arguments by their addresses and once more as one buffer. */
static int add(hipFunction_t function) {
    static float a[count], b[count], c[count];
    hipDeviceptr_t device_a, device_b, device_c;
    hipStream_t stream;
    hipEvent_t start, stop;
    float milliseconds = 0;
    int n = count, blocks = 0;
    for (int i = 0; i < count; i++) {
        a[i] = (float)i;
        b[i] = 2 * (float)i + 1;
    }
    CHECK(hipStreamCreate(&stream));
    CHECK(hipEventCreate(&start));
    CHECK(hipEventCreate(&stop));
    CHECK(hipMalloc(&device_a, sizeof a));
    CHECK(hipMalloc(&device_b, sizeof b));
    CHECK(hipMallocAsync(&device_c, sizeof c, stream));
    CHECK(hipMemcpyHtoD(device_a, a, sizeof a));
    CHECK(hipMemcpyHtoDAsync(device_b, b, sizeof b, stream));
    CHECK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, block, 0));
    void *arguments[] = {&device_a, &device_b, &device_c, &n};
    struct {
        hipDeviceptr_t a, b, c;
        int n;
    } buffer = {device_a, device_b, device_c, n};
    size_t bytes = sizeof buffer;
    void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &buffer, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes, HIP_LAUNCH_PARAM_END};
    for (int way = 0; way < 2; way++) {
        CHECK(hipMemsetD32Async(device_c, -1, count, stream));
        CHECK(hipEventRecord(start, stream));
        CHECK(hipModuleLaunchKernel(function, (count + block - 1) / block, 1, 1, block, 1, 1, 0, stream, way ? NULL : arguments,
                                    way ? extra : NULL));
        CHECK(hipEventRecord(stop, stream));
        CHECK(hipMemcpyDtoHAsync(c, device_c, sizeof c, stream));
        CHECK(hipStreamSynchronize(stream));
        CHECK(hipEventElapsedTime(&milliseconds, start, stop));
        for (int i = 0; i < count; i++) {
            if (c[i] != a[i] + b[i]) {
                fprintf(stderr, "element %d is %g\n", i, (double)c[i]);
                return 1;
            }
        }
    }
    CHECK(hipFree(device_a));
    CHECK(hipFree(device_b));
    CHECK(hipFreeAsync(device_c, stream));
    CHECK(hipEventDestroy(start));
    CHECK(hipEventDestroy(stop));
    CHECK(hipStreamDestroy(stream));
    printf("%d sums right, %d blocks on a unit, took %s\n", count, blocks, milliseconds > 0 ? "time" : "no time");
    return blocks < 1 || milliseconds <= 0;
}

/* c = a + b from a graph that was captured, with what a holds when the graph is launched; nothing is done while capturing, and what
 * would wait or allocate spoils a capture. */
static int replay(hipFunction_t function) {
    static float a[count], c[count];
    hipDeviceptr_t device_a, device_c, none;
    hipStream_t stream;
    hipGraph_t graph;
    hipGraphExec_t executable;
    hipStreamCaptureStatus state;
    size_t nodes = 0;
    int n = count;
    CHECK(hipStreamCreate(&stream));
    CHECK(hipMalloc(&device_a, sizeof a));
    CHECK(hipMalloc(&device_c, sizeof c));
    void *arguments[] = {&device_a, &device_a, &device_c, &n};
    CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    CHECK(hipStreamIsCapturing(stream, &state));
    CHECK(hipMemcpyHtoDAsync(device_a, a, sizeof a, stream));
    CHECK(hipMemsetD32Async(device_c, -1, count, stream));
    CHECK(hipModuleLaunchKernel(function, (count + block - 1) / block, 1, 1, block, 1, 1, 0, stream, arguments, NULL));
    CHECK(hipMemcpyDtoHAsync(c, device_c, sizeof c, stream));
    CHECK(hipStreamEndCapture(stream, &graph));
    CHECK(hipGraphGetNodes(graph, NULL, &nodes));
    CHECK(hipGraphInstantiate(&executable, graph, NULL, NULL, 0));
    CHECK(hipGraphDestroy(graph));
    n = 0; /* the graph has its own */
    for (int time = 1; time < 3; time++) {
        for (int i = 0; i < count; i++) {
            a[i] = (float)(time * i);
        }
        CHECK(hipGraphLaunch(executable, stream));
        CHECK(hipStreamSynchronize(stream));
        for (int i = 0; i < count; i++) {
            if (c[i] != 2 * a[i]) {
                fprintf(stderr, "launch %d: element %d is %g\n", time, i, (double)c[i]);
                return 1;
            }
        }
    }
    CHECK(hipGraphExecDestroy(executable));
    CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    const hipError_t waited = hipStreamSynchronize(stream), kept = hipMemcpyHtoDAsync(device_a, a, sizeof a, stream);
    const hipError_t ended = hipStreamEndCapture(stream, &graph), again = hipStreamEndCapture(stream, &graph);
    CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
    const hipError_t allocated = hipMalloc(&none, 4), lost = hipStreamEndCapture(stream, &graph);
    CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    CHECK(hipMalloc(&none, 4));
    CHECK(hipStreamEndCapture(stream, &graph));
    CHECK(hipGraphDestroy(graph));
    CHECK(hipFree(none));
    CHECK(hipFree(device_a));
    CHECK(hipFree(device_c));
    CHECK(hipStreamDestroy(stream));
    printf("a graph of %zu nodes launched twice; %s, %s, %s, %s\n", nodes, hipGetErrorName(waited), hipGetErrorName(kept),
           hipGetErrorName(ended), hipGetErrorName(again));
    (void)hipGetLastError();
    return nodes != 4 || state != hipStreamCaptureStatusActive || waited != hipErrorStreamCaptureUnsupported ||
           kept != hipErrorStreamCaptureInvalidated || ended != hipErrorStreamCaptureInvalidated || again != hipErrorIllegalState ||
           allocated != hipErrorStreamCaptureUnsupported || lost != hipErrorStreamCaptureInvalidated;
}

/* What must not work, and says why not. */
static int refuse(const char *path, hipModule_t module) {
    hipFunction_t function;
    hipModule_t other;
    const char *name = "";
    static const char text[64] = "this is no code object";
    const hipError_t missing = hipModuleGetFunction(&function, module, "no_such_kernel");
    const hipError_t wrong = hipModuleLoadData(&other, text);
    CHECK(hipDrvGetErrorName(missing, &name));
    printf("%s, %s, then %s\n", name, hipGetErrorName(wrong), hipGetErrorName(hipGetLastError()));
    return missing != hipErrorNotFound || wrong != hipErrorInvalidImage || hipGetLastError() != hipSuccess || !path;
}

int main(int argc, char **argv) {
    hipModule_t module;
    hipFunction_t function;
    if (argc != 2) {
        fprintf(stderr, "usage: plain_hip FILE.co\n");
        return 2;
    }
    CHECK(hipInit(0));
    if (describe()) {
        return 1;
    }
    CHECK(hipModuleLoad(&module, argv[1]));
    CHECK(hipModuleGetFunction(&function, module, "vector_add"));
    if (add(function) || replay(function) || refuse(argv[1], module)) {
        return 1;
    }
    CHECK(hipModuleUnload(module));
    CHECK(hipDeviceSynchronize());
    return 0;
}
