missing_barrier:
2e00 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
2e08 4 v_lshlrev_b32_e32 v0, 2, v0
2e0c 4 v_sub_u32_e32 v1, 0, v0
2e10 4 s_waitcnt lgkmcnt(0)
2e14 8 global_load_dword v2, v0, s[0:1]
2e1c 4 s_waitcnt vmcnt(0)
2e20 8 ds_write_b32 v0, v2
2e28 8 ds_read_b32 v1, v1 offset:508
2e30 4 s_waitcnt lgkmcnt(0)
2e34 8 global_store_dword v0, v1, s[2:3]
2e3c 4 s_endpgm
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
missing_wait:
2f00 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
2f08 4 v_lshlrev_b32_e32 v0, 2, v0
2f0c 4 s_waitcnt lgkmcnt(0)
2f10 8 global_load_dword v1, v0, s[0:1]
2f18 4 v_add_u32_e32 v1, 1, v1
2f1c 8 global_store_dword v0, v1, s[2:3]
2f24 4 s_endpgm
2f28 4 s_nop 0
2f2c 4 s_nop 0
2f30 4 s_nop 0
2f34 4 s_nop 0
2f38 4 s_nop 0
2f3c 4 s_nop 0
2f40 4 s_nop 0
2f44 4 s_nop 0
2f48 4 s_nop 0
2f4c 4 s_nop 0
2f50 4 s_nop 0
2f54 4 s_nop 0
2f58 4 s_nop 0
2f5c 4 s_nop 0
2f60 4 s_nop 0
2f64 4 s_nop 0
2f68 4 s_nop 0
2f6c 4 s_nop 0
2f70 4 s_nop 0
2f74 4 s_nop 0
2f78 4 s_nop 0
2f7c 4 s_nop 0
2f80 4 s_nop 0
2f84 4 s_nop 0
2f88 4 s_nop 0
2f8c 4 s_nop 0
2f90 4 s_nop 0
2f94 4 s_nop 0
2f98 4 s_nop 0
2f9c 4 s_nop 0
2fa0 4 s_nop 0
2fa4 4 s_nop 0
2fa8 4 s_nop 0
2fac 4 s_nop 0
2fb0 4 s_nop 0
2fb4 4 s_nop 0
2fb8 4 s_nop 0
2fbc 4 s_nop 0
2fc0 4 s_nop 0
2fc4 4 s_nop 0
2fc8 4 s_nop 0
2fcc 4 s_nop 0
2fd0 4 s_nop 0
2fd4 4 s_nop 0
2fd8 4 s_nop 0
2fdc 4 s_nop 0
2fe0 4 s_nop 0
2fe4 4 s_nop 0
2fe8 4 s_nop 0
2fec 4 s_nop 0
2ff0 4 s_nop 0
2ff4 4 s_nop 0
2ff8 4 s_nop 0
2ffc 4 s_nop 0
lds_overflow:
3000 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
3008 4 v_lshlrev_b32_e32 v0, 2, v0
300c 4 v_mov_b32_e32 v2, 1
3010 4 s_waitcnt lgkmcnt(0)
3014 8 global_load_dword v1, v0, s[0:1]
301c 4 s_waitcnt vmcnt(0)
3020 8 v_lshl_add_u32 v1, v1, 2, v0
3028 8 ds_write_b32 v1, v2
3030 4 s_waitcnt lgkmcnt(0)
3034 4 s_barrier
3038 8 ds_read_b32 v1, v0
3040 4 s_waitcnt lgkmcnt(0)
3044 8 global_store_dword v0, v1, s[2:3]
304c 4 s_endpgm
3050 4 s_nop 0
3054 4 s_nop 0
3058 4 s_nop 0
305c 4 s_nop 0
3060 4 s_nop 0
3064 4 s_nop 0
3068 4 s_nop 0
306c 4 s_nop 0
3070 4 s_nop 0
3074 4 s_nop 0
3078 4 s_nop 0
307c 4 s_nop 0
3080 4 s_nop 0
3084 4 s_nop 0
3088 4 s_nop 0
308c 4 s_nop 0
3090 4 s_nop 0
3094 4 s_nop 0
3098 4 s_nop 0
309c 4 s_nop 0
30a0 4 s_nop 0
30a4 4 s_nop 0
30a8 4 s_nop 0
30ac 4 s_nop 0
30b0 4 s_nop 0
30b4 4 s_nop 0
30b8 4 s_nop 0
30bc 4 s_nop 0
30c0 4 s_nop 0
30c4 4 s_nop 0
30c8 4 s_nop 0
30cc 4 s_nop 0
30d0 4 s_nop 0
30d4 4 s_nop 0
30d8 4 s_nop 0
30dc 4 s_nop 0
30e0 4 s_nop 0
30e4 4 s_nop 0
30e8 4 s_nop 0
30ec 4 s_nop 0
30f0 4 s_nop 0
30f4 4 s_nop 0
30f8 4 s_nop 0
30fc 4 s_nop 0
load_not_waited_for:
3100 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
3108 4 v_and_b32_e32 v1, 64, v0
310c 4 v_lshlrev_b32_e32 v1, 2, v1
3110 4 v_lshlrev_b32_e32 v0, 2, v0
3114 4 v_readfirstlane_b32 s4, v1
3118 4 s_mov_b32 m0, s4
311c 8 v_sub_u32_e32 v1, 0x1fc, v0
3124 4 s_waitcnt lgkmcnt(0)
3128 8 global_load_lds_dword v0, s[0:1]
3130 4 s_barrier
3134 8 ds_read_b32 v2, v1
313c 4 s_waitcnt lgkmcnt(0)
3140 8 global_store_dword v0, v2, s[2:3]
3148 4 s_endpgm
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
wait_behind_the_barrier:
3200 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
3208 4 v_and_b32_e32 v1, 64, v0
320c 4 v_lshlrev_b32_e32 v1, 2, v1
3210 4 v_lshlrev_b32_e32 v0, 2, v0
3214 4 v_readfirstlane_b32 s4, v1
3218 4 s_mov_b32 m0, s4
321c 8 v_sub_u32_e32 v1, 0x1fc, v0
3224 4 s_waitcnt lgkmcnt(0)
3228 8 global_load_lds_dword v0, s[0:1]
3230 4 s_barrier
3234 4 s_waitcnt vmcnt(0)
3238 8 ds_read_b32 v2, v1
3240 4 s_waitcnt lgkmcnt(0)
3244 8 global_store_dword v0, v2, s[2:3]
324c 4 s_endpgm
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
waited_and_synchronized:
3300 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
3308 4 v_and_b32_e32 v1, 64, v0
330c 4 v_lshlrev_b32_e32 v1, 2, v1
3310 4 v_lshlrev_b32_e32 v0, 2, v0
3314 4 v_readfirstlane_b32 s4, v1
3318 4 s_mov_b32 m0, s4
331c 8 v_sub_u32_e32 v1, 0x1fc, v0
3324 4 s_waitcnt lgkmcnt(0)
3328 8 global_load_lds_dword v0, s[0:1]
3330 4 s_waitcnt vmcnt(0)
3334 4 s_barrier
3338 8 ds_read_b32 v2, v1
3340 4 s_waitcnt lgkmcnt(0)
3344 8 global_store_dword v0, v2, s[2:3]
334c 4 s_endpgm
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
never_ends:
3400 8 s_load_dwordx2 s[0:1], s[0:1], 0x0
3408 4 v_mov_b32_e32 v0, 0
340c 4 s_waitcnt lgkmcnt(0)
3410 8 global_load_dword v1, v0, s[0:1] sc1
3418 4 s_waitcnt vmcnt(0)
341c 4 v_cmp_eq_u32_e32 vcc, 0, v1
3420 4 s_cbranch_vccnz 65530 => 340c
3424 4 s_endpgm
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
divergent_barrier:
3500 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
3508 4 v_lshlrev_b32_e32 v1, 2, v0
350c 4 s_waitcnt lgkmcnt(0)
3510 8 global_load_dword v2, v1, s[0:1]
3518 4 s_waitcnt vmcnt(0)
351c 8 ds_write_b32 v1, v2
3524 4 v_and_b32_e32 v2, 1, v2
3528 4 v_cmp_eq_u32_e32 vcc, 1, v2
352c 4 s_and_saveexec_b64 s[0:1], vcc
3530 4 s_cbranch_execz 8 => 3554
3534 4 s_waitcnt lgkmcnt(0)
3538 4 s_barrier
353c 8 ds_read_b32 v2, v1
3544 4 s_waitcnt lgkmcnt(0)
3548 4 v_add_u32_e32 v2, 1, v2
354c 8 ds_write_b32 v1, v2
3554 4 s_or_b64 exec, exec, s[0:1]
3558 4 v_lshlrev_b32_e32 v0, 2, v0
355c 4 v_sub_u32_e32 v1, 0, v0
3560 4 s_waitcnt lgkmcnt(0)
3564 4 s_barrier
3568 8 ds_read_b32 v1, v1 offset:508
3570 4 s_waitcnt lgkmcnt(0)
3574 8 global_store_dword v0, v1, s[2:3]
357c 4 s_endpgm
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
early_return:
3600 4 v_and_b32_e32 v1, 1, v0
3604 4 v_cmp_eq_u32_e32 vcc, 0, v1
3608 4 s_and_saveexec_b64 s[2:3], vcc
360c 4 s_cbranch_execz 21 => 3664
3610 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
3618 4 v_lshlrev_b32_e32 v0, 2, v0
361c 4 v_sub_u32_e32 v1, 0, v0
3620 4 s_waitcnt lgkmcnt(0)
3624 8 global_load_dword v2, v0, s[0:1]
362c 4 s_waitcnt vmcnt(0)
3630 8 ds_write_b32 v0, v2
3638 4 s_waitcnt lgkmcnt(0)
363c 4 s_barrier
3640 8 ds_read_b32 v2, v1 offset:504
3648 4 v_mov_b32_e32 v1, 0
364c 4 s_waitcnt lgkmcnt(0)
3650 8 global_store_dword v0, v2, s[2:3]
3658 4 s_barrier
365c 8 ds_write_b32 v0, v1
3664 4 s_endpgm
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
3700 4 s_nop 0
3704 4 s_nop 0
3708 4 s_nop 0
370c 4 s_nop 0
3710 4 s_nop 0
3714 4 s_nop 0
3718 4 s_nop 0
371c 4 s_nop 0
3720 4 s_nop 0
3724 4 s_nop 0
3728 4 s_nop 0
372c 4 s_nop 0
3730 4 s_nop 0
3734 4 s_nop 0
3738 4 s_nop 0
373c 4 s_nop 0
3740 4 s_nop 0
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
3800 4 s_nop 0
3804 4 s_nop 0
3808 4 s_nop 0
380c 4 s_nop 0
3810 4 s_nop 0
3814 4 s_nop 0
3818 4 s_nop 0
381c 4 s_nop 0
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
3900 4 s_nop 0
3904 4 s_nop 0
3908 4 s_nop 0
390c 4 s_nop 0
3910 4 s_nop 0
3914 4 s_nop 0
3918 4 s_nop 0
391c 4 s_nop 0
3920 4 s_nop 0
3924 4 s_nop 0
3928 4 s_nop 0
392c 4 s_nop 0
3930 4 s_nop 0
3934 4 s_nop 0
3938 4 s_nop 0
393c 4 s_nop 0
3940 4 s_nop 0
3944 4 s_nop 0
3948 4 s_nop 0
394c 4 s_nop 0
3950 4 s_nop 0
3954 4 s_nop 0
3958 4 s_nop 0
395c 4 s_nop 0
3960 4 s_nop 0
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
3a00 4 s_nop 0
3a04 4 s_nop 0
3a08 4 s_nop 0
3a0c 4 s_nop 0
3a10 4 s_nop 0
3a14 4 s_nop 0
3a18 4 s_nop 0
3a1c 4 s_nop 0
3a20 4 s_nop 0
3a24 4 s_nop 0
3a28 4 s_nop 0
3a2c 4 s_nop 0
3a30 4 s_nop 0
3a34 4 s_nop 0
3a38 4 s_nop 0
3a3c 4 s_nop 0
3a40 4 s_nop 0
3a44 4 s_nop 0
3a48 4 s_nop 0
3a4c 4 s_nop 0
3a50 4 s_nop 0
3a54 4 s_nop 0
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
3a80 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3a84 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3a88 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3a8c 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3a90 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3a94 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3a98 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3a9c 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3aa0 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3aa4 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3aa8 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3aac 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3ab0 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3ab4 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3ab8 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3abc 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3ac0 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3ac4 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3ac8 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3acc 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3ad0 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3ad4 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3ad8 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3adc 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3ae0 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3ae4 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3ae8 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3aec 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3af0 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3af4 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3af8 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3afc 4 v_cndmask_b32_e32 v0, s0, v0, vcc
traps:
3b00 8 s_load_dwordx2 s[0:1], s[0:1], 0x0
3b08 4 v_mov_b32_e32 v0, 0
3b0c 4 v_mov_b32_e32 v1, 1
3b10 4 s_waitcnt lgkmcnt(0)
3b14 8 global_store_dword v0, v1, s[0:1]
3b1c 4 s_trap 2
