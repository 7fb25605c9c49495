missing_barrier:
2800 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
2808 4 v_lshlrev_b32_e32 v0, 2, v0
280c 4 v_sub_u32_e32 v1, 0, v0
2810 4 s_waitcnt lgkmcnt(0)
2814 8 global_load_dword v2, v0, s[0:1]
281c 4 s_waitcnt vmcnt(0)
2820 8 ds_write_b32 v0, v2
2828 8 ds_read_b32 v1, v1 offset:508
2830 4 s_waitcnt lgkmcnt(0)
2834 8 global_store_dword v0, v1, s[2:3]
283c 4 s_endpgm
2840 4 s_nop 0
2844 4 s_nop 0
2848 4 s_nop 0
284c 4 s_nop 0
2850 4 s_nop 0
2854 4 s_nop 0
2858 4 s_nop 0
285c 4 s_nop 0
2860 4 s_nop 0
2864 4 s_nop 0
2868 4 s_nop 0
286c 4 s_nop 0
2870 4 s_nop 0
2874 4 s_nop 0
2878 4 s_nop 0
287c 4 s_nop 0
2880 4 s_nop 0
2884 4 s_nop 0
2888 4 s_nop 0
288c 4 s_nop 0
2890 4 s_nop 0
2894 4 s_nop 0
2898 4 s_nop 0
289c 4 s_nop 0
28a0 4 s_nop 0
28a4 4 s_nop 0
28a8 4 s_nop 0
28ac 4 s_nop 0
28b0 4 s_nop 0
28b4 4 s_nop 0
28b8 4 s_nop 0
28bc 4 s_nop 0
28c0 4 s_nop 0
28c4 4 s_nop 0
28c8 4 s_nop 0
28cc 4 s_nop 0
28d0 4 s_nop 0
28d4 4 s_nop 0
28d8 4 s_nop 0
28dc 4 s_nop 0
28e0 4 s_nop 0
28e4 4 s_nop 0
28e8 4 s_nop 0
28ec 4 s_nop 0
28f0 4 s_nop 0
28f4 4 s_nop 0
28f8 4 s_nop 0
28fc 4 s_nop 0
missing_wait:
2900 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
2908 4 v_lshlrev_b32_e32 v0, 2, v0
290c 4 s_waitcnt lgkmcnt(0)
2910 8 global_load_dword v1, v0, s[0:1]
2918 4 v_add_u32_e32 v1, 1, v1
291c 8 global_store_dword v0, v1, s[2:3]
2924 4 s_endpgm
2928 4 s_nop 0
292c 4 s_nop 0
2930 4 s_nop 0
2934 4 s_nop 0
2938 4 s_nop 0
293c 4 s_nop 0
2940 4 s_nop 0
2944 4 s_nop 0
2948 4 s_nop 0
294c 4 s_nop 0
2950 4 s_nop 0
2954 4 s_nop 0
2958 4 s_nop 0
295c 4 s_nop 0
2960 4 s_nop 0
2964 4 s_nop 0
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
lds_overflow:
2a00 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
2a08 4 v_lshlrev_b32_e32 v0, 2, v0
2a0c 4 v_mov_b32_e32 v2, 1
2a10 4 s_waitcnt lgkmcnt(0)
2a14 8 global_load_dword v1, v0, s[0:1]
2a1c 4 s_waitcnt vmcnt(0)
2a20 8 v_lshl_add_u32 v1, v1, 2, v0
2a28 8 ds_write_b32 v1, v2
2a30 4 s_waitcnt lgkmcnt(0)
2a34 4 s_barrier
2a38 8 ds_read_b32 v1, v0
2a40 4 s_waitcnt lgkmcnt(0)
2a44 8 global_store_dword v0, v1, s[2:3]
2a4c 4 s_endpgm
2a50 4 s_nop 0
2a54 4 s_nop 0
2a58 4 s_nop 0
2a5c 4 s_nop 0
2a60 4 s_nop 0
2a64 4 s_nop 0
2a68 4 s_nop 0
2a6c 4 s_nop 0
2a70 4 s_nop 0
2a74 4 s_nop 0
2a78 4 s_nop 0
2a7c 4 s_nop 0
2a80 4 s_nop 0
2a84 4 s_nop 0
2a88 4 s_nop 0
2a8c 4 s_nop 0
2a90 4 s_nop 0
2a94 4 s_nop 0
2a98 4 s_nop 0
2a9c 4 s_nop 0
2aa0 4 s_nop 0
2aa4 4 s_nop 0
2aa8 4 s_nop 0
2aac 4 s_nop 0
2ab0 4 s_nop 0
2ab4 4 s_nop 0
2ab8 4 s_nop 0
2abc 4 s_nop 0
2ac0 4 s_nop 0
2ac4 4 s_nop 0
2ac8 4 s_nop 0
2acc 4 s_nop 0
2ad0 4 s_nop 0
2ad4 4 s_nop 0
2ad8 4 s_nop 0
2adc 4 s_nop 0
2ae0 4 s_nop 0
2ae4 4 s_nop 0
2ae8 4 s_nop 0
2aec 4 s_nop 0
2af0 4 s_nop 0
2af4 4 s_nop 0
2af8 4 s_nop 0
2afc 4 s_nop 0
load_not_waited_for:
2b00 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
2b08 4 v_and_b32_e32 v1, 64, v0
2b0c 4 v_lshlrev_b32_e32 v1, 2, v1
2b10 4 v_lshlrev_b32_e32 v0, 2, v0
2b14 4 v_readfirstlane_b32 s4, v1
2b18 4 s_mov_b32 m0, s4
2b1c 8 v_sub_u32_e32 v1, 0x1fc, v0
2b24 4 s_waitcnt lgkmcnt(0)
2b28 8 global_load_lds_dword v0, s[0:1]
2b30 4 s_barrier
2b34 8 ds_read_b32 v2, v1
2b3c 4 s_waitcnt lgkmcnt(0)
2b40 8 global_store_dword v0, v2, s[2:3]
2b48 4 s_endpgm
2b4c 4 s_nop 0
2b50 4 s_nop 0
2b54 4 s_nop 0
2b58 4 s_nop 0
2b5c 4 s_nop 0
2b60 4 s_nop 0
2b64 4 s_nop 0
2b68 4 s_nop 0
2b6c 4 s_nop 0
2b70 4 s_nop 0
2b74 4 s_nop 0
2b78 4 s_nop 0
2b7c 4 s_nop 0
2b80 4 s_nop 0
2b84 4 s_nop 0
2b88 4 s_nop 0
2b8c 4 s_nop 0
2b90 4 s_nop 0
2b94 4 s_nop 0
2b98 4 s_nop 0
2b9c 4 s_nop 0
2ba0 4 s_nop 0
2ba4 4 s_nop 0
2ba8 4 s_nop 0
2bac 4 s_nop 0
2bb0 4 s_nop 0
2bb4 4 s_nop 0
2bb8 4 s_nop 0
2bbc 4 s_nop 0
2bc0 4 s_nop 0
2bc4 4 s_nop 0
2bc8 4 s_nop 0
2bcc 4 s_nop 0
2bd0 4 s_nop 0
2bd4 4 s_nop 0
2bd8 4 s_nop 0
2bdc 4 s_nop 0
2be0 4 s_nop 0
2be4 4 s_nop 0
2be8 4 s_nop 0
2bec 4 s_nop 0
2bf0 4 s_nop 0
2bf4 4 s_nop 0
2bf8 4 s_nop 0
2bfc 4 s_nop 0
wait_behind_the_barrier:
2c00 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
2c08 4 v_and_b32_e32 v1, 64, v0
2c0c 4 v_lshlrev_b32_e32 v1, 2, v1
2c10 4 v_lshlrev_b32_e32 v0, 2, v0
2c14 4 v_readfirstlane_b32 s4, v1
2c18 4 s_mov_b32 m0, s4
2c1c 8 v_sub_u32_e32 v1, 0x1fc, v0
2c24 4 s_waitcnt lgkmcnt(0)
2c28 8 global_load_lds_dword v0, s[0:1]
2c30 4 s_barrier
2c34 4 s_waitcnt vmcnt(0)
2c38 8 ds_read_b32 v2, v1
2c40 4 s_waitcnt lgkmcnt(0)
2c44 8 global_store_dword v0, v2, s[2:3]
2c4c 4 s_endpgm
2c50 4 s_nop 0
2c54 4 s_nop 0
2c58 4 s_nop 0
2c5c 4 s_nop 0
2c60 4 s_nop 0
2c64 4 s_nop 0
2c68 4 s_nop 0
2c6c 4 s_nop 0
2c70 4 s_nop 0
2c74 4 s_nop 0
2c78 4 s_nop 0
2c7c 4 s_nop 0
2c80 4 s_nop 0
2c84 4 s_nop 0
2c88 4 s_nop 0
2c8c 4 s_nop 0
2c90 4 s_nop 0
2c94 4 s_nop 0
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
waited_and_synchronized:
2d00 8 s_load_dwordx4 s[0:3], s[0:1], 0x0
2d08 4 v_and_b32_e32 v1, 64, v0
2d0c 4 v_lshlrev_b32_e32 v1, 2, v1
2d10 4 v_lshlrev_b32_e32 v0, 2, v0
2d14 4 v_readfirstlane_b32 s4, v1
2d18 4 s_mov_b32 m0, s4
2d1c 8 v_sub_u32_e32 v1, 0x1fc, v0
2d24 4 s_waitcnt lgkmcnt(0)
2d28 8 global_load_lds_dword v0, s[0:1]
2d30 4 s_waitcnt vmcnt(0)
2d34 4 s_barrier
2d38 8 ds_read_b32 v2, v1
2d40 4 s_waitcnt lgkmcnt(0)
2d44 8 global_store_dword v0, v2, s[2:3]
2d4c 4 s_endpgm
2d50 4 s_nop 0
2d54 4 s_nop 0
2d58 4 s_nop 0
2d5c 4 s_nop 0
2d60 4 s_nop 0
2d64 4 s_nop 0
2d68 4 s_nop 0
2d6c 4 s_nop 0
2d70 4 s_nop 0
2d74 4 s_nop 0
2d78 4 s_nop 0
2d7c 4 s_nop 0
2d80 4 s_nop 0
2d84 4 s_nop 0
2d88 4 s_nop 0
2d8c 4 s_nop 0
2d90 4 s_nop 0
2d94 4 s_nop 0
2d98 4 s_nop 0
2d9c 4 s_nop 0
2da0 4 s_nop 0
2da4 4 s_nop 0
2da8 4 s_nop 0
2dac 4 s_nop 0
2db0 4 s_nop 0
2db4 4 s_nop 0
2db8 4 s_nop 0
2dbc 4 s_nop 0
2dc0 4 s_nop 0
2dc4 4 s_nop 0
2dc8 4 s_nop 0
2dcc 4 s_nop 0
2dd0 4 s_nop 0
2dd4 4 s_nop 0
2dd8 4 s_nop 0
2ddc 4 s_nop 0
2de0 4 s_nop 0
2de4 4 s_nop 0
2de8 4 s_nop 0
2dec 4 s_nop 0
2df0 4 s_nop 0
2df4 4 s_nop 0
2df8 4 s_nop 0
2dfc 4 s_nop 0
never_ends:
2e00 8 s_load_dwordx2 s[0:1], s[0:1], 0x0
2e08 4 v_mov_b32_e32 v0, 0
2e0c 4 s_waitcnt lgkmcnt(0)
2e10 8 global_load_dword v1, v0, s[0:1] sc1
2e18 4 s_waitcnt vmcnt(0)
2e1c 4 v_cmp_eq_u32_e32 vcc, 0, v1
2e20 4 s_cbranch_vccnz 65530 => 2e0c
2e24 4 s_endpgm
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
2f00 4 s_nop 0
2f04 4 s_nop 0
2f08 4 s_nop 0
2f0c 4 s_nop 0
2f10 4 s_nop 0
2f14 4 s_nop 0
2f18 4 s_nop 0
2f1c 4 s_nop 0
2f20 4 s_nop 0
2f24 4 s_nop 0
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
3000 4 s_nop 0
3004 4 s_nop 0
3008 4 s_nop 0
300c 4 s_nop 0
3010 4 s_nop 0
3014 4 s_nop 0
3018 4 s_nop 0
301c 4 s_nop 0
3020 4 s_nop 0
3024 4 s_nop 0
3028 4 s_nop 0
302c 4 s_nop 0
3030 4 s_nop 0
3034 4 s_nop 0
3038 4 s_nop 0
303c 4 s_nop 0
3040 4 s_nop 0
3044 4 s_nop 0
3048 4 s_nop 0
304c 4 s_nop 0
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
3100 4 s_nop 0
3104 4 s_nop 0
3108 4 s_nop 0
310c 4 s_nop 0
3110 4 s_nop 0
3114 4 s_nop 0
3118 4 s_nop 0
311c 4 s_nop 0
3120 4 s_nop 0
3124 4 s_nop 0
3128 4 s_nop 0
312c 4 s_nop 0
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
3240 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3244 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3248 4 v_cndmask_b32_e32 v0, s0, v0, vcc
324c 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3250 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3254 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3258 4 v_cndmask_b32_e32 v0, s0, v0, vcc
325c 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3260 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3264 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3268 4 v_cndmask_b32_e32 v0, s0, v0, vcc
326c 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3270 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3274 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3278 4 v_cndmask_b32_e32 v0, s0, v0, vcc
327c 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3280 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3284 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3288 4 v_cndmask_b32_e32 v0, s0, v0, vcc
328c 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3290 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3294 4 v_cndmask_b32_e32 v0, s0, v0, vcc
3298 4 v_cndmask_b32_e32 v0, s0, v0, vcc
329c 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32a0 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32a4 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32a8 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32ac 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32b0 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32b4 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32b8 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32bc 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32c0 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32c4 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32c8 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32cc 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32d0 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32d4 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32d8 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32dc 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32e0 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32e4 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32e8 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32ec 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32f0 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32f4 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32f8 4 v_cndmask_b32_e32 v0, s0, v0, vcc
32fc 4 v_cndmask_b32_e32 v0, s0, v0, vcc
traps:
3300 8 s_load_dwordx2 s[0:1], s[0:1], 0x0
3308 4 v_mov_b32_e32 v0, 0
330c 4 v_mov_b32_e32 v1, 1
3310 4 s_waitcnt lgkmcnt(0)
3314 8 global_store_dword v0, v1, s[0:1]
331c 4 s_trap 2
