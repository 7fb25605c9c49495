cvt_small:
2400 8 s_load_dwordx4 s[4:7], s[0:1], 0x0
2408 8 s_load_dword s2, s[0:1], 0x10
2410 4 v_lshlrev_b32_e32 v1, 3, v0
2414 4 v_lshlrev_b32_e32 v4, 2, v0
2418 4 v_mov_b32_e32 v5, 0
241c 4 s_waitcnt lgkmcnt(0)
2420 8 global_load_dwordx2 v[2:3], v1, s[4:5]
2428 8 global_load_dword v8, v4, s[4:5]
2430 8 s_mov_b32 s0, 0x1234567
2438 8 s_mov_b32 s1, 0x9e3779b9
2440 8 s_mov_b32 s3, 0x1010101
2448 8 s_mov_b32 s4, 0x1030507
2450 8 v_mul_u32_u24_e32 v1, 0x4d, v0
2458 8 v_mul_u32_u24_e32 v7, 0x3df, v0
2460 4 s_movk_i32 s5, 0x1000
2464 8 v_mul_lo_u32 v15, v0, s0
246c 8 v_mul_lo_u32 v16, v0, s1
2474 8 v_mul_lo_u32 v6, v0, s3
247c 8 v_mul_lo_u32 v17, v0, s4
2484 8 v_bitop3_b32 v19, v0, v1, v7 bitop3:0x5a
248c 8 v_lshl_add_u64 v[0:1], s[6:7], 0, v[4:5]
2494 8 v_cvt_f32_fp8_sdwa v20, v17 src0_sel:BYTE_2
249c 4 v_add_co_u32_e32 v0, vcc, s5, v0
24a0 4 v_prng_b32_e32 v18, v16
24a4 4 s_nop 0
24a8 4 v_addc_co_u32_e32 v1, vcc, 0, v1, vcc
24ac 8 global_store_dword v[0:1], v18, off offset:256
24b4 8 global_store_dword v[0:1], v19, off offset:512
24bc 8 global_store_dword v[0:1], v20, off offset:768
24c4 8 v_mov_b32_e32 v10, 0x56781234
24cc 8 v_mov_b32_e32 v14, 0x11223344
24d4 8 v_cvt_scalef32_pk_bf16_fp4 v21, v6, s2 op_sel:[1,0,0]
24dc 8 v_cvt_scalef32_pk_f32_fp8 v[6:7], v17, s2 op_sel:[1,0,0]
24e4 8 v_mov_b32_e32 v9, 0x11223344
24ec 8 v_mov_b32_e32 v11, 0x56781234
24f4 8 v_mov_b32_e32 v12, 0x11223344
24fc 8 v_mov_b32_e32 v13, 0x11223344
2504 8 v_cvt_scalef32_pk_bf16_fp8 v17, v17, s2
250c 8 global_store_dword v4, v21, s[6:7] offset:3072
2514 8 global_store_dword v4, v6, s[6:7] offset:3328
251c 8 global_store_dword v4, v7, s[6:7] offset:3584
2524 8 global_store_dword v4, v17, s[6:7] offset:3840
252c 4 s_waitcnt vmcnt(8)
2530 4 v_cvt_u32_f32_e32 v19, v2
2534 4 s_waitcnt vmcnt(7)
2538 4 v_cvt_u32_f32_e32 v8, v8
253c 8 v_cvt_pk_fp8_f32 v5, v2, v3 op_sel:[0,0,1]
2544 8 v_cvt_pk_bf16_f32 v6, v2, v3
254c 8 v_cvt_pknorm_u16_f32 v7, v2, v3
2554 8 v_cvt_scalef32_pk_fp8_f32 v10, v2, v3, s2
255c 8 v_cvt_scalef32_pk_fp4_f32 v14, v2, v3, s2 op_sel:[0,0,1,1]
2564 8 v_cvt_pknorm_i16_f32 v17, v2, v3
256c 8 v_cvt_pk_u8_f32 v18, v2, 1, v9
2574 8 v_cvt_scalef32_sr_fp8_f32 v12, v2, v15, s2 op_sel:[0,0,0,1]
257c 8 v_cvt_scalef32_sr_pk_fp4_f32 v15, v[2:3], v16, s2
2584 8 v_cvt_pkrtz_f16_f32 v2, v2, v3
258c 8 global_store_dword v4, v7, s[6:7]
2594 8 global_store_dword v4, v17, s[6:7] offset:256
259c 8 global_store_dword v4, v18, s[6:7] offset:768
25a4 8 global_store_dword v4, v6, s[6:7] offset:1280
25ac 8 v_cvt_scalef32_pk_fp8_bf16 v11, v6, s2 op_sel:[0,0,1]
25b4 8 global_store_dword v4, v10, s[6:7] offset:1792
25bc 8 global_store_dword v4, v12, s[6:7] offset:2048
25c4 8 v_cvt_scalef32_pk_fp4_bf16 v13, v6, s2 op_sel:[0,0,1,0]
25cc 8 global_store_dword v4, v14, s[6:7] offset:2560
25d4 8 global_store_dword v4, v15, s[6:7] offset:2816
25dc 8 global_store_dword v4, v11, s[6:7] offset:1536
25e4 8 global_store_dword v4, v13, s[6:7] offset:2304
25ec 8 v_cvt_pk_u16_u32 v3, v8, 7
25f4 8 global_store_dword v4, v19, s[6:7] offset:1024
25fc 8 global_store_dword v[0:1], v5, off
2604 8 global_store_dword v4, v3, s[6:7] offset:512
260c 8 global_store_dword v[0:1], v2, off offset:1024
2614 4 s_endpgm
2618 4 s_nop 0
261c 4 s_nop 0
2620 4 s_nop 0
2624 4 s_nop 0
2628 4 s_nop 0
262c 4 s_nop 0
2630 4 s_nop 0
2634 4 s_nop 0
2638 4 s_nop 0
263c 4 s_nop 0
2640 4 s_nop 0
2644 4 s_nop 0
2648 4 s_nop 0
264c 4 s_nop 0
2650 4 s_nop 0
2654 4 s_nop 0
2658 4 s_nop 0
265c 4 s_nop 0
2660 4 s_nop 0
2664 4 s_nop 0
2668 4 s_nop 0
266c 4 s_nop 0
2670 4 s_nop 0
2674 4 s_nop 0
2678 4 s_nop 0
267c 4 s_nop 0
2680 4 s_nop 0
2684 4 s_nop 0
2688 4 s_nop 0
268c 4 s_nop 0
2690 4 s_nop 0
2694 4 s_nop 0
2698 4 s_nop 0
269c 4 s_nop 0
26a0 4 s_nop 0
26a4 4 s_nop 0
26a8 4 s_nop 0
26ac 4 s_nop 0
26b0 4 s_nop 0
26b4 4 s_nop 0
26b8 4 s_nop 0
26bc 4 s_nop 0
26c0 4 s_nop 0
26c4 4 s_nop 0
26c8 4 s_nop 0
26cc 4 s_nop 0
26d0 4 s_nop 0
26d4 4 s_nop 0
26d8 4 s_nop 0
26dc 4 s_nop 0
26e0 4 s_nop 0
26e4 4 s_nop 0
26e8 4 s_nop 0
26ec 4 s_nop 0
26f0 4 s_nop 0
26f4 4 s_nop 0
26f8 4 s_nop 0
26fc 4 s_nop 0
cvt_wide:
2700 8 s_load_dwordx4 s[4:7], s[0:1], 0x0
2708 4 v_lshlrev_b32_e32 v1, 7, v0
270c 8 s_load_dword s0, s[0:1], 0x10
2714 8 s_mov_b32 s1, 0x1234567
271c 4 s_waitcnt lgkmcnt(0)
2720 8 global_load_dwordx4 v[30:33], v1, s[4:5] offset:112
2728 8 global_load_dwordx4 v[26:29], v1, s[4:5] offset:96
2730 8 global_load_dwordx4 v[22:25], v1, s[4:5] offset:80
2738 8 global_load_dwordx4 v[18:21], v1, s[4:5] offset:64
2740 8 global_load_dwordx4 v[14:17], v1, s[4:5] offset:48
2748 8 global_load_dwordx4 v[10:13], v1, s[4:5] offset:32
2750 8 global_load_dwordx4 v[6:9], v1, s[4:5] offset:16
2758 8 global_load_dwordx4 v[2:5], v1, s[4:5]
2760 4 v_lshlrev_b32_e32 v1, 9, v0
2764 8 v_mul_lo_u32 v0, v0, s1
276c 4 s_waitcnt vmcnt(7)
2770 8 v_cvt_pk_bf16_f32 v49, v32, v33
2778 8 v_cvt_pk_bf16_f32 v48, v30, v31
2780 4 s_waitcnt vmcnt(6)
2784 8 v_cvt_pk_bf16_f32 v47, v28, v29
278c 8 v_cvt_pk_bf16_f32 v46, v26, v27
2794 4 s_waitcnt vmcnt(5)
2798 8 v_cvt_pk_bf16_f32 v45, v24, v25
27a0 8 v_cvt_pk_bf16_f32 v44, v22, v23
27a8 4 s_waitcnt vmcnt(4)
27ac 8 v_cvt_pk_bf16_f32 v43, v20, v21
27b4 8 v_cvt_pk_bf16_f32 v42, v18, v19
27bc 4 s_waitcnt vmcnt(3)
27c0 8 v_cvt_pk_bf16_f32 v41, v16, v17
27c8 8 v_cvt_pk_bf16_f32 v40, v14, v15
27d0 4 s_waitcnt vmcnt(2)
27d4 8 v_cvt_pk_bf16_f32 v39, v12, v13
27dc 8 v_cvt_pk_bf16_f32 v38, v10, v11
27e4 4 s_waitcnt vmcnt(1)
27e8 8 v_cvt_pk_bf16_f32 v37, v8, v9
27f0 8 v_cvt_pk_bf16_f32 v36, v6, v7
27f8 4 s_waitcnt vmcnt(0)
27fc 8 v_cvt_pk_bf16_f32 v35, v4, v5
2804 8 v_cvt_pk_bf16_f32 v34, v2, v3
280c 8 v_cvt_pk_f16_f32 v65, v32, v33
2814 8 v_cvt_pk_f16_f32 v64, v30, v31
281c 8 v_cvt_pk_f16_f32 v63, v28, v29
2824 8 v_cvt_pk_f16_f32 v62, v26, v27
282c 8 v_cvt_pk_f16_f32 v61, v24, v25
2834 8 v_cvt_pk_f16_f32 v60, v22, v23
283c 8 v_cvt_pk_f16_f32 v59, v20, v21
2844 8 v_cvt_pk_f16_f32 v58, v18, v19
284c 8 v_cvt_pk_f16_f32 v57, v16, v17
2854 8 v_cvt_pk_f16_f32 v56, v14, v15
285c 8 v_cvt_pk_f16_f32 v55, v12, v13
2864 8 v_cvt_pk_f16_f32 v54, v10, v11
286c 8 v_cvt_pk_f16_f32 v53, v8, v9
2874 8 v_cvt_pk_f16_f32 v52, v6, v7
287c 8 v_cvt_pk_f16_f32 v51, v4, v5
2884 8 v_cvt_pk_f16_f32 v50, v2, v3
288c 8 v_cvt_scalef32_pk32_fp6_bf16 v[82:87], v[34:49], s0
2894 8 v_cvt_scalef32_sr_pk32_fp6_f32 v[72:77], v[2:33], v0, s0
289c 8 v_cvt_scalef32_pk32_bf6_bf16 v[88:93], v[34:49], s0
28a4 8 v_cvt_scalef32_2xpk16_fp6_f32 v[94:99], v[2:17], v[18:33], s0
28ac 8 v_cvt_scalef32_pk32_fp6_f16 v[66:71], v[50:65], s0
28b4 8 v_cvt_scalef32_pk32_f32_fp6 v[34:65], v[82:87], s0
28bc 8 global_store_dwordx4 v1, v[74:77], s[6:7] offset:80
28c4 8 global_store_dwordx4 v1, v[66:69], s[6:7] offset:48
28cc 8 global_store_dwordx4 v1, v[70:73], s[6:7] offset:64
28d4 8 global_store_dwordx4 v1, v[82:85], s[6:7]
28dc 8 global_store_dwordx4 v1, v[86:89], s[6:7] offset:16
28e4 8 global_store_dwordx4 v1, v[90:93], s[6:7] offset:32
28ec 8 v_cvt_scalef32_pk32_bf16_fp6 v[66:81], v[82:87], s0
28f4 8 global_store_dwordx4 v1, v[34:37], s[6:7] offset:320
28fc 8 global_store_dwordx4 v1, v[38:41], s[6:7] offset:336
2904 8 global_store_dwordx4 v1, v[42:45], s[6:7] offset:352
290c 8 global_store_dwordx4 v1, v[46:49], s[6:7] offset:368
2914 8 global_store_dwordx4 v1, v[50:53], s[6:7] offset:384
291c 8 global_store_dwordx4 v1, v[54:57], s[6:7] offset:400
2924 8 global_store_dwordx4 v1, v[58:61], s[6:7] offset:416
292c 8 global_store_dwordx4 v1, v[62:65], s[6:7] offset:432
2934 8 global_store_dwordx4 v1, v[66:69], s[6:7] offset:256
293c 8 global_store_dwordx4 v1, v[70:73], s[6:7] offset:272
2944 8 global_store_dwordx4 v1, v[74:77], s[6:7] offset:288
294c 8 global_store_dwordx4 v1, v[78:81], s[6:7] offset:304
2954 8 global_store_dwordx4 v1, v[94:97], s[6:7] offset:96
295c 8 global_store_dwordx2 v1, v[98:99], s[6:7] offset:112
2964 4 s_endpgm
2968 4 s_nop 0
296c 4 s_nop 0
2970 4 s_nop 0
2974 4 s_nop 0
2978 4 s_nop 0
297c 4 s_nop 0
2980 4 s_nop 0
2984 4 s_nop 0
2988 4 s_nop 0
298c 4 s_nop 0
2990 4 s_nop 0
2994 4 s_nop 0
2998 4 s_nop 0
299c 4 s_nop 0
29a0 4 s_nop 0
29a4 4 s_nop 0
29a8 4 s_nop 0
29ac 4 s_nop 0
29b0 4 s_nop 0
29b4 4 s_nop 0
29b8 4 s_nop 0
29bc 4 s_nop 0
29c0 4 s_nop 0
29c4 4 s_nop 0
29c8 4 s_nop 0
29cc 4 s_nop 0
29d0 4 s_nop 0
29d4 4 s_nop 0
29d8 4 s_nop 0
29dc 4 s_nop 0
29e0 4 s_nop 0
29e4 4 s_nop 0
29e8 4 s_nop 0
29ec 4 s_nop 0
29f0 4 s_nop 0
29f4 4 s_nop 0
29f8 4 s_nop 0
29fc 4 s_nop 0
lanes:
2a00 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
2a08 4 v_lshlrev_b32_e32 v0, 2, v0
2a0c 4 v_mov_b32_e32 v1, 0
2a10 4 v_xor_b32_e32 v6, 20, v0
2a14 4 v_xor_b32_e32 v7, 24, v0
2a18 4 s_waitcnt lgkmcnt(0)
2a1c 8 global_load_dword v4, v0, s[0:1]
2a24 8 global_load_dword v5, v0, s[0:1] offset:256
2a2c 4 s_movk_i32 s0, 0x1000
2a30 8 v_lshl_add_u64 v[2:3], s[2:3], 0, v[0:1]
2a38 4 v_add_co_u32_e32 v2, vcc, s0, v2
2a3c 8 s_mov_b32 s1, 0x6040200
2a44 4 s_nop 0
2a48 4 v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
2a4c 4 s_waitcnt vmcnt(1)
2a50 4 v_mov_b32_e32 v1, v4
2a54 4 s_waitcnt vmcnt(0)
2a58 4 v_mov_b32_e32 v8, v5
2a5c 4 v_mov_b32_e32 v9, v4
2a60 4 v_mov_b32_e32 v10, v5
2a64 8 v_mov_b32_dpp v11, v4 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
2a6c 4 v_mov_b32_e32 v12, v5
2a70 4 v_mov_b32_e32 v13, v5
2a74 4 v_mov_b32_e32 v14, v5
2a78 4 v_mov_b32_e32 v15, v5
2a7c 4 v_mov_b32_e32 v16, v5
2a80 4 v_mov_b32_e32 v17, v5
2a84 4 v_readfirstlane_b32 s0, v4
2a88 8 v_readlane_b32 s4, v4, 17
2a90 4 v_cmp_gt_u32_e32 vcc, v4, v5
2a94 8 v_perm_b32 v18, v4, v5, s1
2a9c 8 v_mbcnt_lo_u32_b32 v19, v5, 3
2aa4 8 v_alignbyte_b32 v5, v4, v5, 3
2aac 8 ds_bpermute_b32 v6, v6, v4
2ab4 8 ds_permute_b32 v7, v7, v4
2abc 8 ds_swizzle_b32 v22, v4 offset:swizzle(SWAP,1)
2ac4 8 v_bfe_u32 v20, v4, 5, 9
2acc 8 v_bfe_i32 v21, v4, 5, 9
2ad4 4 v_permlane32_swap_b32_e32 v1, v8
2ad8 4 v_permlane16_swap_b32_e32 v9, v10
2adc 8 global_store_dword v0, v11, s[2:3] offset:1792
2ae4 8 v_mov_b32_dpp v12, v4 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf
2aec 8 v_mov_b32_dpp v13, v4 row_bcast:15 row_mask:0xa bank_mask:0xf
2af4 8 v_mov_b32_dpp v14, v4 row_mirror row_mask:0xf bank_mask:0xf
2afc 8 v_mov_b32_dpp v15, v4 row_shl:1 row_mask:0xf bank_mask:0xf
2b04 8 v_mov_b32_dpp v16, v4 row_ror:8 row_mask:0xf bank_mask:0xf
2b0c 8 v_mov_b32_dpp v17, v4 wave_shr:1 row_mask:0xf bank_mask:0xf
2b14 4 v_mov_b32_e32 v11, s0
2b18 4 v_mov_b32_e32 v23, s4
2b1c 4 v_mov_b32_e32 v24, vcc_lo
2b20 8 global_store_dword v[2:3], v18, off offset:256
2b28 8 v_mbcnt_hi_u32_b32 v4, v4, v19
2b30 8 global_store_dword v[2:3], v5, off offset:768
2b38 8 global_store_dword v[2:3], v20, off offset:1024
2b40 8 global_store_dword v0, v1, s[2:3]
2b48 8 global_store_dword v0, v8, s[2:3] offset:256
2b50 8 global_store_dword v0, v9, s[2:3] offset:512
2b58 8 global_store_dword v0, v10, s[2:3] offset:768
2b60 8 global_store_dword v0, v12, s[2:3] offset:2048
2b68 8 global_store_dword v0, v13, s[2:3] offset:2304
2b70 8 global_store_dword v0, v14, s[2:3] offset:2560
2b78 8 global_store_dword v0, v15, s[2:3] offset:2816
2b80 8 global_store_dword v0, v16, s[2:3] offset:3072
2b88 8 global_store_dword v0, v17, s[2:3] offset:3328
2b90 8 global_store_dword v0, v11, s[2:3] offset:3584
2b98 8 global_store_dword v0, v23, s[2:3] offset:3840
2ba0 8 global_store_dword v[2:3], v24, off
2ba8 8 global_store_dword v[2:3], v4, off offset:512
2bb0 4 s_waitcnt lgkmcnt(2)
2bb4 8 global_store_dword v0, v6, s[2:3] offset:1024
2bbc 4 s_waitcnt lgkmcnt(1)
2bc0 8 global_store_dword v0, v7, s[2:3] offset:1280
2bc8 4 s_waitcnt lgkmcnt(0)
2bcc 8 global_store_dword v0, v22, s[2:3] offset:1536
2bd4 8 global_store_dword v[2:3], v21, off offset:1280
2bdc 4 s_endpgm
2be0 4 s_nop 0
2be4 4 s_nop 0
2be8 4 s_nop 0
2bec 4 s_nop 0
2bf0 4 s_nop 0
2bf4 4 s_nop 0
2bf8 4 s_nop 0
2bfc 4 s_nop 0
transposed:
2c00 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
2c08 4 v_lshlrev_b32_e32 v6, 3, v0
2c0c 4 v_lshlrev_b32_e32 v0, 4, v0
2c10 4 s_waitcnt lgkmcnt(0)
2c14 8 global_load_dwordx2 v[2:3], v6, s[0:1]
2c1c 8 global_load_dwordx2 v[4:5], v6, s[0:1] offset:512
2c24 4 s_waitcnt vmcnt(0)
2c28 8 ds_write2st64_b64 v6, v[2:3], v[4:5] offset1:1
2c30 4 v_mov_b32_e32 v3, 0
2c34 4 s_waitcnt lgkmcnt(0)
2c38 4 s_barrier
2c3c 8 ds_read_b64_tr_b16 v[4:5], v6
2c44 8 ds_read_b64_tr_b8 v[8:9], v6
2c4c 8 ds_read_b64_tr_b4 v[10:11], v6
2c54 8 ds_read_b96_tr_b6 v[0:2], v0
2c5c 4 s_waitcnt lgkmcnt(3)
2c60 8 global_store_dwordx2 v6, v[4:5], s[2:3]
2c68 4 s_waitcnt lgkmcnt(2)
2c6c 8 global_store_dwordx2 v6, v[8:9], s[2:3] offset:512
2c74 4 s_waitcnt lgkmcnt(1)
2c78 8 global_store_dwordx2 v6, v[10:11], s[2:3] offset:1024
2c80 4 s_waitcnt lgkmcnt(0)
2c84 8 global_store_dwordx2 v6, v[0:1], s[2:3] offset:1536
2c8c 8 global_store_dwordx2 v6, v[2:3], s[2:3] offset:2048
2c94 4 s_endpgm
2c98 4 s_nop 0
2c9c 4 s_nop 0
2ca0 4 s_nop 0
2ca4 4 s_nop 0
2ca8 4 s_nop 0
2cac 4 s_nop 0
2cb0 4 s_nop 0
2cb4 4 s_nop 0
2cb8 4 s_nop 0
2cbc 4 s_nop 0
2cc0 4 s_nop 0
2cc4 4 s_nop 0
2cc8 4 s_nop 0
2ccc 4 s_nop 0
2cd0 4 s_nop 0
2cd4 4 s_nop 0
2cd8 4 s_nop 0
2cdc 4 s_nop 0
2ce0 4 s_nop 0
2ce4 4 s_nop 0
2ce8 4 s_nop 0
2cec 4 s_nop 0
2cf0 4 s_nop 0
2cf4 4 s_nop 0
2cf8 4 s_nop 0
2cfc 4 s_nop 0
dma:
2d00 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
2d08 4 v_lshlrev_b32_e32 v2, 2, v0
2d0c 4 v_mov_b32_e32 v3, 0
2d10 4 v_lshlrev_b32_e32 v1, 4, v0
2d14 4 s_mov_b32 m0, 0
2d18 4 s_waitcnt lgkmcnt(0)
2d1c 8 v_lshl_add_u64 v[4:5], s[0:1], 0, v[2:3]
2d24 8 global_load_lds_dwordx4 v1, s[0:1]
2d2c 8 s_mov_b64 s[4:5], 0x400
2d34 4 v_mul_u32_u24_e32 v1, 5, v0
2d38 8 v_lshl_add_u64 v[4:5], v[4:5], 0, s[4:5]
2d40 4 s_movk_i32 m0, 0x400
2d44 4 v_lshlrev_b32_e32 v1, 2, v1
2d48 8 global_load_lds_dword v[4:5], off
2d50 4 s_waitcnt vmcnt(0) lgkmcnt(0)
2d54 4 s_barrier
2d58 8 ds_read2_b32 v[4:5], v1 offset1:1
2d60 8 ds_read2_b32 v[6:7], v1 offset0:2 offset1:3
2d68 8 ds_read_b32 v3, v1 offset:16
2d70 4 s_movk_i32 s6, 0x400
2d74 4 s_waitcnt lgkmcnt(1)
2d78 8 global_store_dwordx4 v1, v[4:7], s[2:3]
2d80 4 s_waitcnt lgkmcnt(0)
2d84 8 global_store_dword v1, v3, s[2:3] offset:16
2d8c 8 s_and_b32 s5, s1, 0xffff
2d94 8 s_mov_b32 s7, 0x27000
2d9c 4 s_mov_b32 s4, s0
2da0 4 v_lshlrev_b32_e32 v1, 5, v0
2da4 8 buffer_load_dword v1, v1, s[4:7], 0 offen
2dac 4 s_mov_b32 m0, 0
2db0 4 s_waitcnt vmcnt(0)
2db4 8 global_store_dword v2, v1, s[2:3] offset:1280
2dbc 8 buffer_load_dword v2, s[4:7], 64 offen lds
2dc4 8 s_add_u32 s4, s2, 0x600
2dcc 4 s_addc_u32 s0, s3, 0
2dd0 4 s_movk_i32 s6, 0x80
2dd4 8 s_and_b32 s5, s0, 0xffff
2ddc 8 buffer_store_dword v0, v2, s[4:7], 0 offen
2de4 4 s_waitcnt vmcnt(0)
2de8 4 s_barrier
2dec 8 ds_read_b32 v0, v2
2df4 4 s_waitcnt lgkmcnt(0)
2df8 8 global_store_dword v2, v0, s[2:3] offset:1792
2e00 4 s_endpgm
2e04 4 s_nop 0
2e08 4 s_nop 0
2e0c 4 s_nop 0
2e10 4 s_nop 0
2e14 4 s_nop 0
2e18 4 s_nop 0
2e1c 4 s_nop 0
2e20 4 s_nop 0
2e24 4 s_nop 0
2e28 4 s_nop 0
2e2c 4 s_nop 0
2e30 4 s_nop 0
2e34 4 s_nop 0
2e38 4 s_nop 0
2e3c 4 s_nop 0
2e40 4 s_nop 0
2e44 4 s_nop 0
2e48 4 s_nop 0
2e4c 4 s_nop 0
2e50 4 s_nop 0
2e54 4 s_nop 0
2e58 4 s_nop 0
2e5c 4 s_nop 0
2e60 4 s_nop 0
2e64 4 s_nop 0
2e68 4 s_nop 0
2e6c 4 s_nop 0
2e70 4 s_nop 0
2e74 4 s_nop 0
2e78 4 s_nop 0
2e7c 4 s_nop 0
2e80 4 s_nop 0
2e84 4 s_nop 0
2e88 4 s_nop 0
2e8c 4 s_nop 0
2e90 4 s_nop 0
2e94 4 s_nop 0
2e98 4 s_nop 0
2e9c 4 s_nop 0
2ea0 4 s_nop 0
2ea4 4 s_nop 0
2ea8 4 s_nop 0
2eac 4 s_nop 0
2eb0 4 s_nop 0
2eb4 4 s_nop 0
2eb8 4 s_nop 0
2ebc 4 s_nop 0
2ec0 4 s_nop 0
2ec4 4 s_nop 0
2ec8 4 s_nop 0
2ecc 4 s_nop 0
2ed0 4 s_nop 0
2ed4 4 s_nop 0
2ed8 4 s_nop 0
2edc 4 s_nop 0
2ee0 4 s_nop 0
2ee4 4 s_nop 0
2ee8 4 s_nop 0
2eec 4 s_nop 0
2ef0 4 s_nop 0
2ef4 4 s_nop 0
2ef8 4 s_nop 0
2efc 4 s_nop 0
packed:
2f00 8 s_load_dwordx8 s[4:11], s[0:1], 0x0
2f08 4 v_lshlrev_b32_e32 v10, 2, v0
2f0c 4 v_mov_b32_e32 v11, 0
2f10 4 s_movk_i32 s0, 0x1000
2f14 4 s_waitcnt lgkmcnt(0)
2f18 8 global_load_dwordx3 v[2:4], v10, s[4:5]
2f20 4 s_waitcnt vmcnt(0)
2f24 8 v_pk_maximum3_f16 v1, v2, v3, v4
2f2c 8 global_store_dword v10, v1, s[8:9]
2f34 8 global_load_dwordx2 v[4:5], v10, s[6:7]
2f3c 4 s_waitcnt vmcnt(0)
2f40 8 v_pk_max_u16 v1, v4, v5
2f48 8 global_store_dword v10, v1, s[8:9] offset:256
2f50 8 global_load_dwordx2 v[4:5], v10, s[6:7]
2f58 4 s_waitcnt vmcnt(0)
2f5c 8 v_pk_min_u16 v1, v4, v5
2f64 8 global_store_dword v10, v1, s[8:9] offset:512
2f6c 8 global_load_dwordx3 v[4:6], v10, s[6:7]
2f74 4 s_waitcnt vmcnt(0)
2f78 8 v_pk_mad_u16 v1, v5, v4, v6
2f80 8 global_store_dword v10, v1, s[8:9] offset:768
2f88 8 global_load_dwordx2 v[4:5], v10, s[6:7]
2f90 8 v_pk_mul_f16 v6, v2, v3
2f98 8 v_pk_add_f16 v2, v2, v3
2fa0 4 s_waitcnt vmcnt(0)
2fa4 8 v_and_b32_e32 v1, 0xf000f, v5
2fac 8 v_pk_lshlrev_b16 v1, v1, v4
2fb4 8 global_store_dword v10, v1, s[8:9] offset:1024
2fbc 8 global_load_dwordx2 v[4:5], v10, s[6:7]
2fc4 4 s_waitcnt vmcnt(0)
2fc8 8 v_and_b32_e32 v1, 0xf000f, v5
2fd0 8 v_pk_lshrrev_b16 v1, v1, v4
2fd8 8 global_store_dword v10, v1, s[8:9] offset:1280
2fe0 8 global_load_dwordx2 v[4:5], v10, s[6:7]
2fe8 4 s_nop 0
2fec 8 global_store_dword v10, v6, s[8:9] offset:1792
2ff4 8 global_store_dword v10, v2, s[8:9] offset:2048
2ffc 4 v_lshlrev_b32_e32 v1, 3, v0
3000 4 s_waitcnt vmcnt(2)
3004 8 v_pk_sub_i16 v2, v4, v5
300c 8 global_store_dword v10, v2, s[8:9] offset:1536
3014 8 global_load_dwordx4 v[2:5], v1, s[10:11]
301c 4 s_waitcnt vmcnt(0)
3020 8 v_maximum3_f32 v5, v2, v3, v4
3028 4 v_max_f32_e32 v6, v3, v3
302c 4 v_max_f32_e32 v7, v2, v2
3030 4 v_max_f32_e32 v8, v4, v4
3034 8 global_store_dword v10, v5, s[8:9] offset:2304
303c 4 v_max_f32_e32 v5, v7, v6
3040 4 v_max_f32_e32 v6, v5, v8
3044 4 v_min_f32_e32 v5, v5, v8
3048 8 global_store_dword v10, v6, s[8:9] offset:2560
3050 8 global_store_dword v10, v5, s[8:9] offset:2816
3058 8 global_load_dwordx2 v[12:13], v1, s[10:11] offset:16
3060 4 s_nop 0
3064 8 global_load_dwordx4 v[6:9], v1, s[10:11]
306c 8 v_cvt_pk_i16_i32 v5, v0, -5
3074 8 v_med3_f32 v2, v2, v3, v4
307c 4 s_waitcnt vmcnt(0)
3080 8 v_pk_fma_f32 v[6:7], v[6:7], v[8:9], v[12:13]
3088 8 global_store_dword v10, v6, s[8:9] offset:3072
3090 8 global_store_dword v10, v7, s[8:9] offset:3328
3098 8 global_load_dwordx4 v[6:9], v1, s[10:11]
30a0 8 v_lshl_add_u64 v[12:13], s[8:9], 0, v[10:11]
30a8 4 v_add_co_u32_e32 v12, vcc, s0, v12
30ac 4 s_waitcnt vmcnt(0)
30b0 8 v_pk_add_f32 v[6:7], v[6:7], v[8:9]
30b8 8 global_store_dword v10, v6, s[8:9] offset:3584
30c0 8 global_store_dword v10, v7, s[8:9] offset:3840
30c8 8 global_load_dwordx4 v[6:9], v1, s[10:11]
30d0 4 v_addc_co_u32_e32 v13, vcc, 0, v13, vcc
30d4 4 s_waitcnt vmcnt(0)
30d8 8 v_pk_mul_f32 v[6:7], v[6:7], v[8:9]
30e0 8 global_store_dword v[12:13], v6, off
30e8 8 global_store_dword v[12:13], v7, off offset:256
30f0 8 global_load_dword v1, v10, s[6:7]
30f8 4 s_waitcnt vmcnt(0)
30fc 8 v_max_u16_sdwa v1, v1, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:WORD_1
3104 8 v_max3_u32 v0, v1, v0, 7
310c 8 global_store_dword v[12:13], v2, off offset:1024
3114 8 global_store_dword v[12:13], v1, off offset:512
311c 8 global_store_dword v[12:13], v0, off offset:768
3124 8 global_store_dword v[12:13], v5, off offset:1280
312c 4 s_endpgm
3130 4 s_nop 0
3134 4 s_nop 0
3138 4 s_nop 0
313c 4 s_nop 0
3140 4 s_nop 0
3144 4 s_nop 0
3148 4 s_nop 0
314c 4 s_nop 0
3150 4 s_nop 0
3154 4 s_nop 0
3158 4 s_nop 0
315c 4 s_nop 0
3160 4 s_nop 0
3164 4 s_nop 0
3168 4 s_nop 0
316c 4 s_nop 0
3170 4 s_nop 0
3174 4 s_nop 0
3178 4 s_nop 0
317c 4 s_nop 0
3180 4 s_nop 0
3184 4 s_nop 0
3188 4 s_nop 0
318c 4 s_nop 0
3190 4 s_nop 0
3194 4 s_nop 0
3198 4 s_nop 0
319c 4 s_nop 0
31a0 4 s_nop 0
31a4 4 s_nop 0
31a8 4 s_nop 0
31ac 4 s_nop 0
31b0 4 s_nop 0
31b4 4 s_nop 0
31b8 4 s_nop 0
31bc 4 s_nop 0
31c0 4 s_nop 0
31c4 4 s_nop 0
31c8 4 s_nop 0
31cc 4 s_nop 0
31d0 4 s_nop 0
31d4 4 s_nop 0
31d8 4 s_nop 0
31dc 4 s_nop 0
31e0 4 s_nop 0
31e4 4 s_nop 0
31e8 4 s_nop 0
31ec 4 s_nop 0
31f0 4 s_nop 0
31f4 4 s_nop 0
31f8 4 s_nop 0
31fc 4 s_nop 0
3200 4 s_nop 0
3204 4 s_nop 0
3208 4 s_nop 0
320c 4 s_nop 0
3210 4 s_nop 0
3214 4 s_nop 0
3218 4 s_nop 0
321c 4 s_nop 0
3220 4 s_nop 0
3224 4 s_nop 0
3228 4 s_nop 0
322c 4 s_nop 0
3230 4 s_nop 0
3234 4 s_nop 0
3238 4 s_nop 0
323c 4 s_nop 0
3240 4 s_nop 0
3244 4 s_nop 0
3248 4 s_nop 0
324c 4 s_nop 0
3250 4 s_nop 0
3254 4 s_nop 0
3258 4 s_nop 0
325c 4 s_nop 0
3260 4 s_nop 0
3264 4 s_nop 0
3268 4 s_nop 0
326c 4 s_nop 0
3270 4 s_nop 0
3274 4 s_nop 0
3278 4 s_nop 0
327c 4 s_nop 0
3280 4 s_nop 0
3284 4 s_nop 0
3288 4 s_nop 0
328c 4 s_nop 0
3290 4 s_nop 0
3294 4 s_nop 0
3298 4 s_nop 0
329c 4 s_nop 0
32a0 4 s_nop 0
32a4 4 s_nop 0
32a8 4 s_nop 0
32ac 4 s_nop 0
32b0 4 s_nop 0
32b4 4 s_nop 0
32b8 4 s_nop 0
32bc 4 s_nop 0
32c0 4 s_nop 0
32c4 4 s_nop 0
32c8 4 s_nop 0
32cc 4 s_nop 0
32d0 4 s_nop 0
32d4 4 s_nop 0
32d8 4 s_nop 0
32dc 4 s_nop 0
32e0 4 s_nop 0
32e4 4 s_nop 0
32e8 4 s_nop 0
32ec 4 s_nop 0
32f0 4 s_nop 0
32f4 4 s_nop 0
32f8 4 s_nop 0
32fc 4 s_nop 0
3300 4 s_nop 0
3304 4 s_nop 0
3308 4 s_nop 0
330c 4 s_nop 0
3310 4 s_nop 0
3314 4 s_nop 0
3318 4 s_nop 0
331c 4 s_nop 0
3320 4 s_nop 0
3324 4 s_nop 0
3328 4 s_nop 0
332c 4 s_nop 0
3330 4 s_nop 0
3334 4 s_nop 0
3338 4 s_nop 0
333c 4 s_nop 0
3340 4 s_nop 0
3344 4 s_nop 0
3348 4 s_nop 0
334c 4 s_nop 0
3350 4 s_nop 0
3354 4 s_nop 0
3358 4 s_nop 0
335c 4 s_nop 0
3360 4 s_nop 0
3364 4 s_nop 0
3368 4 s_nop 0
336c 4 s_nop 0
3370 4 s_nop 0
3374 4 s_nop 0
3378 4 s_nop 0
337c 4 s_nop 0
3380 4 s_nop 0
3384 4 s_nop 0
3388 4 s_nop 0
338c 4 s_nop 0
3390 4 s_nop 0
3394 4 s_nop 0
3398 4 s_nop 0
339c 4 s_nop 0
33a0 4 s_nop 0
33a4 4 s_nop 0
33a8 4 s_nop 0
33ac 4 s_nop 0
33b0 4 s_nop 0
33b4 4 s_nop 0
33b8 4 s_nop 0
33bc 4 s_nop 0
33c0 4 s_nop 0
33c4 4 s_nop 0
33c8 4 s_nop 0
33cc 4 s_nop 0
33d0 4 s_nop 0
33d4 4 s_nop 0
33d8 4 s_nop 0
33dc 4 s_nop 0
33e0 4 s_nop 0
33e4 4 s_nop 0
33e8 4 s_nop 0
33ec 4 s_nop 0
33f0 4 s_nop 0
33f4 4 s_nop 0
33f8 4 s_nop 0
33fc 4 s_nop 0
3400 4 s_nop 0
3404 4 s_nop 0
3408 4 s_nop 0
340c 4 s_nop 0
3410 4 s_nop 0
3414 4 s_nop 0
3418 4 s_nop 0
341c 4 s_nop 0
3420 4 s_nop 0
3424 4 s_nop 0
3428 4 s_nop 0
342c 4 s_nop 0
3430 4 s_nop 0
3434 4 s_nop 0
3438 4 s_nop 0
343c 4 s_nop 0
3440 4 s_nop 0
3444 4 s_nop 0
3448 4 s_nop 0
344c 4 s_nop 0
3450 4 s_nop 0
3454 4 s_nop 0
3458 4 s_nop 0
345c 4 s_nop 0
3460 4 s_nop 0
3464 4 s_nop 0
3468 4 s_nop 0
346c 4 s_nop 0
3470 4 s_nop 0
3474 4 s_nop 0
3478 4 s_nop 0
347c 4 s_nop 0
3480 4 s_nop 0
3484 4 s_nop 0
3488 4 s_nop 0
348c 4 s_nop 0
3490 4 s_nop 0
3494 4 s_nop 0
3498 4 s_nop 0
349c 4 s_nop 0
34a0 4 s_nop 0
34a4 4 s_nop 0
34a8 4 s_nop 0
34ac 4 s_nop 0
34b0 4 s_nop 0
34b4 4 s_nop 0
34b8 4 s_nop 0
34bc 4 s_nop 0
34c0 4 s_nop 0
34c4 4 s_nop 0
34c8 4 s_nop 0
34cc 4 s_nop 0
34d0 4 s_nop 0
34d4 4 s_nop 0
34d8 4 s_nop 0
34dc 4 s_nop 0
34e0 4 s_nop 0
34e4 4 s_nop 0
34e8 4 s_nop 0
34ec 4 s_nop 0
34f0 4 s_nop 0
34f4 4 s_nop 0
34f8 4 s_nop 0
34fc 4 s_nop 0
3500 4 s_nop 0
3504 4 s_nop 0
3508 4 s_nop 0
350c 4 s_nop 0
3510 4 s_nop 0
3514 4 s_nop 0
3518 4 s_nop 0
351c 4 s_nop 0
3520 4 s_nop 0
3524 4 s_nop 0
3528 4 s_nop 0
352c 4 s_nop 0
3530 4 s_nop 0
3534 4 s_nop 0
3538 4 s_nop 0
353c 4 s_nop 0
