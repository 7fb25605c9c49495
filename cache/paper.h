/* paper.h - what the paper measured on an MI355X (1 batch, 24 heads, 32768 queries and keys, head_dim 128; abstract and Table 5), to hold ours
 * against. Nothing is computed from it but ratios. BF16 is the 2978 TFLOP/s of MXFP8 over its 2.07. */
#ifndef FSATTN_PAPER_H
#define FSATTN_PAPER_H

/* X(format of Q and K, TFLOP/s, speed-up over BF16) */
#define FSATTN_PAPER_LIST(X)                                                                                 \
    X("bf16", 1439, 1.0)                                                                                     \
    X("mxfp8", 2978, 2.07)                                                                                   \
    X("mxfp6", 3973, 2.76)                                                                                   \
    X("mxfp4", 4586, 3.2)

#endif
