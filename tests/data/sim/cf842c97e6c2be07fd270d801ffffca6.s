missing_barrier_again:
3100 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
3108 4 v_lshlrev_b32_e32 v0, 2, v0
310c 4 v_mov_b32_e32 v1, 0
3110 8 ds_write_b32 v0, v1
3118 4 s_waitcnt lgkmcnt(0)
311c 4 s_barrier
3120 8 global_load_dword v2, v0, s[0:1]
3128 4 v_sub_u32_e32 v1, 0, v0
312c 4 s_waitcnt vmcnt(0)
3130 8 ds_write_b32 v0, v2
3138 8 ds_read_b32 v1, v1 offset:508
3140 4 s_waitcnt lgkmcnt(0)
3144 8 global_store_dword v0, v1, s[2:3]
314c 4 s_endpgm
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
bytes_of_words:
3200 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
3208 4 v_lshlrev_b32_e32 v1, 1, v0
320c 4 v_lshrrev_b32_e32 v2, 6, v0
3210 4 s_mov_b64 s[4:5], src_shared_base
3214 8 v_and_b32_e32 v1, 0x7e, v1
321c 4 s_waitcnt lgkmcnt(0)
3220 8 s_load_dword s0, s[0:1], 0x0
3228 4 v_mov_b32_e32 v3, s5
322c 4 s_waitcnt lgkmcnt(0)
3230 4 s_bitcmp1_b32 s0, 0
3234 4 s_cselect_b64 vcc, -1, 0
3238 4 v_cndmask_b32_e32 v2, 0, v2, vcc
323c 4 v_add_u32_e32 v2, v1, v2
3240 8 flat_store_byte v[2:3], v0 sc0 sc1
3248 4 s_waitcnt vmcnt(0)
324c 8 flat_load_ubyte v1, v[2:3] sc0 sc1
3254 4 s_waitcnt vmcnt(0)
3258 4 v_lshlrev_b32_e32 v0, 2, v0
325c 4 s_waitcnt lgkmcnt(0)
3260 8 global_store_dword v0, v1, s[2:3]
3268 4 s_endpgm
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
flat_race:
3300 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
3308 4 v_lshlrev_b32_e32 v2, 2, v0
330c 4 v_mov_b32_e32 v3, 0
3310 8 ds_write_b32 v2, v3
3318 4 s_waitcnt lgkmcnt(0)
331c 4 s_barrier
3320 8 s_load_dword s0, s[0:1], 0x4
3328 4 s_mov_b64 s[4:5], src_shared_base
332c 4 v_mov_b32_e32 v1, v3
3330 4 s_waitcnt lgkmcnt(0)
3334 4 s_cmp_eq_u32 s0, 0
3338 4 s_cselect_b32 s1, s3, s5
333c 4 s_cselect_b32 s0, s2, 0
3340 8 v_lshl_add_u64 v[4:5], s[0:1], 0, v[2:3]
3348 8 flat_store_dword v[4:5], v0 sc0 sc1
3350 4 s_waitcnt vmcnt(0)
3354 8 v_sub_u32_e32 v0, 0x7f, v0
335c 8 v_lshl_add_u64 v[0:1], v[0:1], 2, s[0:1]
3364 8 flat_load_dword v0, v[0:1] sc0 sc1
336c 4 s_waitcnt vmcnt(0) lgkmcnt(0)
3370 8 global_store_dword v2, v0, s[2:3]
3378 4 s_endpgm
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
reads_unwritten:
3400 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
3408 4 v_lshlrev_b32_e32 v0, 2, v0
340c 4 s_waitcnt lgkmcnt(0)
3410 8 global_load_dword v1, v0, s[0:1]
3418 4 s_waitcnt vmcnt(0)
341c 4 v_add_u32_e32 v1, 1, v1
3420 8 global_store_dword v0, v1, s[2:3]
3428 4 s_endpgm
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
compares_unwritten:
3500 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
3508 4 v_lshlrev_b32_e32 v1, 2, v0
350c 4 s_waitcnt lgkmcnt(0)
3510 8 global_load_dword v1, v1, s[0:1]
3518 4 s_waitcnt vmcnt(0)
351c 4 v_cmp_lt_u32_e32 vcc, 5, v1
3520 4 s_and_saveexec_b64 s[0:1], vcc
3524 4 s_cbranch_execz 4 => 3538
3528 4 v_lshlrev_b32_e32 v0, 2, v0
352c 4 v_mov_b32_e32 v1, 1
3530 8 global_store_dword v0, v1, s[2:3]
3538 4 s_endpgm
353c 4 s_nop 0
3540 4 s_nop 0
3544 4 s_nop 0
3548 4 s_nop 0
354c 4 s_nop 0
3550 4 s_nop 0
3554 4 s_nop 0
3558 4 s_nop 0
355c 4 s_nop 0
3560 4 s_nop 0
3564 4 s_nop 0
3568 4 s_nop 0
356c 4 s_nop 0
3570 4 s_nop 0
3574 4 s_nop 0
3578 4 s_nop 0
357c 4 s_nop 0
3580 4 s_nop 0
3584 4 s_nop 0
3588 4 s_nop 0
358c 4 s_nop 0
3590 4 s_nop 0
3594 4 s_nop 0
3598 4 s_nop 0
359c 4 s_nop 0
35a0 4 s_nop 0
35a4 4 s_nop 0
35a8 4 s_nop 0
35ac 4 s_nop 0
35b0 4 s_nop 0
35b4 4 s_nop 0
35b8 4 s_nop 0
35bc 4 s_nop 0
35c0 4 s_nop 0
35c4 4 s_nop 0
35c8 4 s_nop 0
35cc 4 s_nop 0
35d0 4 s_nop 0
35d4 4 s_nop 0
35d8 4 s_nop 0
35dc 4 s_nop 0
35e0 4 s_nop 0
35e4 4 s_nop 0
35e8 4 s_nop 0
35ec 4 s_nop 0
35f0 4 s_nop 0
35f4 4 s_nop 0
35f8 4 s_nop 0
35fc 4 s_nop 0
scalar_unwritten:
3600 8 s_load_dwordx4 s[4:7], s[0:1], 0x0
3608 4 s_mov_b32 s3, 0
360c 4 s_lshl_b64 s[0:1], s[2:3], 2
3610 4 s_waitcnt lgkmcnt(0)
3614 4 s_add_u32 s0, s4, s0
3618 4 s_addc_u32 s1, s5, s1
361c 8 s_load_dword s0, s[0:1], 0x0
3624 4 s_waitcnt lgkmcnt(0)
3628 4 v_add_u32_e32 v1, s0, v0
362c 4 v_lshlrev_b32_e32 v0, 2, v0
3630 8 global_store_dword v0, v1, s[6:7]
3638 4 s_endpgm
363c 4 s_nop 0
3640 4 s_nop 0
3644 4 s_nop 0
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
atomic_unwritten:
3700 4 s_mov_b64 s[2:3], exec
3704 8 v_mbcnt_lo_u32_b32 v0, s2, 0
370c 8 v_mbcnt_hi_u32_b32 v0, s3, v0
3714 4 v_cmp_eq_u32_e32 vcc, 0, v0
3718 4 s_and_saveexec_b64 s[4:5], vcc
371c 4 s_cbranch_execz 8 => 3740
3720 8 s_load_dwordx2 s[0:1], s[0:1], 0x0
3728 4 s_bcnt1_i32_b64 s2, s[2:3]
372c 4 v_mov_b32_e32 v0, 0
3730 4 v_mov_b32_e32 v1, s2
3734 4 s_waitcnt lgkmcnt(0)
3738 8 global_atomic_add v0, v1, s[0:1]
3740 4 s_endpgm
3744 4 s_nop 0
3748 4 s_nop 0
374c 4 s_nop 0
3750 4 s_nop 0
3754 4 s_nop 0
3758 4 s_nop 0
375c 4 s_nop 0
3760 4 s_nop 0
3764 4 s_nop 0
3768 4 s_nop 0
376c 4 s_nop 0
3770 4 s_nop 0
3774 4 s_nop 0
3778 4 s_nop 0
377c 4 s_nop 0
3780 4 s_nop 0
3784 4 s_nop 0
3788 4 s_nop 0
378c 4 s_nop 0
3790 4 s_nop 0
3794 4 s_nop 0
3798 4 s_nop 0
379c 4 s_nop 0
37a0 4 s_nop 0
37a4 4 s_nop 0
37a8 4 s_nop 0
37ac 4 s_nop 0
37b0 4 s_nop 0
37b4 4 s_nop 0
37b8 4 s_nop 0
37bc 4 s_nop 0
37c0 4 s_nop 0
37c4 4 s_nop 0
37c8 4 s_nop 0
37cc 4 s_nop 0
37d0 4 s_nop 0
37d4 4 s_nop 0
37d8 4 s_nop 0
37dc 4 s_nop 0
37e0 4 s_nop 0
37e4 4 s_nop 0
37e8 4 s_nop 0
37ec 4 s_nop 0
37f0 4 s_nop 0
37f4 4 s_nop 0
37f8 4 s_nop 0
37fc 4 s_nop 0
lds_unwritten:
3800 4 v_cmp_gt_u32_e32 vcc, 64, v0
3804 4 v_lshlrev_b32_e32 v0, 2, v0
3808 4 s_and_saveexec_b64 s[2:3], vcc
380c 4 s_cbranch_execz 6 => 3828
3810 4 s_mov_b64 s[4:5], src_shared_base
3814 4 v_mov_b32_e32 v1, s5
3818 4 v_mov_b32_e32 v2, 1
381c 8 flat_store_dword v[0:1], v2 sc0 sc1
3824 4 s_waitcnt vmcnt(0)
3828 4 s_or_b64 exec, exec, s[2:3]
382c 4 s_mov_b64 s[2:3], src_shared_base
3830 4 v_mov_b32_e32 v1, s3
3834 4 s_waitcnt lgkmcnt(0)
3838 4 s_barrier
383c 8 flat_load_dword v1, v[0:1] sc0 sc1
3844 4 s_waitcnt vmcnt(0)
3848 8 s_load_dwordx2 s[0:1], s[0:1], 0x8
3850 4 s_waitcnt lgkmcnt(0)
3854 8 global_store_dword v0, v1, s[0:1]
385c 4 s_endpgm
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
scratch_unwritten:
3900 4 s_mov_b64 s[2:3], src_private_base
3904 4 v_and_b32_e32 v1, 31, v0
3908 4 s_mov_b32 s2, 0
390c 8 v_lshl_add_u32 v2, v1, 2, s2
3914 4 s_movk_i32 s2, 0x46
3918 4 v_mov_b32_e32 v3, s3
391c 4 v_mov_b32_e32 v1, 1
3920 4 v_cmp_eq_u32_e32 vcc, s2, v0
3924 8 flat_store_dword v[2:3], v1 sc0 sc1
392c 4 s_waitcnt vmcnt(0)
3930 8 s_load_dwordx2 s[0:1], s[0:1], 0x8
3938 8 v_cndmask_b32_e64 v1, 0, 4, vcc
3940 4 v_add_u32_e32 v2, v2, v1
3944 8 flat_load_dword v1, v[2:3] sc0 sc1
394c 4 s_waitcnt vmcnt(0)
3950 4 v_lshlrev_b32_e32 v0, 2, v0
3954 4 s_waitcnt lgkmcnt(0)
3958 8 global_store_dword v0, v1, s[0:1]
3960 4 s_endpgm
3964 4 s_nop 0
3968 4 s_nop 0
396c 4 s_nop 0
3970 4 s_nop 0
3974 4 s_nop 0
3978 4 s_nop 0
397c 4 s_nop 0
3980 4 s_nop 0
3984 4 s_nop 0
3988 4 s_nop 0
398c 4 s_nop 0
3990 4 s_nop 0
3994 4 s_nop 0
3998 4 s_nop 0
399c 4 s_nop 0
39a0 4 s_nop 0
39a4 4 s_nop 0
39a8 4 s_nop 0
39ac 4 s_nop 0
39b0 4 s_nop 0
39b4 4 s_nop 0
39b8 4 s_nop 0
39bc 4 s_nop 0
39c0 4 s_nop 0
39c4 4 s_nop 0
39c8 4 s_nop 0
39cc 4 s_nop 0
39d0 4 s_nop 0
39d4 4 s_nop 0
39d8 4 s_nop 0
39dc 4 s_nop 0
39e0 4 s_nop 0
39e4 4 s_nop 0
39e8 4 s_nop 0
39ec 4 s_nop 0
39f0 4 s_nop 0
39f4 4 s_nop 0
39f8 4 s_nop 0
39fc 4 s_nop 0
staged_unwritten:
3a00 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
3a08 4 v_and_b32_e32 v1, 64, v0
3a0c 4 s_mov_b64 s[4:5], src_shared_base
3a10 4 v_lshlrev_b32_e32 v1, 2, v1
3a14 4 v_lshlrev_b32_e32 v2, 2, v0
3a18 4 v_readfirstlane_b32 s4, v1
3a1c 4 s_mov_b32 m0, s4
3a20 8 v_sub_u32_e32 v0, 0x1fc, v2
3a28 4 v_mov_b32_e32 v1, s5
3a2c 4 s_waitcnt lgkmcnt(0)
3a30 8 global_load_lds_dword v2, s[0:1]
3a38 4 s_waitcnt vmcnt(0)
3a3c 4 s_barrier
3a40 8 flat_load_dword v0, v[0:1] sc0 sc1
3a48 4 s_waitcnt vmcnt(0) lgkmcnt(0)
3a4c 8 global_store_dword v2, v0, s[2:3]
3a54 4 s_endpgm
3a58 4 s_nop 0
3a5c 4 s_nop 0
3a60 4 s_nop 0
3a64 4 s_nop 0
3a68 4 s_nop 0
3a6c 4 s_nop 0
3a70 4 s_nop 0
3a74 4 s_nop 0
3a78 4 s_nop 0
3a7c 4 s_nop 0
3a80 4 s_nop 0
3a84 4 s_nop 0
3a88 4 s_nop 0
3a8c 4 s_nop 0
3a90 4 s_nop 0
3a94 4 s_nop 0
3a98 4 s_nop 0
3a9c 4 s_nop 0
3aa0 4 s_nop 0
3aa4 4 s_nop 0
3aa8 4 s_nop 0
3aac 4 s_nop 0
3ab0 4 s_nop 0
3ab4 4 s_nop 0
3ab8 4 s_nop 0
3abc 4 s_nop 0
3ac0 4 s_nop 0
3ac4 4 s_nop 0
3ac8 4 s_nop 0
3acc 4 s_nop 0
3ad0 4 s_nop 0
3ad4 4 s_nop 0
3ad8 4 s_nop 0
3adc 4 s_nop 0
3ae0 4 s_nop 0
3ae4 4 s_nop 0
3ae8 4 s_nop 0
3aec 4 s_nop 0
3af0 4 s_nop 0
3af4 4 s_nop 0
3af8 4 s_nop 0
3afc 4 s_nop 0
drops_unwritten:
3b00 4 s_mov_b64 s[4:5], src_shared_base
3b04 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
3b0c 4 v_lshlrev_b32_e32 v2, 2, v0
3b10 4 s_waitcnt lgkmcnt(0)
3b14 8 global_load_dword v1, v2, s[0:1]
3b1c 4 s_waitcnt vmcnt(0)
3b20 8 v_mov_b32_dpp v3, v1 row_shl:1 row_mask:0xf bank_mask:0xf
3b28 4 v_cmp_gt_u32_e32 vcc, 64, v0
3b2c 8 v_mad_u64_u32 v[4:5], s[0:1], v1, 3, 1
3b34 4 v_mov_b32_e32 v3, s5
3b38 8 flat_store_dword v[2:3], v4 sc0 sc1
3b40 4 s_waitcnt vmcnt(0) lgkmcnt(0)
3b44 4 s_barrier
3b48 8 flat_load_dword v1, v[2:3] sc0 sc1
3b50 4 s_waitcnt vmcnt(0) lgkmcnt(0)
3b54 4 v_cndmask_b32_e32 v0, 7, v1, vcc
3b58 8 global_store_dword v2, v0, s[2:3]
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
3c00 4 s_nop 0
3c04 4 s_nop 0
3c08 4 s_nop 0
3c0c 4 s_nop 0
3c10 4 s_nop 0
3c14 4 s_nop 0
3c18 4 s_nop 0
3c1c 4 s_nop 0
3c20 4 s_nop 0
3c24 4 s_nop 0
3c28 4 s_nop 0
3c2c 4 s_nop 0
3c30 4 s_nop 0
3c34 4 s_nop 0
3c38 4 s_nop 0
3c3c 4 s_nop 0
3c40 4 s_nop 0
3c44 4 s_nop 0
3c48 4 s_nop 0
3c4c 4 s_nop 0
3c50 4 s_nop 0
3c54 4 s_nop 0
3c58 4 s_nop 0
3c5c 4 s_nop 0
3c60 4 s_nop 0
3c64 4 s_nop 0
3c68 4 s_nop 0
3c6c 4 s_nop 0
3c70 4 s_nop 0
3c74 4 s_nop 0
3c78 4 s_nop 0
3c7c 4 s_nop 0
3c80 4 s_nop 0
3c84 4 s_nop 0
3c88 4 s_nop 0
3c8c 4 s_nop 0
3c90 4 s_nop 0
3c94 4 s_nop 0
3c98 4 s_nop 0
3c9c 4 s_nop 0
3ca0 4 s_nop 0
3ca4 4 s_nop 0
3ca8 4 s_nop 0
3cac 4 s_nop 0
3cb0 4 s_nop 0
3cb4 4 s_nop 0
3cb8 4 s_nop 0
3cbc 4 s_nop 0
3cc0 4 s_nop 0
3cc4 4 s_nop 0
3cc8 4 s_nop 0
3ccc 4 s_nop 0
3cd0 4 s_nop 0
3cd4 4 s_nop 0
3cd8 4 s_nop 0
3cdc 4 s_nop 0
3ce0 4 s_nop 0
3ce4 4 s_nop 0
3ce8 4 s_nop 0
3cec 4 s_nop 0
3cf0 4 s_nop 0
3cf4 4 s_nop 0
3cf8 4 s_nop 0
3cfc 4 s_nop 0
3d00 4 s_nop 0
3d04 4 s_nop 0
3d08 4 s_nop 0
3d0c 4 s_nop 0
3d10 4 s_nop 0
3d14 4 s_nop 0
3d18 4 s_nop 0
3d1c 4 s_nop 0
3d20 4 s_nop 0
3d24 4 s_nop 0
3d28 4 s_nop 0
3d2c 4 s_nop 0
3d30 4 s_nop 0
3d34 4 s_nop 0
3d38 4 s_nop 0
3d3c 4 s_nop 0
3d40 4 s_nop 0
3d44 4 s_nop 0
3d48 4 s_nop 0
3d4c 4 s_nop 0
3d50 4 s_nop 0
3d54 4 s_nop 0
3d58 4 s_nop 0
3d5c 4 s_nop 0
3d60 4 s_nop 0
3d64 4 s_nop 0
3d68 4 s_nop 0
3d6c 4 s_nop 0
3d70 4 s_nop 0
3d74 4 s_nop 0
3d78 4 s_nop 0
3d7c 4 s_nop 0
3d80 4 s_nop 0
3d84 4 s_nop 0
3d88 4 s_nop 0
3d8c 4 s_nop 0
3d90 4 s_nop 0
3d94 4 s_nop 0
3d98 4 s_nop 0
3d9c 4 s_nop 0
3da0 4 s_nop 0
3da4 4 s_nop 0
3da8 4 s_nop 0
3dac 4 s_nop 0
3db0 4 s_nop 0
3db4 4 s_nop 0
3db8 4 s_nop 0
3dbc 4 s_nop 0
3dc0 4 s_nop 0
3dc4 4 s_nop 0
3dc8 4 s_nop 0
3dcc 4 s_nop 0
3dd0 4 s_nop 0
3dd4 4 s_nop 0
3dd8 4 s_nop 0
3ddc 4 s_nop 0
3de0 4 s_nop 0
3de4 4 s_nop 0
3de8 4 s_nop 0
3dec 4 s_nop 0
3df0 4 s_nop 0
3df4 4 s_nop 0
3df8 4 s_nop 0
3dfc 4 s_nop 0
3e00 4 s_nop 0
3e04 4 s_nop 0
3e08 4 s_nop 0
3e0c 4 s_nop 0
3e10 4 s_nop 0
3e14 4 s_nop 0
3e18 4 s_nop 0
3e1c 4 s_nop 0
3e20 4 s_nop 0
3e24 4 s_nop 0
3e28 4 s_nop 0
3e2c 4 s_nop 0
3e30 4 s_nop 0
3e34 4 s_nop 0
3e38 4 s_nop 0
3e3c 4 s_nop 0
3e40 4 s_nop 0
3e44 4 s_nop 0
3e48 4 s_nop 0
3e4c 4 s_nop 0
3e50 4 s_nop 0
3e54 4 s_nop 0
3e58 4 s_nop 0
3e5c 4 s_nop 0
3e60 4 s_nop 0
3e64 4 s_nop 0
3e68 4 s_nop 0
3e6c 4 s_nop 0
3e70 4 s_nop 0
3e74 4 s_nop 0
3e78 4 s_nop 0
3e7c 4 s_nop 0
3e80 4 s_nop 0
3e84 4 s_nop 0
3e88 4 s_nop 0
3e8c 4 s_nop 0
3e90 4 s_nop 0
3e94 4 s_nop 0
3e98 4 s_nop 0
3e9c 4 s_nop 0
3ea0 4 s_nop 0
3ea4 4 s_nop 0
3ea8 4 s_nop 0
3eac 4 s_nop 0
3eb0 4 s_nop 0
3eb4 4 s_nop 0
3eb8 4 s_nop 0
3ebc 4 s_nop 0
3ec0 4 s_nop 0
3ec4 4 s_nop 0
3ec8 4 s_nop 0
3ecc 4 s_nop 0
3ed0 4 s_nop 0
3ed4 4 s_nop 0
3ed8 4 s_nop 0
3edc 4 s_nop 0
3ee0 4 s_nop 0
3ee4 4 s_nop 0
3ee8 4 s_nop 0
3eec 4 s_nop 0
3ef0 4 s_nop 0
3ef4 4 s_nop 0
3ef8 4 s_nop 0
3efc 4 s_nop 0
3f00 4 s_nop 0
3f04 4 s_nop 0
3f08 4 s_nop 0
3f0c 4 s_nop 0
3f10 4 s_nop 0
3f14 4 s_nop 0
3f18 4 s_nop 0
3f1c 4 s_nop 0
3f20 4 s_nop 0
3f24 4 s_nop 0
3f28 4 s_nop 0
3f2c 4 s_nop 0
3f30 4 s_nop 0
3f34 4 s_nop 0
3f38 4 s_nop 0
3f3c 4 s_nop 0
3f40 4 s_nop 0
3f44 4 s_nop 0
3f48 4 s_nop 0
3f4c 4 s_nop 0
3f50 4 s_nop 0
3f54 4 s_nop 0
3f58 4 s_nop 0
3f5c 4 s_nop 0
3f60 4 s_nop 0
3f64 4 s_nop 0
3f68 4 s_nop 0
3f6c 4 s_nop 0
3f70 4 s_nop 0
3f74 4 s_nop 0
3f78 4 s_nop 0
3f7c 4 s_nop 0
