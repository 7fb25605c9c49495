vector_add:
3300 8 s_load_dword s3, s[0:1], 0x2c
3308 8 s_load_dword s4, s[0:1], 0x18
3310 4 s_waitcnt lgkmcnt(0)
3314 8 s_and_b32 s3, s3, 0xffff
331c 4 s_mul_i32 s2, s2, s3
3320 4 v_add_u32_e32 v0, s2, v0
3324 4 v_cmp_gt_i32_e32 vcc, s4, v0
3328 4 s_and_saveexec_b64 s[2:3], vcc
332c 4 s_cbranch_execz 22 => 3388
3330 8 s_load_dwordx4 s[4:7], s[0:1], 0x0
3338 8 s_load_dwordx2 s[2:3], s[0:1], 0x10
3340 4 v_ashrrev_i32_e32 v1, 31, v0
3344 8 v_lshlrev_b64 v[0:1], 2, v[0:1]
334c 4 s_waitcnt lgkmcnt(0)
3350 8 v_lshl_add_u64 v[4:5], s[4:5], 0, v[0:1]
3358 8 v_lshl_add_u64 v[2:3], s[6:7], 0, v[0:1]
3360 8 global_load_dword v6, v[4:5], off
3368 8 global_load_dword v7, v[2:3], off
3370 8 v_lshl_add_u64 v[0:1], s[2:3], 0, v[0:1]
3378 4 s_waitcnt vmcnt(0)
337c 4 v_add_f32_e32 v2, v6, v7
3380 8 global_store_dword v[0:1], v2, off
3388 4 s_endpgm
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
reduce_sum:
3400 8 s_load_dword s3, s[0:1], 0x10
3408 8 s_load_dwordx4 s[4:7], s[0:1], 0x0
3410 8 v_lshl_add_u32 v2, s2, 8, v0
3418 4 v_mov_b32_e32 v4, 0
341c 4 s_waitcnt lgkmcnt(0)
3420 4 v_cmp_gt_i32_e32 vcc, s3, v2
3424 4 s_and_saveexec_b64 s[8:9], vcc
3428 4 s_cbranch_execz 19 => 3478
342c 8 s_load_dword s10, s[0:1], 0x18
3434 4 s_mov_b64 s[0:1], 0
3438 4 v_mov_b32_e32 v4, 0
343c 4 s_waitcnt lgkmcnt(0)
3440 4 s_lshl_b32 s10, s10, 8
3444 4 v_ashrrev_i32_e32 v3, 31, v2
3448 8 v_lshl_add_u64 v[6:7], v[2:3], 2, s[4:5]
3450 8 global_load_dword v1, v[6:7], off
3458 4 v_add_u32_e32 v2, s10, v2
345c 4 v_cmp_le_i32_e32 vcc, s3, v2
3460 4 s_or_b64 s[0:1], vcc, s[0:1]
3464 4 s_waitcnt vmcnt(0)
3468 4 v_add_f32_e32 v4, v4, v1
346c 4 s_andn2_b64 exec, exec, s[0:1]
3470 4 s_cbranch_execnz 65524 => 3444
3474 4 s_or_b64 exec, exec, s[0:1]
3478 4 s_or_b64 exec, exec, s[8:9]
347c 4 s_movk_i32 s0, 0x80
3480 4 v_lshlrev_b32_e32 v1, 2, v0
3484 4 v_cmp_gt_u32_e32 vcc, s0, v0
3488 8 ds_write_b32 v1, v4
3490 4 s_waitcnt lgkmcnt(0)
3494 4 s_barrier
3498 4 s_and_saveexec_b64 s[0:1], vcc
349c 4 s_cbranch_execz 6 => 34b8
34a0 8 ds_read2st64_b32 v[2:3], v1 offset1:2
34a8 4 s_waitcnt lgkmcnt(0)
34ac 4 v_add_f32_e32 v2, v3, v2
34b0 8 ds_write_b32 v1, v2
34b8 4 s_or_b64 exec, exec, s[0:1]
34bc 4 v_cmp_gt_u32_e32 vcc, 64, v0
34c0 4 s_waitcnt lgkmcnt(0)
34c4 4 s_barrier
34c8 4 s_and_saveexec_b64 s[0:1], vcc
34cc 4 s_cbranch_execz 6 => 34e8
34d0 8 ds_read2st64_b32 v[2:3], v1 offset1:1
34d8 4 s_waitcnt lgkmcnt(0)
34dc 4 v_add_f32_e32 v2, v3, v2
34e0 8 ds_write_b32 v1, v2
34e8 4 s_or_b64 exec, exec, s[0:1]
34ec 4 v_cmp_gt_u32_e32 vcc, 32, v0
34f0 4 s_waitcnt lgkmcnt(0)
34f4 4 s_barrier
34f8 4 s_and_saveexec_b64 s[0:1], vcc
34fc 4 s_cbranch_execz 6 => 3518
3500 8 ds_read2_b32 v[2:3], v1 offset1:32
3508 4 s_waitcnt lgkmcnt(0)
350c 4 v_add_f32_e32 v2, v3, v2
3510 8 ds_write_b32 v1, v2
3518 4 s_or_b64 exec, exec, s[0:1]
351c 4 v_cmp_gt_u32_e32 vcc, 16, v0
3520 4 s_waitcnt lgkmcnt(0)
3524 4 s_barrier
3528 4 s_and_saveexec_b64 s[0:1], vcc
352c 4 s_cbranch_execz 6 => 3548
3530 8 ds_read2_b32 v[2:3], v1 offset1:16
3538 4 s_waitcnt lgkmcnt(0)
353c 4 v_add_f32_e32 v2, v3, v2
3540 8 ds_write_b32 v1, v2
3548 4 s_or_b64 exec, exec, s[0:1]
354c 4 v_cmp_gt_u32_e32 vcc, 8, v0
3550 4 s_waitcnt lgkmcnt(0)
3554 4 s_barrier
3558 4 s_and_saveexec_b64 s[0:1], vcc
355c 4 s_cbranch_execz 6 => 3578
3560 8 ds_read2_b32 v[2:3], v1 offset1:8
3568 4 s_waitcnt lgkmcnt(0)
356c 4 v_add_f32_e32 v2, v3, v2
3570 8 ds_write_b32 v1, v2
3578 4 s_or_b64 exec, exec, s[0:1]
357c 4 v_cmp_gt_u32_e32 vcc, 4, v0
3580 4 s_waitcnt lgkmcnt(0)
3584 4 s_barrier
3588 4 s_and_saveexec_b64 s[0:1], vcc
358c 4 s_cbranch_execz 6 => 35a8
3590 8 ds_read2_b32 v[2:3], v1 offset1:4
3598 4 s_waitcnt lgkmcnt(0)
359c 4 v_add_f32_e32 v2, v3, v2
35a0 8 ds_write_b32 v1, v2
35a8 4 s_or_b64 exec, exec, s[0:1]
35ac 4 v_cmp_gt_u32_e32 vcc, 2, v0
35b0 4 s_waitcnt lgkmcnt(0)
35b4 4 s_barrier
35b8 4 s_and_saveexec_b64 s[0:1], vcc
35bc 4 s_cbranch_execz 6 => 35d8
35c0 8 ds_read2_b32 v[2:3], v1 offset1:2
35c8 4 s_waitcnt lgkmcnt(0)
35cc 4 v_add_f32_e32 v2, v3, v2
35d0 8 ds_write_b32 v1, v2
35d8 4 s_or_b64 exec, exec, s[0:1]
35dc 4 v_cmp_eq_u32_e32 vcc, 0, v0
35e0 4 s_waitcnt lgkmcnt(0)
35e4 4 s_barrier
35e8 4 s_and_saveexec_b64 s[0:1], vcc
35ec 4 s_cbranch_execz 6 => 3608
35f0 8 ds_read2_b32 v[2:3], v1 offset1:1
35f8 4 s_waitcnt lgkmcnt(0)
35fc 4 v_add_f32_e32 v0, v3, v2
3600 8 ds_write_b32 v1, v0
3608 4 s_or_b64 exec, exec, s[0:1]
360c 4 s_waitcnt lgkmcnt(0)
3610 4 s_barrier
3614 4 s_and_saveexec_b64 s[0:1], vcc
3618 4 s_cbranch_execz 10 => 3644
361c 4 v_mov_b32_e32 v0, 0
3620 8 ds_read_b32 v1, v0
3628 4 s_mov_b32 s3, 0
362c 4 s_lshl_b64 s[0:1], s[2:3], 2
3630 4 s_add_u32 s0, s6, s0
3634 4 s_addc_u32 s1, s7, s1
3638 4 s_waitcnt lgkmcnt(0)
363c 8 global_store_dword v0, v1, s[0:1]
3644 4 s_endpgm
3648 4 s_nop 0
364c 4 s_nop 0
3650 4 s_nop 0
3654 4 s_nop 0
3658 4 s_nop 0
365c 4 s_nop 0
3660 4 s_nop 0
3664 4 s_nop 0
3668 4 s_nop 0
366c 4 s_nop 0
3670 4 s_nop 0
3674 4 s_nop 0
3678 4 s_nop 0
367c 4 s_nop 0
3680 4 s_nop 0
3684 4 s_nop 0
3688 4 s_nop 0
368c 4 s_nop 0
3690 4 s_nop 0
3694 4 s_nop 0
3698 4 s_nop 0
369c 4 s_nop 0
36a0 4 s_nop 0
36a4 4 s_nop 0
36a8 4 s_nop 0
36ac 4 s_nop 0
36b0 4 s_nop 0
36b4 4 s_nop 0
36b8 4 s_nop 0
36bc 4 s_nop 0
36c0 4 s_nop 0
36c4 4 s_nop 0
36c8 4 s_nop 0
36cc 4 s_nop 0
36d0 4 s_nop 0
36d4 4 s_nop 0
36d8 4 s_nop 0
36dc 4 s_nop 0
36e0 4 s_nop 0
36e4 4 s_nop 0
36e8 4 s_nop 0
36ec 4 s_nop 0
36f0 4 s_nop 0
36f4 4 s_nop 0
36f8 4 s_nop 0
36fc 4 s_nop 0
shuffle_sum:
3700 8 s_load_dwordx4 s[4:7], s[0:1], 0x0
3708 8 v_lshl_add_u32 v0, s2, 6, v0
3710 4 v_mov_b32_e32 v1, 0
3714 8 v_lshlrev_b64 v[0:1], 2, v[0:1]
371c 4 s_waitcnt lgkmcnt(0)
3720 8 v_lshl_add_u64 v[2:3], s[4:5], 0, v[0:1]
3728 8 global_load_dword v2, v[2:3], off
3730 8 v_mbcnt_lo_u32_b32 v3, -1, 0
3738 8 v_mbcnt_hi_u32_b32 v3, -1, v3
3740 4 v_and_b32_e32 v4, 64, v3
3744 4 v_xor_b32_e32 v5, 32, v3
3748 4 v_add_u32_e32 v4, 64, v4
374c 4 v_cmp_lt_i32_e32 vcc, v5, v4
3750 4 v_xor_b32_e32 v6, 16, v3
3754 8 v_lshl_add_u64 v[0:1], s[6:7], 0, v[0:1]
375c 4 v_cndmask_b32_e32 v5, v3, v5, vcc
3760 4 v_lshlrev_b32_e32 v5, 2, v5
3764 4 v_cmp_lt_i32_e32 vcc, v6, v4
3768 4 s_waitcnt vmcnt(0)
376c 8 ds_bpermute_b32 v5, v5, v2
3774 4 v_cndmask_b32_e32 v6, v3, v6, vcc
3778 4 v_lshlrev_b32_e32 v6, 2, v6
377c 4 s_waitcnt lgkmcnt(0)
3780 4 v_add_f32_e32 v2, v2, v5
3784 8 ds_bpermute_b32 v5, v6, v2
378c 4 v_xor_b32_e32 v6, 8, v3
3790 4 v_cmp_lt_i32_e32 vcc, v6, v4
3794 4 s_waitcnt lgkmcnt(0)
3798 4 v_add_f32_e32 v2, v2, v5
379c 4 v_cndmask_b32_e32 v6, v3, v6, vcc
37a0 4 v_lshlrev_b32_e32 v6, 2, v6
37a4 8 ds_bpermute_b32 v5, v6, v2
37ac 4 v_xor_b32_e32 v6, 4, v3
37b0 4 v_cmp_lt_i32_e32 vcc, v6, v4
37b4 4 s_waitcnt lgkmcnt(0)
37b8 4 v_add_f32_e32 v2, v2, v5
37bc 4 v_cndmask_b32_e32 v6, v3, v6, vcc
37c0 4 v_lshlrev_b32_e32 v6, 2, v6
37c4 8 ds_bpermute_b32 v5, v6, v2
37cc 4 v_xor_b32_e32 v6, 2, v3
37d0 4 v_cmp_lt_i32_e32 vcc, v6, v4
37d4 4 s_waitcnt lgkmcnt(0)
37d8 4 v_add_f32_e32 v2, v2, v5
37dc 4 v_cndmask_b32_e32 v6, v3, v6, vcc
37e0 4 v_lshlrev_b32_e32 v6, 2, v6
37e4 8 ds_bpermute_b32 v5, v6, v2
37ec 4 v_xor_b32_e32 v6, 1, v3
37f0 4 v_cmp_lt_i32_e32 vcc, v6, v4
37f4 4 s_waitcnt lgkmcnt(0)
37f8 4 v_add_f32_e32 v2, v2, v5
37fc 4 v_cndmask_b32_e32 v3, v3, v6, vcc
3800 4 v_lshlrev_b32_e32 v3, 2, v3
3804 8 ds_bpermute_b32 v3, v3, v2
380c 4 s_waitcnt lgkmcnt(0)
3810 4 v_add_f32_e32 v2, v2, v3
3814 8 global_store_dword v[0:1], v2, off
381c 4 s_endpgm
3820 4 s_nop 0
3824 4 s_nop 0
3828 4 s_nop 0
382c 4 s_nop 0
3830 4 s_nop 0
3834 4 s_nop 0
3838 4 s_nop 0
383c 4 s_nop 0
3840 4 s_nop 0
3844 4 s_nop 0
3848 4 s_nop 0
384c 4 s_nop 0
3850 4 s_nop 0
3854 4 s_nop 0
3858 4 s_nop 0
385c 4 s_nop 0
3860 4 s_nop 0
3864 4 s_nop 0
3868 4 s_nop 0
386c 4 s_nop 0
3870 4 s_nop 0
3874 4 s_nop 0
3878 4 s_nop 0
387c 4 s_nop 0
3880 4 s_nop 0
3884 4 s_nop 0
3888 4 s_nop 0
388c 4 s_nop 0
3890 4 s_nop 0
3894 4 s_nop 0
3898 4 s_nop 0
389c 4 s_nop 0
38a0 4 s_nop 0
38a4 4 s_nop 0
38a8 4 s_nop 0
38ac 4 s_nop 0
38b0 4 s_nop 0
38b4 4 s_nop 0
38b8 4 s_nop 0
38bc 4 s_nop 0
38c0 4 s_nop 0
38c4 4 s_nop 0
38c8 4 s_nop 0
38cc 4 s_nop 0
38d0 4 s_nop 0
38d4 4 s_nop 0
38d8 4 s_nop 0
38dc 4 s_nop 0
38e0 4 s_nop 0
38e4 4 s_nop 0
38e8 4 s_nop 0
38ec 4 s_nop 0
38f0 4 s_nop 0
38f4 4 s_nop 0
38f8 4 s_nop 0
38fc 4 s_nop 0
transpose:
3900 8 s_load_dwordx4 s[4:7], s[0:1], 0x0
3908 8 s_load_dword s8, s[0:1], 0x10
3910 4 s_lshl_b32 s9, s2, 5
3914 8 v_and_b32_e32 v1, 0x3ff, v0
391c 4 s_lshl_b32 s10, s3, 5
3920 8 v_bfe_u32 v3, v0, 10, 10
3928 4 v_add_u32_e32 v2, s9, v1
392c 4 v_add_u32_e32 v4, s10, v3
3930 4 s_waitcnt lgkmcnt(0)
3934 4 v_cmp_gt_i32_e32 vcc, s8, v2
3938 8 v_mul_u32_u24_e32 v0, 0x84, v3
3940 8 v_cmp_gt_i32_e64 s[0:1], s8, v4
3948 8 v_lshl_add_u32 v0, v1, 2, v0
3950 4 s_and_b64 s[2:3], vcc, s[0:1]
3954 4 s_and_saveexec_b64 s[0:1], s[2:3]
3958 4 s_cbranch_execz 10 => 3984
395c 8 v_mad_u64_u32 v[6:7], s[2:3], v4, s8, v[2:3]
3964 4 v_ashrrev_i32_e32 v7, 31, v6
3968 8 v_lshl_add_u64 v[6:7], v[6:7], 2, s[4:5]
3970 8 global_load_dword v5, v[6:7], off
3978 4 s_waitcnt vmcnt(0)
397c 8 ds_write_b32 v0, v5
3984 4 s_or_b64 exec, exec, s[0:1]
3988 4 s_and_saveexec_b64 s[0:1], vcc
398c 4 s_cbranch_execz 44 => 3a40
3990 4 v_add_u32_e32 v5, 8, v4
3994 4 v_cmp_gt_i32_e32 vcc, s8, v5
3998 4 s_and_saveexec_b64 s[2:3], vcc
399c 4 s_cbranch_execz 10 => 39c8
39a0 8 v_mad_u64_u32 v[6:7], s[12:13], v5, s8, v[2:3]
39a8 4 v_ashrrev_i32_e32 v7, 31, v6
39ac 8 v_lshl_add_u64 v[6:7], v[6:7], 2, s[4:5]
39b4 8 global_load_dword v5, v[6:7], off
39bc 4 s_waitcnt vmcnt(0)
39c0 8 ds_write_b32 v0, v5 offset:1056
39c8 4 s_or_b64 exec, exec, s[2:3]
39cc 4 v_add_u32_e32 v5, 16, v4
39d0 4 v_cmp_gt_i32_e32 vcc, s8, v5
39d4 4 s_and_saveexec_b64 s[2:3], vcc
39d8 4 s_cbranch_execz 10 => 3a04
39dc 8 v_mad_u64_u32 v[6:7], s[12:13], v5, s8, v[2:3]
39e4 4 v_ashrrev_i32_e32 v7, 31, v6
39e8 8 v_lshl_add_u64 v[6:7], v[6:7], 2, s[4:5]
39f0 8 global_load_dword v5, v[6:7], off
39f8 4 s_waitcnt vmcnt(0)
39fc 8 ds_write_b32 v0, v5 offset:2112
3a04 4 s_or_b64 exec, exec, s[2:3]
3a08 4 v_add_u32_e32 v4, 24, v4
3a0c 4 v_cmp_gt_i32_e32 vcc, s8, v4
3a10 4 s_and_b64 exec, exec, vcc
3a14 4 s_cbranch_execz 10 => 3a40
3a18 8 v_mad_u64_u32 v[4:5], s[2:3], v4, s8, v[2:3]
3a20 4 v_ashrrev_i32_e32 v5, 31, v4
3a24 8 v_lshl_add_u64 v[4:5], v[4:5], 2, s[4:5]
3a2c 8 global_load_dword v2, v[4:5], off
3a34 4 s_waitcnt vmcnt(0)
3a38 8 ds_write_b32 v0, v2 offset:3168
3a40 4 s_or_b64 exec, exec, s[0:1]
3a44 4 v_add_u32_e32 v0, s10, v1
3a48 4 v_add_u32_e32 v2, s9, v3
3a4c 4 v_cmp_gt_i32_e32 vcc, s8, v0
3a50 8 v_mul_u32_u24_e32 v1, 0x84, v1
3a58 8 v_cmp_gt_i32_e64 s[0:1], s8, v2
3a60 8 v_lshl_add_u32 v1, v3, 2, v1
3a68 4 s_and_b64 s[2:3], vcc, s[0:1]
3a6c 4 s_waitcnt lgkmcnt(0)
3a70 4 s_barrier
3a74 4 s_and_saveexec_b64 s[0:1], s[2:3]
3a78 4 s_cbranch_execz 10 => 3aa4
3a7c 8 ds_read_b32 v3, v1
3a84 8 v_mad_u64_u32 v[4:5], s[2:3], v2, s8, v[0:1]
3a8c 4 v_ashrrev_i32_e32 v5, 31, v4
3a90 8 v_lshl_add_u64 v[4:5], v[4:5], 2, s[6:7]
3a98 4 s_waitcnt lgkmcnt(0)
3a9c 8 global_store_dword v[4:5], v3, off
3aa4 4 s_or_b64 exec, exec, s[0:1]
3aa8 4 s_and_saveexec_b64 s[0:1], vcc
3aac 4 s_cbranch_execz 44 => 3b60
3ab0 4 v_add_u32_e32 v3, 8, v2
3ab4 4 v_cmp_gt_i32_e32 vcc, s8, v3
3ab8 4 s_and_saveexec_b64 s[0:1], vcc
3abc 4 s_cbranch_execz 10 => 3ae8
3ac0 8 ds_read_b32 v6, v1 offset:32
3ac8 8 v_mad_u64_u32 v[4:5], s[2:3], v3, s8, v[0:1]
3ad0 4 v_ashrrev_i32_e32 v5, 31, v4
3ad4 8 v_lshl_add_u64 v[4:5], v[4:5], 2, s[6:7]
3adc 4 s_waitcnt lgkmcnt(0)
3ae0 8 global_store_dword v[4:5], v6, off
3ae8 4 s_or_b64 exec, exec, s[0:1]
3aec 4 v_add_u32_e32 v3, 16, v2
3af0 4 v_cmp_gt_i32_e32 vcc, s8, v3
3af4 4 s_and_saveexec_b64 s[0:1], vcc
3af8 4 s_cbranch_execz 10 => 3b24
3afc 8 ds_read_b32 v6, v1 offset:64
3b04 8 v_mad_u64_u32 v[4:5], s[2:3], v3, s8, v[0:1]
3b0c 4 v_ashrrev_i32_e32 v5, 31, v4
3b10 8 v_lshl_add_u64 v[4:5], v[4:5], 2, s[6:7]
3b18 4 s_waitcnt lgkmcnt(0)
3b1c 8 global_store_dword v[4:5], v6, off
3b24 4 s_or_b64 exec, exec, s[0:1]
3b28 4 v_add_u32_e32 v2, 24, v2
3b2c 4 v_cmp_gt_i32_e32 vcc, s8, v2
3b30 4 s_and_b64 exec, exec, vcc
3b34 4 s_cbranch_execz 10 => 3b60
3b38 8 ds_read_b32 v3, v1 offset:96
3b40 8 v_mad_u64_u32 v[0:1], s[0:1], v2, s8, v[0:1]
3b48 4 v_ashrrev_i32_e32 v1, 31, v0
3b4c 8 v_lshl_add_u64 v[0:1], v[0:1], 2, s[6:7]
3b54 4 s_waitcnt lgkmcnt(0)
3b58 8 global_store_dword v[0:1], v3, off
3b60 4 s_endpgm
3b64 4 s_nop 0
3b68 4 s_nop 0
3b6c 4 s_nop 0
3b70 4 s_nop 0
3b74 4 s_nop 0
3b78 4 s_nop 0
3b7c 4 s_nop 0
3b80 4 s_nop 0
3b84 4 s_nop 0
3b88 4 s_nop 0
3b8c 4 s_nop 0
3b90 4 s_nop 0
3b94 4 s_nop 0
3b98 4 s_nop 0
3b9c 4 s_nop 0
3ba0 4 s_nop 0
3ba4 4 s_nop 0
3ba8 4 s_nop 0
3bac 4 s_nop 0
3bb0 4 s_nop 0
3bb4 4 s_nop 0
3bb8 4 s_nop 0
3bbc 4 s_nop 0
3bc0 4 s_nop 0
3bc4 4 s_nop 0
3bc8 4 s_nop 0
3bcc 4 s_nop 0
3bd0 4 s_nop 0
3bd4 4 s_nop 0
3bd8 4 s_nop 0
3bdc 4 s_nop 0
3be0 4 s_nop 0
3be4 4 s_nop 0
3be8 4 s_nop 0
3bec 4 s_nop 0
3bf0 4 s_nop 0
3bf4 4 s_nop 0
3bf8 4 s_nop 0
3bfc 4 s_nop 0
softmax_rows:
3c00 8 s_load_dword s20, s[0:1], 0x10
3c08 8 s_load_dwordx4 s[4:7], s[0:1], 0x0
3c10 4 s_mov_b32 s9, 0
3c14 8 v_mov_b32_e32 v1, 0xff7fc99e
3c1c 4 s_waitcnt lgkmcnt(0)
3c20 4 s_mul_i32 s8, s20, s2
3c24 4 v_cmp_gt_i32_e32 vcc, s20, v0
3c28 4 s_and_saveexec_b64 s[10:11], vcc
3c2c 4 s_cbranch_execz 123 => 3e1c
3c30 8 v_xad_u32 v3, v0, -1, s20
3c38 4 s_movk_i32 s0, 0xbf
3c3c 8 v_cmp_lt_u32_e64 s[0:1], s0, v3
3c44 4 s_mov_b64 s[14:15], -1
3c48 8 v_mov_b32_e32 v1, 0xff7fc99e
3c50 4 v_mov_b32_e32 v2, v0
3c54 4 s_and_saveexec_b64 s[12:13], s[0:1]
3c58 4 s_cbranch_execz 84 => 3dac
3c5c 4 v_lshrrev_b32_e32 v1, 6, v3
3c60 4 s_lshl_b64 s[0:1], s[8:9], 2
3c64 4 v_add_u32_e32 v7, 1, v1
3c68 4 s_add_u32 s14, s4, s0
3c6c 4 v_add_u32_e32 v1, 64, v0
3c70 4 s_mov_b32 s21, 2
3c74 4 s_addc_u32 s15, s5, s1
3c78 8 v_and_b32_e32 v8, 0x7fffffe, v7
3c80 4 s_mov_b64 s[18:19], 0
3c84 8 v_mov_b32_e32 v6, 0xff7fc99e
3c8c 4 v_mov_b32_e32 v3, 0
3c90 4 v_mov_b64_e32 v[4:5], v[0:1]
3c94 8 v_mov_b32_e32 v1, 0xff7fc99e
3c9c 4 v_mov_b32_e32 v10, v5
3ca0 4 v_mov_b32_e32 v11, v3
3ca4 4 v_mov_b32_e32 v2, v4
3ca8 8 v_lshl_add_u64 v[10:11], v[10:11], 2, s[14:15]
3cb0 8 v_lshl_add_u64 v[12:13], v[2:3], 2, s[14:15]
3cb8 8 global_load_dword v14, v[10:11], off
3cc0 8 global_load_dword v15, v[12:13], off
3cc8 4 v_mov_b32_e32 v9, v1
3ccc 4 v_max_f32_e32 v1, v9, v9
3cd0 8 v_cmp_eq_u32_e64 s[0:1], s21, v8
3cd8 4 s_add_i32 s21, s21, 2
3cdc 4 v_mov_b32_e32 v2, v6
3ce0 4 v_max_f32_e32 v6, v2, v2
3ce4 8 v_add_u32_e32 v5, 0x80, v5
3cec 8 v_add_u32_e32 v4, 0x80, v4
3cf4 4 v_mov_b32_e32 v10, s21
3cf8 4 s_waitcnt vmcnt(1)
3cfc 8 v_cmp_u_f32_e64 s[2:3], v14, v14
3d04 4 v_max_f32_e32 v11, v14, v14
3d08 4 s_nop 0
3d0c 8 v_cndmask_b32_e64 v13, 0, 1, s[2:3]
3d14 4 s_waitcnt vmcnt(0)
3d18 8 v_cmp_u_f32_e64 s[2:3], v15, v15
3d20 4 v_max_f32_e32 v1, v1, v11
3d24 4 v_lshlrev_b16_e32 v11, 1, v13
3d28 8 v_cndmask_b32_e64 v14, 0, 1, s[2:3]
3d30 8 v_bitop3_b16 v11, v14, 3, v11 bitop3:0xc8
3d38 8 v_cmp_ne_u16_e64 s[2:3], 0, v11
3d40 4 s_or_b64 s[0:1], s[2:3], s[0:1]
3d44 4 s_and_b64 s[0:1], exec, s[0:1]
3d48 4 s_or_b64 s[18:19], s[0:1], s[18:19]
3d4c 4 v_max_f32_e32 v12, v15, v15
3d50 4 s_andn2_b64 s[0:1], s[16:17], exec
3d54 4 s_and_b64 s[2:3], s[2:3], exec
3d58 4 v_max_f32_e32 v6, v6, v12
3d5c 4 s_or_b64 s[16:17], s[0:1], s[2:3]
3d60 4 s_andn2_b64 exec, exec, s[18:19]
3d64 4 s_cbranch_execnz 65485 => 3c9c
3d68 4 s_or_b64 exec, exec, s[18:19]
3d6c 4 v_add_u32_e32 v3, -4, v10
3d70 8 v_cndmask_b32_e64 v2, v6, v2, s[16:17]
3d78 8 v_cndmask_b32_e64 v1, v1, v9, s[16:17]
3d80 8 v_cmp_ne_u32_e64 s[0:1], v7, v8
3d88 8 v_cndmask_b32_e64 v3, v8, v3, s[16:17]
3d90 4 v_max_f32_e32 v1, v1, v1
3d94 4 v_max_f32_e32 v2, v2, v2
3d98 4 s_or_b64 s[0:1], s[0:1], s[16:17]
3d9c 4 v_max_f32_e32 v1, v2, v1
3da0 8 v_lshl_add_u32 v2, v3, 6, v0
3da8 4 s_orn2_b64 s[14:15], s[0:1], exec
3dac 4 s_or_b64 exec, exec, s[12:13]
3db0 4 s_and_saveexec_b64 s[2:3], s[14:15]
3db4 4 s_cbranch_execz 24 => 3e18
3db8 4 s_lshl_b64 s[0:1], s[8:9], 2
3dbc 4 s_add_u32 s0, s4, s0
3dc0 4 v_mov_b32_e32 v3, 0
3dc4 4 s_addc_u32 s1, s5, s1
3dc8 8 v_lshl_add_u64 v[4:5], v[2:3], 2, s[0:1]
3dd0 4 s_mov_b64 s[12:13], 0
3dd4 8 s_mov_b64 s[14:15], 0x100
3ddc 8 global_load_dword v3, v[4:5], off
3de4 4 v_add_u32_e32 v2, 64, v2
3de8 4 v_max_f32_e32 v1, v1, v1
3dec 8 v_cmp_le_i32_e64 s[0:1], s20, v2
3df4 8 v_lshl_add_u64 v[4:5], v[4:5], 0, s[14:15]
3dfc 4 s_or_b64 s[12:13], s[0:1], s[12:13]
3e00 4 s_waitcnt vmcnt(0)
3e04 4 v_max_f32_e32 v3, v3, v3
3e08 4 v_max_f32_e32 v1, v1, v3
3e0c 4 s_andn2_b64 exec, exec, s[12:13]
3e10 4 s_cbranch_execnz 65522 => 3ddc
3e14 4 s_or_b64 exec, exec, s[12:13]
3e18 4 s_or_b64 exec, exec, s[2:3]
3e1c 4 s_or_b64 exec, exec, s[10:11]
3e20 4 v_lshlrev_b32_e32 v2, 2, v0
3e24 4 v_mov_b32_e32 v3, 0
3e28 8 ds_write_b32 v2, v1
3e30 4 s_waitcnt lgkmcnt(0)
3e34 4 s_barrier
3e38 8 ds_read_b128 v[4:7], v3
3e40 8 ds_read_b128 v[8:11], v3 offset:16
3e48 8 ds_read_b128 v[12:15], v3 offset:32
3e50 8 ds_read_b128 v[16:19], v3 offset:48
3e58 4 s_waitcnt lgkmcnt(3)
3e5c 8 v_max3_f32 v1, v1, v4, v5
3e64 8 v_max3_f32 v1, v1, v6, v7
3e6c 4 s_waitcnt lgkmcnt(2)
3e70 8 v_max3_f32 v1, v1, v8, v9
3e78 8 v_max3_f32 v1, v1, v10, v11
3e80 4 s_waitcnt lgkmcnt(1)
3e84 8 v_max3_f32 v1, v1, v12, v13
3e8c 8 v_max3_f32 v1, v1, v14, v15
3e94 8 ds_read_b128 v[4:7], v3 offset:64
3e9c 8 ds_read_b128 v[8:11], v3 offset:80
3ea4 8 ds_read_b128 v[12:15], v3 offset:96
3eac 8 ds_read_b128 v[20:23], v3 offset:112
3eb4 8 ds_read_b128 v[24:27], v3 offset:128
3ebc 8 ds_read_b128 v[28:31], v3 offset:144
3ec4 8 ds_read_b128 v[32:35], v3 offset:160
3ecc 8 ds_read_b128 v[36:39], v3 offset:176
3ed4 8 ds_read_b128 v[40:43], v3 offset:192
3edc 8 ds_read_b128 v[44:47], v3 offset:208
3ee4 8 ds_read_b128 v[48:51], v3 offset:224
3eec 8 ds_read_b128 v[52:55], v3 offset:240
3ef4 4 s_waitcnt lgkmcnt(12)
3ef8 8 v_max3_f32 v1, v1, v16, v17
3f00 8 v_max3_f32 v1, v1, v18, v19
3f08 4 s_waitcnt lgkmcnt(11)
3f0c 8 v_max3_f32 v1, v1, v4, v5
3f14 8 v_max3_f32 v1, v1, v6, v7
3f1c 4 s_waitcnt lgkmcnt(10)
3f20 8 v_max3_f32 v1, v1, v8, v9
3f28 8 v_max3_f32 v1, v1, v10, v11
3f30 4 s_waitcnt lgkmcnt(9)
3f34 8 v_max3_f32 v1, v1, v12, v13
3f3c 8 v_max3_f32 v1, v1, v14, v15
3f44 4 s_waitcnt lgkmcnt(8)
3f48 8 v_max3_f32 v1, v1, v20, v21
3f50 8 v_max3_f32 v1, v1, v22, v23
3f58 4 s_waitcnt lgkmcnt(7)
3f5c 8 v_max3_f32 v1, v1, v24, v25
3f64 8 v_max3_f32 v1, v1, v26, v27
3f6c 4 s_waitcnt lgkmcnt(6)
3f70 8 v_max3_f32 v1, v1, v28, v29
3f78 8 v_max3_f32 v1, v1, v30, v31
3f80 4 s_waitcnt lgkmcnt(5)
3f84 8 v_max3_f32 v1, v1, v32, v33
3f8c 8 v_max3_f32 v1, v1, v34, v35
3f94 4 s_waitcnt lgkmcnt(4)
3f98 8 v_max3_f32 v1, v1, v36, v37
3fa0 8 v_max3_f32 v1, v1, v38, v39
3fa8 4 s_waitcnt lgkmcnt(3)
3fac 8 v_max3_f32 v1, v1, v40, v41
3fb4 8 v_max3_f32 v1, v1, v42, v43
3fbc 4 s_waitcnt lgkmcnt(2)
3fc0 8 v_max3_f32 v1, v1, v44, v45
3fc8 8 v_max3_f32 v1, v1, v46, v47
3fd0 4 s_waitcnt lgkmcnt(1)
3fd4 8 v_max3_f32 v1, v1, v48, v49
3fdc 8 v_max3_f32 v1, v1, v50, v51
3fe4 4 s_waitcnt lgkmcnt(0)
3fe8 8 v_max3_f32 v1, v1, v52, v53
3ff0 8 v_max3_f32 v1, v1, v54, v55
3ff8 4 v_mov_b32_e32 v6, 0
3ffc 4 s_barrier
4000 4 s_and_saveexec_b64 s[2:3], vcc
4004 4 s_cbranch_execz 55 => 40e4
4008 4 s_lshl_b64 s[0:1], s[8:9], 2
400c 4 s_add_u32 s0, s4, s0
4010 4 s_addc_u32 s1, s5, s1
4014 8 v_lshl_add_u64 v[4:5], s[0:1], 0, v[2:3]
401c 4 s_mov_b64 s[10:11], 0
4020 4 v_mov_b32_e32 v6, 0
4024 8 s_mov_b32 s14, 0x3fb8aa3b
402c 8 s_mov_b32 s15, 0xc2ce8ed0
4034 8 s_mov_b32 s16, 0x42b17218
403c 8 v_mov_b32_e32 v3, 0x7f800000
4044 8 s_mov_b64 s[12:13], 0x100
404c 4 v_mov_b32_e32 v7, v0
4050 8 global_load_dword v8, v[4:5], off
4058 4 v_add_u32_e32 v7, 64, v7
405c 8 v_cmp_le_i32_e64 s[0:1], s20, v7
4064 4 s_or_b64 s[10:11], s[0:1], s[10:11]
4068 8 v_lshl_add_u64 v[4:5], v[4:5], 0, s[12:13]
4070 4 s_waitcnt vmcnt(0)
4074 4 v_sub_f32_e32 v8, v8, v1
4078 8 v_mul_f32_e32 v9, 0x3fb8aa3b, v8
4080 8 v_fma_f32 v10, v8, s14, -v9
4088 4 v_rndne_f32_e32 v11, v9
408c 8 v_fmac_f32_e32 v10, 0x32a5705f, v8
4094 4 v_sub_f32_e32 v9, v9, v11
4098 4 v_add_f32_e32 v9, v9, v10
409c 4 v_cvt_i32_f32_e32 v11, v11
40a0 4 v_exp_f32_e32 v9, v9
40a4 8 v_cmp_ngt_f32_e64 s[0:1], s15, v8
40ac 8 v_ldexp_f32 v9, v9, v11
40b4 4 s_nop 0
40b8 8 v_cndmask_b32_e64 v9, 0, v9, s[0:1]
40c0 8 v_cmp_nlt_f32_e64 s[0:1], s16, v8
40c8 4 s_nop 1
40cc 8 v_cndmask_b32_e64 v8, v3, v9, s[0:1]
40d4 4 v_add_f32_e32 v6, v6, v8
40d8 4 s_andn2_b64 exec, exec, s[10:11]
40dc 4 s_cbranch_execnz 65500 => 4050
40e0 4 s_or_b64 exec, exec, s[10:11]
40e4 4 s_or_b64 exec, exec, s[2:3]
40e8 8 ds_write_b32 v2, v6
40f0 4 s_waitcnt lgkmcnt(0)
40f4 4 s_barrier
40f8 4 s_and_saveexec_b64 s[0:1], vcc
40fc 4 s_cbranch_execz 182 => 43d8
4100 4 v_mov_b32_e32 v3, 0
4104 8 ds_read_b128 v[4:7], v3
410c 8 ds_read_b128 v[8:11], v3 offset:16
4114 8 ds_read_b128 v[12:15], v3 offset:32
411c 8 ds_read_b128 v[16:19], v3 offset:48
4124 8 ds_read_b128 v[20:23], v3 offset:64
412c 4 s_waitcnt lgkmcnt(4)
4130 4 v_add_f32_e32 v4, 0, v4
4134 4 v_add_f32_e32 v4, v4, v5
4138 4 v_add_f32_e32 v4, v4, v6
413c 4 v_add_f32_e32 v4, v4, v7
4140 4 s_waitcnt lgkmcnt(3)
4144 4 v_add_f32_e32 v4, v4, v8
4148 4 v_add_f32_e32 v4, v4, v9
414c 4 v_add_f32_e32 v4, v4, v10
4150 4 v_add_f32_e32 v4, v4, v11
4154 4 s_waitcnt lgkmcnt(2)
4158 4 v_add_f32_e32 v4, v4, v12
415c 4 v_add_f32_e32 v4, v4, v13
4160 4 v_add_f32_e32 v4, v4, v14
4164 4 v_add_f32_e32 v4, v4, v15
4168 4 s_waitcnt lgkmcnt(1)
416c 4 v_add_f32_e32 v4, v4, v16
4170 4 v_add_f32_e32 v4, v4, v17
4174 4 v_add_f32_e32 v4, v4, v18
4178 4 v_add_f32_e32 v8, v4, v19
417c 8 ds_read_b128 v[4:7], v3 offset:80
4184 4 s_waitcnt lgkmcnt(1)
4188 4 v_add_f32_e32 v8, v8, v20
418c 4 v_add_f32_e32 v8, v8, v21
4190 4 v_add_f32_e32 v8, v8, v22
4194 4 v_add_f32_e32 v8, v8, v23
4198 4 s_waitcnt lgkmcnt(0)
419c 4 v_add_f32_e32 v4, v8, v4
41a0 8 ds_read_b128 v[8:11], v3 offset:96
41a8 4 v_add_f32_e32 v4, v4, v5
41ac 4 v_add_f32_e32 v4, v4, v6
41b0 4 v_add_f32_e32 v12, v4, v7
41b4 8 ds_read_b128 v[4:7], v3 offset:112
41bc 4 s_waitcnt lgkmcnt(1)
41c0 4 v_add_f32_e32 v8, v12, v8
41c4 4 v_add_f32_e32 v8, v8, v9
41c8 4 v_add_f32_e32 v8, v8, v10
41cc 4 v_add_f32_e32 v8, v8, v11
41d0 4 s_waitcnt lgkmcnt(0)
41d4 4 v_add_f32_e32 v4, v8, v4
41d8 8 ds_read_b128 v[8:11], v3 offset:128
41e0 4 v_add_f32_e32 v4, v4, v5
41e4 4 v_add_f32_e32 v4, v4, v6
41e8 4 v_add_f32_e32 v12, v4, v7
41ec 8 ds_read_b128 v[4:7], v3 offset:144
41f4 4 s_waitcnt lgkmcnt(1)
41f8 4 v_add_f32_e32 v8, v12, v8
41fc 4 v_add_f32_e32 v8, v8, v9
4200 4 v_add_f32_e32 v8, v8, v10
4204 4 v_add_f32_e32 v8, v8, v11
4208 4 s_waitcnt lgkmcnt(0)
420c 4 v_add_f32_e32 v4, v8, v4
4210 8 ds_read_b128 v[8:11], v3 offset:160
4218 4 v_add_f32_e32 v4, v4, v5
421c 4 v_add_f32_e32 v4, v4, v6
4220 4 v_add_f32_e32 v12, v4, v7
4224 8 ds_read_b128 v[4:7], v3 offset:176
422c 4 s_waitcnt lgkmcnt(1)
4230 4 v_add_f32_e32 v8, v12, v8
4234 4 v_add_f32_e32 v8, v8, v9
4238 4 v_add_f32_e32 v8, v8, v10
423c 4 v_add_f32_e32 v8, v8, v11
4240 4 s_waitcnt lgkmcnt(0)
4244 4 v_add_f32_e32 v4, v8, v4
4248 8 ds_read_b128 v[8:11], v3 offset:192
4250 4 v_add_f32_e32 v4, v4, v5
4254 4 v_add_f32_e32 v4, v4, v6
4258 4 v_add_f32_e32 v12, v4, v7
425c 8 ds_read_b128 v[4:7], v3 offset:208
4264 4 s_waitcnt lgkmcnt(1)
4268 4 v_add_f32_e32 v8, v12, v8
426c 4 v_add_f32_e32 v8, v8, v9
4270 4 v_add_f32_e32 v8, v8, v10
4274 4 v_add_f32_e32 v8, v8, v11
4278 4 s_waitcnt lgkmcnt(0)
427c 4 v_add_f32_e32 v4, v8, v4
4280 8 ds_read_b128 v[8:11], v3 offset:224
4288 4 v_add_f32_e32 v4, v4, v5
428c 4 v_add_f32_e32 v4, v4, v6
4290 4 v_add_f32_e32 v12, v4, v7
4294 8 ds_read_b128 v[4:7], v3 offset:240
429c 4 s_waitcnt lgkmcnt(1)
42a0 4 v_add_f32_e32 v8, v12, v8
42a4 4 v_add_f32_e32 v8, v8, v9
42a8 4 v_add_f32_e32 v8, v8, v10
42ac 4 v_add_f32_e32 v8, v8, v11
42b0 4 s_waitcnt lgkmcnt(0)
42b4 4 v_add_f32_e32 v4, v8, v4
42b8 4 s_lshl_b64 s[0:1], s[8:9], 2
42bc 4 v_add_f32_e32 v4, v4, v5
42c0 4 s_add_u32 s0, s4, s0
42c4 4 v_add_f32_e32 v4, v4, v6
42c8 4 s_addc_u32 s1, s5, s1
42cc 4 v_add_f32_e32 v6, v4, v7
42d0 8 v_lshl_add_u64 v[4:5], s[0:1], 0, v[2:3]
42d8 4 s_mov_b64 s[0:1], 0
42dc 8 s_mov_b32 s4, 0x3fb8aa3b
42e4 8 s_mov_b32 s5, 0xc2ce8ed0
42ec 8 s_mov_b32 s9, 0x42b17218
42f4 8 v_mov_b32_e32 v7, 0x7f800000
42fc 8 s_mov_b64 s[2:3], 0x100
4304 8 global_load_dword v10, v[4:5], off
430c 4 v_add_u32_e32 v2, s8, v0
4310 8 v_lshl_add_u64 v[8:9], v[2:3], 2, s[6:7]
4318 4 v_add_u32_e32 v0, 64, v0
431c 4 v_cmp_le_i32_e32 vcc, s20, v0
4320 4 s_or_b64 s[0:1], vcc, s[0:1]
4324 8 v_lshl_add_u64 v[4:5], v[4:5], 0, s[2:3]
432c 4 s_waitcnt vmcnt(0)
4330 4 v_sub_f32_e32 v2, v10, v1
4334 8 v_mul_f32_e32 v10, 0x3fb8aa3b, v2
433c 8 v_fma_f32 v11, v2, s4, -v10
4344 4 v_rndne_f32_e32 v12, v10
4348 8 v_fmac_f32_e32 v11, 0x32a5705f, v2
4350 4 v_sub_f32_e32 v10, v10, v12
4354 4 v_add_f32_e32 v10, v10, v11
4358 4 v_cvt_i32_f32_e32 v12, v12
435c 4 v_exp_f32_e32 v10, v10
4360 4 v_cmp_ngt_f32_e32 vcc, s5, v2
4364 8 v_ldexp_f32 v10, v10, v12
436c 4 s_nop 0
4370 4 v_cndmask_b32_e32 v10, 0, v10, vcc
4374 4 v_cmp_nlt_f32_e32 vcc, s9, v2
4378 4 s_nop 1
437c 4 v_cndmask_b32_e32 v2, v7, v10, vcc
4380 8 v_div_scale_f32 v10, s[10:11], v6, v6, v2
4388 4 v_rcp_f32_e32 v11, v10
438c 8 v_div_scale_f32 v12, vcc, v2, v6, v2
4394 8 v_fma_f32 v13, -v10, v11, 1.0
439c 4 v_fmac_f32_e32 v11, v13, v11
43a0 4 v_mul_f32_e32 v13, v12, v11
43a4 8 v_fma_f32 v14, -v10, v13, v12
43ac 4 v_fmac_f32_e32 v13, v14, v11
43b0 8 v_fma_f32 v10, -v10, v13, v12
43b8 8 v_div_fmas_f32 v10, v10, v11, v13
43c0 8 v_div_fixup_f32 v2, v10, v6, v2
43c8 8 global_store_dword v[8:9], v2, off
43d0 4 s_andn2_b64 exec, exec, s[0:1]
43d4 4 s_cbranch_execnz 65483 => 4304
43d8 4 s_endpgm
43dc 4 s_nop 0
43e0 4 s_nop 0
43e4 4 s_nop 0
43e8 4 s_nop 0
43ec 4 s_nop 0
43f0 4 s_nop 0
43f4 4 s_nop 0
43f8 4 s_nop 0
43fc 4 s_nop 0
argmax:
4400 8 s_load_dwordx4 s[4:7], s[0:1], 0x0
4408 8 s_load_dword s10, s[0:1], 0x10
4410 4 v_mov_b32_e32 v1, 0
4414 4 s_waitcnt lgkmcnt(0)
4418 8 s_load_dword s0, s[4:5], 0x0
4420 4 v_cmp_gt_i32_e32 vcc, s10, v0
4424 4 s_waitcnt lgkmcnt(0)
4428 4 v_mov_b32_e32 v4, s0
442c 4 s_and_saveexec_b64 s[2:3], vcc
4430 4 s_cbranch_execz 21 => 4488
4434 4 s_mov_b64 s[8:9], 0
4438 4 v_mov_b32_e32 v4, s0
443c 4 v_mov_b32_e32 v1, 0
4440 4 v_mov_b32_e32 v2, v0
4444 4 v_ashrrev_i32_e32 v3, 31, v2
4448 8 v_lshl_add_u64 v[6:7], v[2:3], 2, s[4:5]
4450 8 global_load_dword v3, v[6:7], off
4458 4 s_waitcnt vmcnt(0)
445c 4 v_cmp_gt_f32_e32 vcc, v3, v4
4460 4 s_nop 1
4464 4 v_cndmask_b32_e32 v1, v1, v2, vcc
4468 4 v_add_u32_e32 v2, 64, v2
446c 8 v_cmp_le_i32_e64 s[0:1], s10, v2
4474 4 s_or_b64 s[8:9], s[0:1], s[8:9]
4478 4 v_cndmask_b32_e32 v4, v4, v3, vcc
447c 4 s_andn2_b64 exec, exec, s[8:9]
4480 4 s_cbranch_execnz 65520 => 4444
4484 4 s_or_b64 exec, exec, s[8:9]
4488 4 s_or_b64 exec, exec, s[2:3]
448c 8 v_mbcnt_lo_u32_b32 v2, -1, 0
4494 8 v_mbcnt_hi_u32_b32 v2, -1, v2
449c 8 v_mov_b32_e32 v3, 0x80
44a4 8 v_lshl_or_b32 v5, v2, 2, v3
44ac 8 ds_bpermute_b32 v3, v5, v4
44b4 8 ds_bpermute_b32 v5, v5, v1
44bc 4 s_waitcnt lgkmcnt(1)
44c0 8 v_cmp_lt_f32_e64 s[2:3], v4, v3
44c8 4 v_cmp_nlt_f32_e32 vcc, v4, v3
44cc 4 s_and_saveexec_b64 s[4:5], vcc
44d0 4 s_cbranch_execz 8 => 44f4
44d4 4 v_cmp_eq_f32_e32 vcc, v4, v3
44d8 4 s_waitcnt lgkmcnt(0)
44dc 8 v_cmp_lt_i32_e64 s[0:1], v5, v1
44e4 4 s_and_b64 s[0:1], vcc, s[0:1]
44e8 4 s_andn2_b64 s[2:3], s[2:3], exec
44ec 4 s_and_b64 s[0:1], s[0:1], exec
44f0 4 s_or_b64 s[2:3], s[2:3], s[0:1]
44f4 4 s_or_b64 exec, exec, s[4:5]
44f8 4 s_and_saveexec_b64 s[0:1], s[2:3]
44fc 4 s_cbranch_execz 3 => 450c
4500 4 v_mov_b32_e32 v4, v3
4504 4 s_waitcnt lgkmcnt(0)
4508 4 v_mov_b32_e32 v1, v5
450c 4 s_or_b64 exec, exec, s[0:1]
4510 4 v_and_b32_e32 v3, 63, v2
4514 4 v_cmp_gt_u32_e32 vcc, 48, v3
4518 4 s_waitcnt lgkmcnt(0)
451c 4 s_nop 0
4520 8 v_cndmask_b32_e64 v5, 0, 16, vcc
4528 8 v_add_lshl_u32 v5, v5, v2, 2
4530 8 ds_bpermute_b32 v6, v5, v4
4538 8 ds_bpermute_b32 v5, v5, v1
4540 4 s_waitcnt lgkmcnt(1)
4544 8 v_cmp_lt_f32_e64 s[2:3], v4, v6
454c 4 v_cmp_nlt_f32_e32 vcc, v4, v6
4550 4 s_and_saveexec_b64 s[4:5], vcc
4554 4 s_cbranch_execz 8 => 4578
4558 4 v_cmp_eq_f32_e32 vcc, v4, v6
455c 4 s_waitcnt lgkmcnt(0)
4560 8 v_cmp_lt_i32_e64 s[0:1], v5, v1
4568 4 s_and_b64 s[0:1], vcc, s[0:1]
456c 4 s_andn2_b64 s[2:3], s[2:3], exec
4570 4 s_and_b64 s[0:1], s[0:1], exec
4574 4 s_or_b64 s[2:3], s[2:3], s[0:1]
4578 4 s_or_b64 exec, exec, s[4:5]
457c 4 s_and_saveexec_b64 s[0:1], s[2:3]
4580 4 s_cbranch_execz 3 => 4590
4584 4 v_mov_b32_e32 v4, v6
4588 4 s_waitcnt lgkmcnt(0)
458c 4 v_mov_b32_e32 v1, v5
4590 4 s_or_b64 exec, exec, s[0:1]
4594 4 v_cmp_gt_u32_e32 vcc, 56, v3
4598 4 s_waitcnt lgkmcnt(0)
459c 4 s_nop 0
45a0 8 v_cndmask_b32_e64 v5, 0, 8, vcc
45a8 8 v_add_lshl_u32 v5, v5, v2, 2
45b0 8 ds_bpermute_b32 v6, v5, v4
45b8 8 ds_bpermute_b32 v5, v5, v1
45c0 4 s_waitcnt lgkmcnt(1)
45c4 8 v_cmp_lt_f32_e64 s[2:3], v4, v6
45cc 4 v_cmp_nlt_f32_e32 vcc, v4, v6
45d0 4 s_and_saveexec_b64 s[4:5], vcc
45d4 4 s_cbranch_execz 8 => 45f8
45d8 4 v_cmp_eq_f32_e32 vcc, v4, v6
45dc 4 s_waitcnt lgkmcnt(0)
45e0 8 v_cmp_lt_i32_e64 s[0:1], v5, v1
45e8 4 s_and_b64 s[0:1], vcc, s[0:1]
45ec 4 s_andn2_b64 s[2:3], s[2:3], exec
45f0 4 s_and_b64 s[0:1], s[0:1], exec
45f4 4 s_or_b64 s[2:3], s[2:3], s[0:1]
45f8 4 s_or_b64 exec, exec, s[4:5]
45fc 4 s_and_saveexec_b64 s[0:1], s[2:3]
4600 4 s_cbranch_execz 3 => 4610
4604 4 v_mov_b32_e32 v4, v6
4608 4 s_waitcnt lgkmcnt(0)
460c 4 v_mov_b32_e32 v1, v5
4610 4 s_or_b64 exec, exec, s[0:1]
4614 4 v_cmp_gt_u32_e32 vcc, 60, v3
4618 4 s_waitcnt lgkmcnt(0)
461c 4 s_nop 0
4620 8 v_cndmask_b32_e64 v5, 0, 4, vcc
4628 8 v_add_lshl_u32 v5, v5, v2, 2
4630 8 ds_bpermute_b32 v6, v5, v4
4638 8 ds_bpermute_b32 v5, v5, v1
4640 4 s_waitcnt lgkmcnt(1)
4644 8 v_cmp_lt_f32_e64 s[2:3], v4, v6
464c 4 v_cmp_nlt_f32_e32 vcc, v4, v6
4650 4 s_and_saveexec_b64 s[4:5], vcc
4654 4 s_cbranch_execz 8 => 4678
4658 4 v_cmp_eq_f32_e32 vcc, v4, v6
465c 4 s_waitcnt lgkmcnt(0)
4660 8 v_cmp_lt_i32_e64 s[0:1], v5, v1
4668 4 s_and_b64 s[0:1], vcc, s[0:1]
466c 4 s_andn2_b64 s[2:3], s[2:3], exec
4670 4 s_and_b64 s[0:1], s[0:1], exec
4674 4 s_or_b64 s[2:3], s[2:3], s[0:1]
4678 4 s_or_b64 exec, exec, s[4:5]
467c 4 s_and_saveexec_b64 s[0:1], s[2:3]
4680 4 s_cbranch_execz 3 => 4690
4684 4 v_mov_b32_e32 v4, v6
4688 4 s_waitcnt lgkmcnt(0)
468c 4 v_mov_b32_e32 v1, v5
4690 4 s_or_b64 exec, exec, s[0:1]
4694 4 v_cmp_gt_u32_e32 vcc, 62, v3
4698 4 s_waitcnt lgkmcnt(0)
469c 4 s_nop 0
46a0 8 v_cndmask_b32_e64 v5, 0, 2, vcc
46a8 8 v_add_lshl_u32 v5, v5, v2, 2
46b0 8 ds_bpermute_b32 v6, v5, v4
46b8 8 ds_bpermute_b32 v5, v5, v1
46c0 4 s_waitcnt lgkmcnt(1)
46c4 8 v_cmp_lt_f32_e64 s[2:3], v4, v6
46cc 4 v_cmp_nlt_f32_e32 vcc, v4, v6
46d0 4 s_and_saveexec_b64 s[4:5], vcc
46d4 4 s_cbranch_execz 8 => 46f8
46d8 4 v_cmp_eq_f32_e32 vcc, v4, v6
46dc 4 s_waitcnt lgkmcnt(0)
46e0 8 v_cmp_lt_i32_e64 s[0:1], v5, v1
46e8 4 s_and_b64 s[0:1], vcc, s[0:1]
46ec 4 s_andn2_b64 s[2:3], s[2:3], exec
46f0 4 s_and_b64 s[0:1], s[0:1], exec
46f4 4 s_or_b64 s[2:3], s[2:3], s[0:1]
46f8 4 s_or_b64 exec, exec, s[4:5]
46fc 4 s_and_saveexec_b64 s[0:1], s[2:3]
4700 4 s_cbranch_execz 3 => 4710
4704 4 v_mov_b32_e32 v4, v6
4708 4 s_waitcnt lgkmcnt(0)
470c 4 v_mov_b32_e32 v1, v5
4710 4 s_or_b64 exec, exec, s[0:1]
4714 4 v_cmp_ne_u32_e32 vcc, 63, v3
4718 4 s_nop 1
471c 4 v_addc_co_u32_e32 v2, vcc, 0, v2, vcc
4720 4 v_lshlrev_b32_e32 v2, 2, v2
4724 8 ds_bpermute_b32 v3, v2, v4
472c 8 ds_bpermute_b32 v2, v2, v1
4734 4 s_waitcnt lgkmcnt(1)
4738 8 v_cmp_lt_f32_e64 s[2:3], v4, v3
4740 4 v_cmp_nlt_f32_e32 vcc, v4, v3
4744 4 s_and_saveexec_b64 s[4:5], vcc
4748 4 s_cbranch_execnz 8 => 476c
474c 4 s_or_b64 exec, exec, s[4:5]
4750 4 s_and_saveexec_b64 s[0:1], s[2:3]
4754 4 s_cbranch_execnz 16 => 4798
4758 4 s_or_b64 exec, exec, s[0:1]
475c 4 v_cmp_eq_u32_e32 vcc, 0, v0
4760 4 s_and_saveexec_b64 s[0:1], vcc
4764 4 s_cbranch_execnz 18 => 47b0
4768 4 s_endpgm
476c 4 v_cmp_eq_f32_e32 vcc, v4, v3
4770 4 s_waitcnt lgkmcnt(0)
4774 8 v_cmp_lt_i32_e64 s[0:1], v2, v1
477c 4 s_and_b64 s[0:1], vcc, s[0:1]
4780 4 s_andn2_b64 s[2:3], s[2:3], exec
4784 4 s_and_b64 s[0:1], s[0:1], exec
4788 4 s_or_b64 s[2:3], s[2:3], s[0:1]
478c 4 s_or_b64 exec, exec, s[4:5]
4790 4 s_and_saveexec_b64 s[0:1], s[2:3]
4794 4 s_cbranch_execz 65520 => 4758
4798 4 s_waitcnt lgkmcnt(0)
479c 4 v_mov_b32_e32 v1, v2
47a0 4 s_or_b64 exec, exec, s[0:1]
47a4 4 v_cmp_eq_u32_e32 vcc, 0, v0
47a8 4 s_and_saveexec_b64 s[0:1], vcc
47ac 4 s_cbranch_execz 65518 => 4768
47b0 4 v_mov_b32_e32 v0, 0
47b4 8 global_store_dword v0, v1, s[6:7]
47bc 4 s_endpgm
47c0 4 s_nop 0
47c4 4 s_nop 0
47c8 4 s_nop 0
47cc 4 s_nop 0
47d0 4 s_nop 0
47d4 4 s_nop 0
47d8 4 s_nop 0
47dc 4 s_nop 0
47e0 4 s_nop 0
47e4 4 s_nop 0
47e8 4 s_nop 0
47ec 4 s_nop 0
47f0 4 s_nop 0
47f4 4 s_nop 0
47f8 4 s_nop 0
47fc 4 s_nop 0
histogram:
4800 8 s_load_dwordx4 s[4:7], s[0:1], 0x0
4808 8 s_load_dword s8, s[0:1], 0x10
4810 4 v_lshlrev_b32_e32 v2, 2, v0
4814 8 v_lshl_add_u32 v0, s2, 8, v0
481c 4 v_mov_b32_e32 v1, 0
4820 8 ds_write_b32 v2, v1
4828 4 s_waitcnt lgkmcnt(0)
482c 4 v_cmp_gt_i32_e32 vcc, s8, v0
4830 4 s_barrier
4834 4 s_and_saveexec_b64 s[2:3], vcc
4838 4 s_cbranch_execz 20 => 488c
483c 8 s_load_dword s9, s[0:1], 0x18
4844 4 s_mov_b64 s[0:1], 0
4848 4 v_mov_b32_e32 v3, 1
484c 4 s_waitcnt lgkmcnt(0)
4850 4 s_lshl_b32 s9, s9, 8
4854 4 v_ashrrev_i32_e32 v1, 31, v0
4858 8 v_lshl_add_u64 v[4:5], s[4:5], 0, v[0:1]
4860 8 global_load_ubyte v1, v[4:5], off
4868 4 v_add_u32_e32 v0, s9, v0
486c 4 v_cmp_le_i32_e32 vcc, s8, v0
4870 4 s_or_b64 s[0:1], vcc, s[0:1]
4874 4 s_waitcnt vmcnt(0)
4878 4 v_lshlrev_b32_e32 v1, 2, v1
487c 8 ds_add_u32 v1, v3
4884 4 s_andn2_b64 exec, exec, s[0:1]
4888 4 s_cbranch_execnz 65522 => 4854
488c 4 s_or_b64 exec, exec, s[2:3]
4890 4 s_waitcnt lgkmcnt(0)
4894 4 s_barrier
4898 8 ds_read_b32 v0, v2
48a0 4 s_waitcnt lgkmcnt(0)
48a4 8 global_atomic_add v2, v0, s[6:7]
48ac 4 s_endpgm
48b0 4 s_nop 0
48b4 4 s_nop 0
48b8 4 s_nop 0
48bc 4 s_nop 0
48c0 4 s_nop 0
48c4 4 s_nop 0
48c8 4 s_nop 0
48cc 4 s_nop 0
48d0 4 s_nop 0
48d4 4 s_nop 0
48d8 4 s_nop 0
48dc 4 s_nop 0
48e0 4 s_nop 0
48e4 4 s_nop 0
48e8 4 s_nop 0
48ec 4 s_nop 0
48f0 4 s_nop 0
48f4 4 s_nop 0
48f8 4 s_nop 0
48fc 4 s_nop 0
scan:
4900 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
4908 4 v_mov_b32_e32 v2, 0
490c 4 v_cmp_ne_u32_e32 vcc, 0, v0
4910 4 v_lshlrev_b32_e32 v1, 2, v0
4914 4 v_mov_b32_e32 v3, v2
4918 4 s_and_saveexec_b64 s[4:5], vcc
491c 4 s_cbranch_execz 3 => 492c
4920 4 s_waitcnt lgkmcnt(0)
4924 8 global_load_dword v3, v1, s[0:1] offset:-4
492c 4 s_or_b64 exec, exec, s[4:5]
4930 4 s_waitcnt vmcnt(0)
4934 8 ds_write_b32 v1, v3
493c 4 s_waitcnt lgkmcnt(0)
4940 4 s_barrier
4944 8 ds_read_b32 v3, v1
494c 4 s_and_saveexec_b64 s[0:1], vcc
4950 4 v_add_u32_e32 v2, -4, v1
4954 8 ds_read_b32 v2, v2
495c 4 s_or_b64 exec, exec, s[0:1]
4960 4 s_waitcnt lgkmcnt(0)
4964 4 v_add_u32_e32 v2, v2, v3
4968 8 ds_write_b32 v1, v2 offset:1024
4970 4 s_waitcnt lgkmcnt(0)
4974 4 s_barrier
4978 8 ds_read_b32 v3, v1 offset:1024
4980 4 v_mov_b32_e32 v2, 0
4984 4 v_cmp_lt_u32_e32 vcc, 1, v0
4988 4 v_mov_b32_e32 v4, v2
498c 4 s_and_saveexec_b64 s[0:1], vcc
4990 8 ds_read_b32 v4, v1 offset:1016
4998 4 s_or_b64 exec, exec, s[0:1]
499c 4 s_waitcnt lgkmcnt(0)
49a0 4 v_add_u32_e32 v3, v4, v3
49a4 8 ds_write_b32 v1, v3
49ac 4 s_waitcnt lgkmcnt(0)
49b0 4 s_barrier
49b4 8 ds_read_b32 v3, v1
49bc 4 v_cmp_lt_u32_e32 vcc, 3, v0
49c0 4 s_and_saveexec_b64 s[0:1], vcc
49c4 4 v_add_u32_e32 v2, -16, v1
49c8 8 ds_read_b32 v2, v2
49d0 4 s_or_b64 exec, exec, s[0:1]
49d4 4 s_waitcnt lgkmcnt(0)
49d8 4 v_add_u32_e32 v2, v2, v3
49dc 8 ds_write_b32 v1, v2 offset:1024
49e4 4 s_waitcnt lgkmcnt(0)
49e8 4 s_barrier
49ec 8 ds_read_b32 v3, v1 offset:1024
49f4 4 v_mov_b32_e32 v2, 0
49f8 4 v_cmp_lt_u32_e32 vcc, 7, v0
49fc 4 v_mov_b32_e32 v4, v2
4a00 4 s_and_saveexec_b64 s[0:1], vcc
4a04 8 ds_read_b32 v4, v1 offset:992
4a0c 4 s_or_b64 exec, exec, s[0:1]
4a10 4 s_waitcnt lgkmcnt(0)
4a14 4 v_add_u32_e32 v3, v4, v3
4a18 8 ds_write_b32 v1, v3
4a20 4 s_waitcnt lgkmcnt(0)
4a24 4 s_barrier
4a28 8 ds_read_b32 v3, v1
4a30 4 v_cmp_lt_u32_e32 vcc, 15, v0
4a34 4 s_and_saveexec_b64 s[0:1], vcc
4a38 4 v_subrev_u32_e32 v2, 64, v1
4a3c 8 ds_read_b32 v2, v2
4a44 4 s_or_b64 exec, exec, s[0:1]
4a48 4 s_waitcnt lgkmcnt(0)
4a4c 4 v_add_u32_e32 v2, v2, v3
4a50 8 ds_write_b32 v1, v2 offset:1024
4a58 4 s_waitcnt lgkmcnt(0)
4a5c 4 s_barrier
4a60 8 ds_read_b32 v3, v1 offset:1024
4a68 4 v_mov_b32_e32 v2, 0
4a6c 4 v_cmp_lt_u32_e32 vcc, 31, v0
4a70 4 v_mov_b32_e32 v4, v2
4a74 4 s_and_saveexec_b64 s[0:1], vcc
4a78 8 ds_read_b32 v4, v1 offset:896
4a80 4 s_or_b64 exec, exec, s[0:1]
4a84 4 s_waitcnt lgkmcnt(0)
4a88 4 v_add_u32_e32 v3, v4, v3
4a8c 8 ds_write_b32 v1, v3
4a94 4 s_waitcnt lgkmcnt(0)
4a98 4 s_barrier
4a9c 8 ds_read_b32 v3, v1
4aa4 4 v_cmp_lt_u32_e32 vcc, 63, v0
4aa8 4 s_and_saveexec_b64 s[0:1], vcc
4aac 8 v_add_u32_e32 v2, 0xffffff00, v1
4ab4 8 ds_read_b32 v2, v2
4abc 4 s_or_b64 exec, exec, s[0:1]
4ac0 4 s_waitcnt lgkmcnt(0)
4ac4 4 v_add_u32_e32 v2, v2, v3
4ac8 8 ds_write_b32 v1, v2 offset:1024
4ad0 4 s_waitcnt lgkmcnt(0)
4ad4 4 s_barrier
4ad8 8 ds_read_b32 v2, v1 offset:1024
4ae0 4 s_movk_i32 s0, 0x7f
4ae4 4 v_cmp_lt_u32_e32 vcc, s0, v0
4ae8 4 v_mov_b32_e32 v0, 0
4aec 4 s_and_saveexec_b64 s[0:1], vcc
4af0 8 ds_read_b32 v0, v1 offset:512
4af8 4 s_or_b64 exec, exec, s[0:1]
4afc 4 s_waitcnt lgkmcnt(0)
4b00 4 v_add_u32_e32 v0, v0, v2
4b04 8 ds_write_b32 v1, v0
4b0c 4 s_waitcnt lgkmcnt(0)
4b10 4 s_barrier
4b14 8 ds_read_b32 v0, v1
4b1c 4 s_waitcnt lgkmcnt(0)
4b20 8 global_store_dword v1, v0, s[2:3]
4b28 4 s_endpgm
4b2c 4 s_nop 0
4b30 4 s_nop 0
4b34 4 s_nop 0
4b38 4 s_nop 0
4b3c 4 s_nop 0
4b40 4 s_nop 0
4b44 4 s_nop 0
4b48 4 s_nop 0
4b4c 4 s_nop 0
4b50 4 s_nop 0
4b54 4 s_nop 0
4b58 4 s_nop 0
4b5c 4 s_nop 0
4b60 4 s_nop 0
4b64 4 s_nop 0
4b68 4 s_nop 0
4b6c 4 s_nop 0
4b70 4 s_nop 0
4b74 4 s_nop 0
4b78 4 s_nop 0
4b7c 4 s_nop 0
4b80 4 s_nop 0
4b84 4 s_nop 0
4b88 4 s_nop 0
4b8c 4 s_nop 0
4b90 4 s_nop 0
4b94 4 s_nop 0
4b98 4 s_nop 0
4b9c 4 s_nop 0
4ba0 4 s_nop 0
4ba4 4 s_nop 0
4ba8 4 s_nop 0
4bac 4 s_nop 0
4bb0 4 s_nop 0
4bb4 4 s_nop 0
4bb8 4 s_nop 0
4bbc 4 s_nop 0
4bc0 4 s_nop 0
4bc4 4 s_nop 0
4bc8 4 s_nop 0
4bcc 4 s_nop 0
4bd0 4 s_nop 0
4bd4 4 s_nop 0
4bd8 4 s_nop 0
4bdc 4 s_nop 0
4be0 4 s_nop 0
4be4 4 s_nop 0
4be8 4 s_nop 0
4bec 4 s_nop 0
4bf0 4 s_nop 0
4bf4 4 s_nop 0
4bf8 4 s_nop 0
4bfc 4 s_nop 0
bitonic:
4c00 8 s_load_dwordx2 s[2:3], s[0:1], 0x0
4c08 4 v_lshlrev_b32_e32 v2, 2, v0
4c0c 4 v_lshlrev_b32_e32 v6, 3, v0
4c10 4 s_waitcnt lgkmcnt(0)
4c14 8 global_load_dword v1, v2, s[2:3]
4c1c 8 global_load_dword v3, v2, s[2:3] offset:1024
4c24 4 s_waitcnt vmcnt(0)
4c28 8 ds_write2st64_b32 v2, v1, v3 offset1:4
4c30 4 v_and_b32_e32 v1, 1, v0
4c34 8 v_cmp_eq_u32_e64 s[0:1], 1, v1
4c3c 4 s_waitcnt lgkmcnt(0)
4c40 4 s_barrier
4c44 8 ds_read_b64 v[4:5], v6
4c4c 4 s_waitcnt lgkmcnt(0)
4c50 4 v_cmp_gt_u32_e32 vcc, v4, v5
4c54 4 s_xor_b64 s[4:5], vcc, s[0:1]
4c58 4 s_and_saveexec_b64 s[0:1], s[4:5]
4c5c 8 v_pk_mov_b32 v[4:5], v[4:5], v[4:5] op_sel:[1,0]
4c64 8 ds_write_b64 v6, v[4:5]
4c6c 4 s_or_b64 exec, exec, s[0:1]
4c70 4 v_lshlrev_b32_e32 v1, 2, v1
4c74 4 s_movk_i32 s0, 0x1ff0
4c78 8 v_and_or_b32 v7, v6, s0, v1
4c80 4 s_waitcnt lgkmcnt(0)
4c84 4 s_barrier
4c88 8 ds_read2_b32 v[4:5], v7 offset1:2
4c90 4 v_and_b32_e32 v1, 2, v0
4c94 4 v_cmp_ne_u32_e32 vcc, 0, v1
4c98 4 s_waitcnt lgkmcnt(0)
4c9c 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
4ca4 4 s_xor_b64 s[0:1], s[0:1], vcc
4ca8 4 s_and_saveexec_b64 s[4:5], s[0:1]
4cac 4 s_xor_b64 s[0:1], exec, s[4:5]
4cb0 8 ds_write2_b32 v7, v5, v4 offset1:2
4cb8 4 s_or_b64 exec, exec, s[0:1]
4cbc 4 s_waitcnt lgkmcnt(0)
4cc0 4 s_barrier
4cc4 8 ds_read_b64 v[4:5], v6
4ccc 4 v_lshlrev_b32_e32 v1, 1, v0
4cd0 4 s_waitcnt lgkmcnt(0)
4cd4 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
4cdc 4 s_xor_b64 s[4:5], s[0:1], vcc
4ce0 4 s_and_saveexec_b64 s[0:1], s[4:5]
4ce4 8 v_pk_mov_b32 v[4:5], v[4:5], v[4:5] op_sel:[1,0]
4cec 8 ds_write_b64 v6, v[4:5]
4cf4 4 s_or_b64 exec, exec, s[0:1]
4cf8 4 v_and_b32_e32 v3, 3, v0
4cfc 4 s_movk_i32 s0, 0x7f8
4d00 8 v_and_or_b32 v3, v1, s0, v3
4d08 4 v_lshlrev_b32_e32 v8, 2, v3
4d0c 4 s_waitcnt lgkmcnt(0)
4d10 4 s_barrier
4d14 8 ds_read2_b32 v[4:5], v8 offset1:4
4d1c 4 v_and_b32_e32 v3, 4, v0
4d20 4 v_cmp_ne_u32_e32 vcc, 0, v3
4d24 4 s_waitcnt lgkmcnt(0)
4d28 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
4d30 4 s_xor_b64 s[4:5], s[0:1], vcc
4d34 4 s_and_saveexec_b64 s[0:1], s[4:5]
4d38 8 ds_write2_b32 v8, v5, v4 offset1:4
4d40 4 s_or_b64 exec, exec, s[0:1]
4d44 4 s_waitcnt lgkmcnt(0)
4d48 4 s_barrier
4d4c 8 ds_read2_b32 v[4:5], v7 offset1:2
4d54 4 s_waitcnt lgkmcnt(0)
4d58 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
4d60 4 s_xor_b64 s[4:5], s[0:1], vcc
4d64 4 s_and_saveexec_b64 s[0:1], s[4:5]
4d68 8 ds_write2_b32 v7, v5, v4 offset1:2
4d70 4 s_or_b64 exec, exec, s[0:1]
4d74 4 s_waitcnt lgkmcnt(0)
4d78 4 s_barrier
4d7c 8 ds_read_b64 v[4:5], v6
4d84 4 s_waitcnt lgkmcnt(0)
4d88 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
4d90 4 s_xor_b64 s[4:5], s[0:1], vcc
4d94 4 s_and_saveexec_b64 s[0:1], s[4:5]
4d98 8 v_pk_mov_b32 v[4:5], v[4:5], v[4:5] op_sel:[1,0]
4da0 8 ds_write_b64 v6, v[4:5]
4da8 4 s_or_b64 exec, exec, s[0:1]
4dac 4 v_and_b32_e32 v3, 7, v0
4db0 4 s_movk_i32 s0, 0x7f0
4db4 8 v_and_or_b32 v3, v1, s0, v3
4dbc 4 v_lshlrev_b32_e32 v3, 2, v3
4dc0 4 s_waitcnt lgkmcnt(0)
4dc4 4 s_barrier
4dc8 8 ds_read2_b32 v[4:5], v3 offset1:8
4dd0 4 v_and_b32_e32 v9, 8, v0
4dd4 4 v_cmp_ne_u32_e32 vcc, 0, v9
4dd8 4 s_waitcnt lgkmcnt(0)
4ddc 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
4de4 4 s_xor_b64 s[4:5], s[0:1], vcc
4de8 4 s_and_saveexec_b64 s[0:1], s[4:5]
4dec 8 ds_write2_b32 v3, v5, v4 offset1:8
4df4 4 s_or_b64 exec, exec, s[0:1]
4df8 4 s_waitcnt lgkmcnt(0)
4dfc 4 s_barrier
4e00 8 ds_read2_b32 v[4:5], v8 offset1:4
4e08 4 s_waitcnt lgkmcnt(0)
4e0c 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
4e14 4 s_xor_b64 s[4:5], s[0:1], vcc
4e18 4 s_and_saveexec_b64 s[0:1], s[4:5]
4e1c 8 ds_write2_b32 v8, v5, v4 offset1:4
4e24 4 s_or_b64 exec, exec, s[0:1]
4e28 4 s_waitcnt lgkmcnt(0)
4e2c 4 s_barrier
4e30 8 ds_read2_b32 v[4:5], v7 offset1:2
4e38 4 s_waitcnt lgkmcnt(0)
4e3c 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
4e44 4 s_xor_b64 s[4:5], s[0:1], vcc
4e48 4 s_and_saveexec_b64 s[0:1], s[4:5]
4e4c 8 ds_write2_b32 v7, v5, v4 offset1:2
4e54 4 s_or_b64 exec, exec, s[0:1]
4e58 4 s_waitcnt lgkmcnt(0)
4e5c 4 s_barrier
4e60 8 ds_read_b64 v[4:5], v6
4e68 4 s_waitcnt lgkmcnt(0)
4e6c 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
4e74 4 s_xor_b64 s[4:5], s[0:1], vcc
4e78 4 s_and_saveexec_b64 s[0:1], s[4:5]
4e7c 8 v_pk_mov_b32 v[4:5], v[4:5], v[4:5] op_sel:[1,0]
4e84 8 ds_write_b64 v6, v[4:5]
4e8c 4 s_or_b64 exec, exec, s[0:1]
4e90 4 v_and_b32_e32 v4, 15, v0
4e94 4 s_movk_i32 s0, 0x7e0
4e98 8 v_and_or_b32 v4, v1, s0, v4
4ea0 4 v_lshlrev_b32_e32 v9, 2, v4
4ea4 4 s_waitcnt lgkmcnt(0)
4ea8 4 s_barrier
4eac 8 ds_read2_b32 v[4:5], v9 offset1:16
4eb4 4 v_and_b32_e32 v10, 16, v0
4eb8 4 v_cmp_ne_u32_e32 vcc, 0, v10
4ebc 4 s_waitcnt lgkmcnt(0)
4ec0 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
4ec8 4 s_xor_b64 s[4:5], s[0:1], vcc
4ecc 4 s_and_saveexec_b64 s[0:1], s[4:5]
4ed0 8 ds_write2_b32 v9, v5, v4 offset1:16
4ed8 4 s_or_b64 exec, exec, s[0:1]
4edc 4 s_waitcnt lgkmcnt(0)
4ee0 4 s_barrier
4ee4 8 ds_read2_b32 v[4:5], v3 offset1:8
4eec 4 s_waitcnt lgkmcnt(0)
4ef0 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
4ef8 4 s_xor_b64 s[4:5], s[0:1], vcc
4efc 4 s_and_saveexec_b64 s[0:1], s[4:5]
4f00 8 ds_write2_b32 v3, v5, v4 offset1:8
4f08 4 s_or_b64 exec, exec, s[0:1]
4f0c 4 s_waitcnt lgkmcnt(0)
4f10 4 s_barrier
4f14 8 ds_read2_b32 v[4:5], v8 offset1:4
4f1c 4 s_waitcnt lgkmcnt(0)
4f20 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
4f28 4 s_xor_b64 s[4:5], s[0:1], vcc
4f2c 4 s_and_saveexec_b64 s[0:1], s[4:5]
4f30 8 ds_write2_b32 v8, v5, v4 offset1:4
4f38 4 s_or_b64 exec, exec, s[0:1]
4f3c 4 s_waitcnt lgkmcnt(0)
4f40 4 s_barrier
4f44 8 ds_read2_b32 v[4:5], v7 offset1:2
4f4c 4 s_waitcnt lgkmcnt(0)
4f50 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
4f58 4 s_xor_b64 s[4:5], s[0:1], vcc
4f5c 4 s_and_saveexec_b64 s[0:1], s[4:5]
4f60 8 ds_write2_b32 v7, v5, v4 offset1:2
4f68 4 s_or_b64 exec, exec, s[0:1]
4f6c 4 s_waitcnt lgkmcnt(0)
4f70 4 s_barrier
4f74 8 ds_read_b64 v[4:5], v6
4f7c 4 s_waitcnt lgkmcnt(0)
4f80 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
4f88 4 s_xor_b64 s[4:5], s[0:1], vcc
4f8c 4 s_and_saveexec_b64 s[0:1], s[4:5]
4f90 8 v_pk_mov_b32 v[4:5], v[4:5], v[4:5] op_sel:[1,0]
4f98 8 ds_write_b64 v6, v[4:5]
4fa0 4 s_or_b64 exec, exec, s[0:1]
4fa4 4 v_and_b32_e32 v4, 31, v0
4fa8 4 s_movk_i32 s0, 0x7c0
4fac 8 v_and_or_b32 v4, v1, s0, v4
4fb4 4 v_lshlrev_b32_e32 v10, 2, v4
4fb8 4 s_waitcnt lgkmcnt(0)
4fbc 4 s_barrier
4fc0 8 ds_read2_b32 v[4:5], v10 offset1:32
4fc8 4 v_and_b32_e32 v11, 32, v0
4fcc 4 v_cmp_ne_u32_e32 vcc, 0, v11
4fd0 4 s_waitcnt lgkmcnt(0)
4fd4 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
4fdc 4 s_xor_b64 s[4:5], s[0:1], vcc
4fe0 4 s_and_saveexec_b64 s[0:1], s[4:5]
4fe4 8 ds_write2_b32 v10, v5, v4 offset1:32
4fec 4 s_or_b64 exec, exec, s[0:1]
4ff0 4 s_waitcnt lgkmcnt(0)
4ff4 4 s_barrier
4ff8 8 ds_read2_b32 v[4:5], v9 offset1:16
5000 4 s_waitcnt lgkmcnt(0)
5004 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
500c 4 s_xor_b64 s[4:5], s[0:1], vcc
5010 4 s_and_saveexec_b64 s[0:1], s[4:5]
5014 8 ds_write2_b32 v9, v5, v4 offset1:16
501c 4 s_or_b64 exec, exec, s[0:1]
5020 4 s_waitcnt lgkmcnt(0)
5024 4 s_barrier
5028 8 ds_read2_b32 v[4:5], v3 offset1:8
5030 4 s_waitcnt lgkmcnt(0)
5034 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
503c 4 s_xor_b64 s[4:5], s[0:1], vcc
5040 4 s_and_saveexec_b64 s[0:1], s[4:5]
5044 8 ds_write2_b32 v3, v5, v4 offset1:8
504c 4 s_or_b64 exec, exec, s[0:1]
5050 4 s_waitcnt lgkmcnt(0)
5054 4 s_barrier
5058 8 ds_read2_b32 v[4:5], v8 offset1:4
5060 4 s_waitcnt lgkmcnt(0)
5064 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
506c 4 s_xor_b64 s[4:5], s[0:1], vcc
5070 4 s_and_saveexec_b64 s[0:1], s[4:5]
5074 8 ds_write2_b32 v8, v5, v4 offset1:4
507c 4 s_or_b64 exec, exec, s[0:1]
5080 4 s_waitcnt lgkmcnt(0)
5084 4 s_barrier
5088 8 ds_read2_b32 v[4:5], v7 offset1:2
5090 4 s_waitcnt lgkmcnt(0)
5094 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
509c 4 s_xor_b64 s[4:5], s[0:1], vcc
50a0 4 s_and_saveexec_b64 s[0:1], s[4:5]
50a4 8 ds_write2_b32 v7, v5, v4 offset1:2
50ac 4 s_or_b64 exec, exec, s[0:1]
50b0 4 s_waitcnt lgkmcnt(0)
50b4 4 s_barrier
50b8 8 ds_read_b64 v[4:5], v6
50c0 4 s_waitcnt lgkmcnt(0)
50c4 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
50cc 4 s_xor_b64 s[4:5], s[0:1], vcc
50d0 4 s_and_saveexec_b64 s[0:1], s[4:5]
50d4 8 v_pk_mov_b32 v[4:5], v[4:5], v[4:5] op_sel:[1,0]
50dc 8 ds_write_b64 v6, v[4:5]
50e4 4 s_or_b64 exec, exec, s[0:1]
50e8 4 v_and_b32_e32 v4, 63, v0
50ec 4 s_movk_i32 s0, 0x780
50f0 8 v_and_or_b32 v4, v1, s0, v4
50f8 4 v_lshlrev_b32_e32 v11, 2, v4
50fc 4 s_waitcnt lgkmcnt(0)
5100 4 s_barrier
5104 8 ds_read2st64_b32 v[4:5], v11 offset1:1
510c 4 v_and_b32_e32 v12, 64, v0
5110 4 v_cmp_ne_u32_e32 vcc, 0, v12
5114 4 s_waitcnt lgkmcnt(0)
5118 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
5120 4 s_xor_b64 s[4:5], s[0:1], vcc
5124 4 s_and_saveexec_b64 s[0:1], s[4:5]
5128 8 ds_write2st64_b32 v11, v5, v4 offset1:1
5130 4 s_or_b64 exec, exec, s[0:1]
5134 4 s_waitcnt lgkmcnt(0)
5138 4 s_barrier
513c 8 ds_read2_b32 v[4:5], v10 offset1:32
5144 4 s_waitcnt lgkmcnt(0)
5148 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
5150 4 s_xor_b64 s[4:5], s[0:1], vcc
5154 4 s_and_saveexec_b64 s[0:1], s[4:5]
5158 8 ds_write2_b32 v10, v5, v4 offset1:32
5160 4 s_or_b64 exec, exec, s[0:1]
5164 4 s_waitcnt lgkmcnt(0)
5168 4 s_barrier
516c 8 ds_read2_b32 v[4:5], v9 offset1:16
5174 4 s_waitcnt lgkmcnt(0)
5178 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
5180 4 s_xor_b64 s[4:5], s[0:1], vcc
5184 4 s_and_saveexec_b64 s[0:1], s[4:5]
5188 8 ds_write2_b32 v9, v5, v4 offset1:16
5190 4 s_or_b64 exec, exec, s[0:1]
5194 4 s_waitcnt lgkmcnt(0)
5198 4 s_barrier
519c 8 ds_read2_b32 v[4:5], v3 offset1:8
51a4 4 s_waitcnt lgkmcnt(0)
51a8 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
51b0 4 s_xor_b64 s[4:5], s[0:1], vcc
51b4 4 s_and_saveexec_b64 s[0:1], s[4:5]
51b8 8 ds_write2_b32 v3, v5, v4 offset1:8
51c0 4 s_or_b64 exec, exec, s[0:1]
51c4 4 s_waitcnt lgkmcnt(0)
51c8 4 s_barrier
51cc 8 ds_read2_b32 v[4:5], v8 offset1:4
51d4 4 s_waitcnt lgkmcnt(0)
51d8 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
51e0 4 s_xor_b64 s[4:5], s[0:1], vcc
51e4 4 s_and_saveexec_b64 s[0:1], s[4:5]
51e8 8 ds_write2_b32 v8, v5, v4 offset1:4
51f0 4 s_or_b64 exec, exec, s[0:1]
51f4 4 s_waitcnt lgkmcnt(0)
51f8 4 s_barrier
51fc 8 ds_read2_b32 v[4:5], v7 offset1:2
5204 4 s_waitcnt lgkmcnt(0)
5208 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
5210 4 s_xor_b64 s[4:5], s[0:1], vcc
5214 4 s_and_saveexec_b64 s[0:1], s[4:5]
5218 8 ds_write2_b32 v7, v5, v4 offset1:2
5220 4 s_or_b64 exec, exec, s[0:1]
5224 4 s_waitcnt lgkmcnt(0)
5228 4 s_barrier
522c 8 ds_read_b64 v[4:5], v6
5234 4 s_waitcnt lgkmcnt(0)
5238 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
5240 4 s_xor_b64 s[4:5], s[0:1], vcc
5244 4 s_and_saveexec_b64 s[0:1], s[4:5]
5248 8 v_pk_mov_b32 v[4:5], v[4:5], v[4:5] op_sel:[1,0]
5250 8 ds_write_b64 v6, v[4:5]
5258 4 s_or_b64 exec, exec, s[0:1]
525c 8 v_and_b32_e32 v4, 0x7f, v0
5264 4 s_movk_i32 s0, 0x700
5268 8 v_and_or_b32 v4, v1, s0, v4
5270 4 v_lshlrev_b32_e32 v12, 2, v4
5274 4 s_waitcnt lgkmcnt(0)
5278 4 s_barrier
527c 8 ds_read2st64_b32 v[4:5], v12 offset1:2
5284 8 v_and_b32_e32 v13, 0x80, v0
528c 4 v_cmp_ne_u32_e32 vcc, 0, v13
5290 4 s_waitcnt lgkmcnt(0)
5294 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
529c 4 s_xor_b64 s[4:5], s[0:1], vcc
52a0 4 s_and_saveexec_b64 s[0:1], s[4:5]
52a4 8 ds_write2st64_b32 v12, v5, v4 offset1:2
52ac 4 s_or_b64 exec, exec, s[0:1]
52b0 4 s_waitcnt lgkmcnt(0)
52b4 4 s_barrier
52b8 8 ds_read2st64_b32 v[4:5], v11 offset1:1
52c0 4 s_waitcnt lgkmcnt(0)
52c4 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
52cc 4 s_xor_b64 s[4:5], s[0:1], vcc
52d0 4 s_and_saveexec_b64 s[0:1], s[4:5]
52d4 8 ds_write2st64_b32 v11, v5, v4 offset1:1
52dc 4 s_or_b64 exec, exec, s[0:1]
52e0 4 s_waitcnt lgkmcnt(0)
52e4 4 s_barrier
52e8 8 ds_read2_b32 v[4:5], v10 offset1:32
52f0 4 s_waitcnt lgkmcnt(0)
52f4 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
52fc 4 s_xor_b64 s[4:5], s[0:1], vcc
5300 4 s_and_saveexec_b64 s[0:1], s[4:5]
5304 8 ds_write2_b32 v10, v5, v4 offset1:32
530c 4 s_or_b64 exec, exec, s[0:1]
5310 4 s_waitcnt lgkmcnt(0)
5314 4 s_barrier
5318 8 ds_read2_b32 v[4:5], v9 offset1:16
5320 4 s_waitcnt lgkmcnt(0)
5324 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
532c 4 s_xor_b64 s[4:5], s[0:1], vcc
5330 4 s_and_saveexec_b64 s[0:1], s[4:5]
5334 8 ds_write2_b32 v9, v5, v4 offset1:16
533c 4 s_or_b64 exec, exec, s[0:1]
5340 4 s_waitcnt lgkmcnt(0)
5344 4 s_barrier
5348 8 ds_read2_b32 v[4:5], v3 offset1:8
5350 4 s_waitcnt lgkmcnt(0)
5354 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
535c 4 s_xor_b64 s[4:5], s[0:1], vcc
5360 4 s_and_saveexec_b64 s[0:1], s[4:5]
5364 8 ds_write2_b32 v3, v5, v4 offset1:8
536c 4 s_or_b64 exec, exec, s[0:1]
5370 4 s_waitcnt lgkmcnt(0)
5374 4 s_barrier
5378 8 ds_read2_b32 v[4:5], v8 offset1:4
5380 4 s_waitcnt lgkmcnt(0)
5384 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
538c 4 s_xor_b64 s[4:5], s[0:1], vcc
5390 4 s_and_saveexec_b64 s[0:1], s[4:5]
5394 8 ds_write2_b32 v8, v5, v4 offset1:4
539c 4 s_or_b64 exec, exec, s[0:1]
53a0 4 s_waitcnt lgkmcnt(0)
53a4 4 s_barrier
53a8 8 ds_read2_b32 v[4:5], v7 offset1:2
53b0 4 s_waitcnt lgkmcnt(0)
53b4 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
53bc 4 s_xor_b64 s[4:5], s[0:1], vcc
53c0 4 s_and_saveexec_b64 s[0:1], s[4:5]
53c4 8 ds_write2_b32 v7, v5, v4 offset1:2
53cc 4 s_or_b64 exec, exec, s[0:1]
53d0 4 s_waitcnt lgkmcnt(0)
53d4 4 s_barrier
53d8 8 ds_read_b64 v[4:5], v6
53e0 4 s_waitcnt lgkmcnt(0)
53e4 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
53ec 4 s_xor_b64 s[4:5], s[0:1], vcc
53f0 4 s_and_saveexec_b64 s[0:1], s[4:5]
53f4 8 v_pk_mov_b32 v[4:5], v[4:5], v[4:5] op_sel:[1,0]
53fc 8 ds_write_b64 v6, v[4:5]
5404 4 s_or_b64 exec, exec, s[0:1]
5408 8 v_and_b32_e32 v4, 0xff, v0
5410 4 s_movk_i32 s0, 0x600
5414 8 v_and_or_b32 v1, v1, s0, v4
541c 4 v_lshlrev_b32_e32 v1, 2, v1
5420 4 s_waitcnt lgkmcnt(0)
5424 4 s_barrier
5428 8 ds_read2st64_b32 v[4:5], v1 offset1:4
5430 8 v_and_b32_e32 v0, 0x100, v0
5438 4 v_cmp_ne_u32_e32 vcc, 0, v0
543c 4 s_waitcnt lgkmcnt(0)
5440 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
5448 4 s_xor_b64 s[4:5], s[0:1], vcc
544c 4 s_and_saveexec_b64 s[0:1], s[4:5]
5450 8 ds_write2st64_b32 v1, v5, v4 offset1:4
5458 4 s_or_b64 exec, exec, s[0:1]
545c 4 s_waitcnt lgkmcnt(0)
5460 4 s_barrier
5464 8 ds_read2st64_b32 v[0:1], v12 offset1:2
546c 4 s_waitcnt lgkmcnt(0)
5470 8 v_cmp_gt_u32_e64 s[0:1], v0, v1
5478 4 s_xor_b64 s[4:5], s[0:1], vcc
547c 4 s_and_saveexec_b64 s[0:1], s[4:5]
5480 8 ds_write2st64_b32 v12, v1, v0 offset1:2
5488 4 s_or_b64 exec, exec, s[0:1]
548c 4 s_waitcnt lgkmcnt(0)
5490 4 s_barrier
5494 8 ds_read2st64_b32 v[0:1], v11 offset1:1
549c 4 s_waitcnt lgkmcnt(0)
54a0 8 v_cmp_gt_u32_e64 s[0:1], v0, v1
54a8 4 s_xor_b64 s[4:5], s[0:1], vcc
54ac 4 s_and_saveexec_b64 s[0:1], s[4:5]
54b0 8 ds_write2st64_b32 v11, v1, v0 offset1:1
54b8 4 s_or_b64 exec, exec, s[0:1]
54bc 4 s_waitcnt lgkmcnt(0)
54c0 4 s_barrier
54c4 8 ds_read2_b32 v[0:1], v10 offset1:32
54cc 4 s_waitcnt lgkmcnt(0)
54d0 8 v_cmp_gt_u32_e64 s[0:1], v0, v1
54d8 4 s_xor_b64 s[4:5], s[0:1], vcc
54dc 4 s_and_saveexec_b64 s[0:1], s[4:5]
54e0 8 ds_write2_b32 v10, v1, v0 offset1:32
54e8 4 s_or_b64 exec, exec, s[0:1]
54ec 4 s_waitcnt lgkmcnt(0)
54f0 4 s_barrier
54f4 8 ds_read2_b32 v[0:1], v9 offset1:16
54fc 4 s_waitcnt lgkmcnt(0)
5500 8 v_cmp_gt_u32_e64 s[0:1], v0, v1
5508 4 s_xor_b64 s[4:5], s[0:1], vcc
550c 4 s_and_saveexec_b64 s[0:1], s[4:5]
5510 8 ds_write2_b32 v9, v1, v0 offset1:16
5518 4 s_or_b64 exec, exec, s[0:1]
551c 4 s_waitcnt lgkmcnt(0)
5520 4 s_barrier
5524 8 ds_read2_b32 v[0:1], v3 offset1:8
552c 4 s_waitcnt lgkmcnt(0)
5530 8 v_cmp_gt_u32_e64 s[0:1], v0, v1
5538 4 s_xor_b64 s[4:5], s[0:1], vcc
553c 4 s_and_saveexec_b64 s[0:1], s[4:5]
5540 8 ds_write2_b32 v3, v1, v0 offset1:8
5548 4 s_or_b64 exec, exec, s[0:1]
554c 4 s_waitcnt lgkmcnt(0)
5550 4 s_barrier
5554 8 ds_read2_b32 v[0:1], v8 offset1:4
555c 4 v_mov_b32_e32 v3, 0
5560 4 s_waitcnt lgkmcnt(0)
5564 8 v_cmp_gt_u32_e64 s[0:1], v0, v1
556c 4 s_xor_b64 s[4:5], s[0:1], vcc
5570 4 s_and_saveexec_b64 s[0:1], s[4:5]
5574 8 ds_write2_b32 v8, v1, v0 offset1:4
557c 4 s_or_b64 exec, exec, s[0:1]
5580 4 s_waitcnt lgkmcnt(0)
5584 4 s_barrier
5588 8 ds_read2_b32 v[0:1], v7 offset1:2
5590 4 s_waitcnt lgkmcnt(0)
5594 8 v_cmp_gt_u32_e64 s[0:1], v0, v1
559c 4 s_xor_b64 s[4:5], s[0:1], vcc
55a0 4 s_and_saveexec_b64 s[0:1], s[4:5]
55a4 8 ds_write2_b32 v7, v1, v0 offset1:2
55ac 4 s_or_b64 exec, exec, s[0:1]
55b0 4 s_waitcnt lgkmcnt(0)
55b4 4 s_barrier
55b8 8 ds_read_b64 v[4:5], v6
55c0 8 v_lshl_add_u64 v[0:1], s[2:3], 0, v[2:3]
55c8 4 s_waitcnt lgkmcnt(0)
55cc 8 v_cmp_gt_u32_e64 s[0:1], v4, v5
55d4 4 s_xor_b64 s[2:3], s[0:1], vcc
55d8 4 s_and_saveexec_b64 s[0:1], s[2:3]
55dc 8 v_pk_mov_b32 v[4:5], v[4:5], v[4:5] op_sel:[1,0]
55e4 8 ds_write_b64 v6, v[4:5]
55ec 4 s_or_b64 exec, exec, s[0:1]
55f0 4 s_waitcnt lgkmcnt(0)
55f4 4 s_barrier
55f8 8 ds_read2st64_b32 v[2:3], v2 offset1:4
5600 4 s_waitcnt lgkmcnt(0)
5604 8 global_store_dword v[0:1], v2, off
560c 8 global_store_dword v[0:1], v3, off offset:1024
5614 4 s_endpgm
5618 4 s_nop 0
561c 4 s_nop 0
5620 4 s_nop 0
5624 4 s_nop 0
5628 4 s_nop 0
562c 4 s_nop 0
5630 4 s_nop 0
5634 4 s_nop 0
5638 4 s_nop 0
563c 4 s_nop 0
5640 4 s_nop 0
5644 4 s_nop 0
5648 4 s_nop 0
564c 4 s_nop 0
5650 4 s_nop 0
5654 4 s_nop 0
5658 4 s_nop 0
565c 4 s_nop 0
5660 4 s_nop 0
5664 4 s_nop 0
5668 4 s_nop 0
566c 4 s_nop 0
5670 4 s_nop 0
5674 4 s_nop 0
5678 4 s_nop 0
567c 4 s_nop 0
5680 4 s_nop 0
5684 4 s_nop 0
5688 4 s_nop 0
568c 4 s_nop 0
5690 4 s_nop 0
5694 4 s_nop 0
5698 4 s_nop 0
569c 4 s_nop 0
56a0 4 s_nop 0
56a4 4 s_nop 0
56a8 4 s_nop 0
56ac 4 s_nop 0
56b0 4 s_nop 0
56b4 4 s_nop 0
56b8 4 s_nop 0
56bc 4 s_nop 0
56c0 4 s_nop 0
56c4 4 s_nop 0
56c8 4 s_nop 0
56cc 4 s_nop 0
56d0 4 s_nop 0
56d4 4 s_nop 0
56d8 4 s_nop 0
56dc 4 s_nop 0
56e0 4 s_nop 0
56e4 4 s_nop 0
56e8 4 s_nop 0
56ec 4 s_nop 0
56f0 4 s_nop 0
56f4 4 s_nop 0
56f8 4 s_nop 0
56fc 4 s_nop 0
5700 4 s_nop 0
5704 4 s_nop 0
5708 4 s_nop 0
570c 4 s_nop 0
5710 4 s_nop 0
5714 4 s_nop 0
5718 4 s_nop 0
571c 4 s_nop 0
5720 4 s_nop 0
5724 4 s_nop 0
5728 4 s_nop 0
572c 4 s_nop 0
5730 4 s_nop 0
5734 4 s_nop 0
5738 4 s_nop 0
573c 4 s_nop 0
5740 4 s_nop 0
5744 4 s_nop 0
5748 4 s_nop 0
574c 4 s_nop 0
5750 4 s_nop 0
5754 4 s_nop 0
5758 4 s_nop 0
575c 4 s_nop 0
5760 4 s_nop 0
5764 4 s_nop 0
5768 4 s_nop 0
576c 4 s_nop 0
5770 4 s_nop 0
5774 4 s_nop 0
5778 4 s_nop 0
577c 4 s_nop 0
5780 4 s_nop 0
5784 4 s_nop 0
5788 4 s_nop 0
578c 4 s_nop 0
5790 4 s_nop 0
5794 4 s_nop 0
5798 4 s_nop 0
579c 4 s_nop 0
57a0 4 s_nop 0
57a4 4 s_nop 0
57a8 4 s_nop 0
57ac 4 s_nop 0
57b0 4 s_nop 0
57b4 4 s_nop 0
57b8 4 s_nop 0
57bc 4 s_nop 0
57c0 4 s_nop 0
57c4 4 s_nop 0
57c8 4 s_nop 0
57cc 4 s_nop 0
57d0 4 s_nop 0
57d4 4 s_nop 0
57d8 4 s_nop 0
57dc 4 s_nop 0
57e0 4 s_nop 0
57e4 4 s_nop 0
57e8 4 s_nop 0
57ec 4 s_nop 0
57f0 4 s_nop 0
57f4 4 s_nop 0
57f8 4 s_nop 0
57fc 4 s_nop 0
5800 4 s_nop 0
5804 4 s_nop 0
5808 4 s_nop 0
580c 4 s_nop 0
5810 4 s_nop 0
5814 4 s_nop 0
5818 4 s_nop 0
581c 4 s_nop 0
5820 4 s_nop 0
5824 4 s_nop 0
5828 4 s_nop 0
582c 4 s_nop 0
5830 4 s_nop 0
5834 4 s_nop 0
5838 4 s_nop 0
583c 4 s_nop 0
5840 4 s_nop 0
5844 4 s_nop 0
5848 4 s_nop 0
584c 4 s_nop 0
5850 4 s_nop 0
5854 4 s_nop 0
5858 4 s_nop 0
585c 4 s_nop 0
5860 4 s_nop 0
5864 4 s_nop 0
5868 4 s_nop 0
586c 4 s_nop 0
5870 4 s_nop 0
5874 4 s_nop 0
5878 4 s_nop 0
587c 4 s_nop 0
5880 4 s_nop 0
5884 4 s_nop 0
5888 4 s_nop 0
588c 4 s_nop 0
5890 4 s_nop 0
5894 4 s_nop 0
5898 4 s_nop 0
589c 4 s_nop 0
58a0 4 s_nop 0
58a4 4 s_nop 0
58a8 4 s_nop 0
58ac 4 s_nop 0
58b0 4 s_nop 0
58b4 4 s_nop 0
58b8 4 s_nop 0
58bc 4 s_nop 0
58c0 4 s_nop 0
58c4 4 s_nop 0
58c8 4 s_nop 0
58cc 4 s_nop 0
58d0 4 s_nop 0
58d4 4 s_nop 0
58d8 4 s_nop 0
58dc 4 s_nop 0
58e0 4 s_nop 0
58e4 4 s_nop 0
58e8 4 s_nop 0
58ec 4 s_nop 0
58f0 4 s_nop 0
58f4 4 s_nop 0
58f8 4 s_nop 0
58fc 4 s_nop 0
5900 4 s_nop 0
5904 4 s_nop 0
5908 4 s_nop 0
590c 4 s_nop 0
5910 4 s_nop 0
5914 4 s_nop 0
5918 4 s_nop 0
591c 4 s_nop 0
5920 4 s_nop 0
5924 4 s_nop 0
5928 4 s_nop 0
592c 4 s_nop 0
5930 4 s_nop 0
5934 4 s_nop 0
5938 4 s_nop 0
593c 4 s_nop 0
5940 4 s_nop 0
5944 4 s_nop 0
5948 4 s_nop 0
594c 4 s_nop 0
5950 4 s_nop 0
5954 4 s_nop 0
5958 4 s_nop 0
595c 4 s_nop 0
5960 4 s_nop 0
5964 4 s_nop 0
5968 4 s_nop 0
596c 4 s_nop 0
5970 4 s_nop 0
5974 4 s_nop 0
5978 4 s_nop 0
597c 4 s_nop 0
5980 4 s_nop 0
5984 4 s_nop 0
5988 4 s_nop 0
598c 4 s_nop 0
5990 4 s_nop 0
5994 4 s_nop 0
5998 4 s_nop 0
599c 4 s_nop 0
59a0 4 s_nop 0
59a4 4 s_nop 0
59a8 4 s_nop 0
59ac 4 s_nop 0
59b0 4 s_nop 0
59b4 4 s_nop 0
59b8 4 s_nop 0
59bc 4 s_nop 0
59c0 4 s_nop 0
59c4 4 s_nop 0
59c8 4 s_nop 0
59cc 4 s_nop 0
59d0 4 s_nop 0
59d4 4 s_nop 0
59d8 4 s_nop 0
59dc 4 s_nop 0
59e0 4 s_nop 0
59e4 4 s_nop 0
59e8 4 s_nop 0
59ec 4 s_nop 0
59f0 4 s_nop 0
59f4 4 s_nop 0
59f8 4 s_nop 0
59fc 4 s_nop 0
5a00 4 s_nop 0
5a04 4 s_nop 0
5a08 4 s_nop 0
5a0c 4 s_nop 0
5a10 4 s_nop 0
5a14 4 s_nop 0
5a18 4 s_nop 0
5a1c 4 s_nop 0
5a20 4 s_nop 0
5a24 4 s_nop 0
5a28 4 s_nop 0
5a2c 4 s_nop 0
5a30 4 s_nop 0
5a34 4 s_nop 0
5a38 4 s_nop 0
5a3c 4 s_nop 0
