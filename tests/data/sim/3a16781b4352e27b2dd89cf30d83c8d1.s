gemm_bf16:
4700 8 s_load_dword s8, s[0:1], 0x18
4708 8 s_load_dwordx4 s[4:7], s[0:1], 0x0
4710 8 s_load_dwordx2 s[2:3], s[0:1], 0x10
4718 4 v_and_b32_e32 v1, 31, v0
471c 4 v_mov_b32_e32 v17, 0
4720 4 s_waitcnt lgkmcnt(0)
4724 4 s_cmp_lt_i32 s8, 1
4728 4 s_cbranch_scc1 47 => 47e8
472c 8 v_mul_lo_u32 v16, s8, v1
4734 8 v_lshlrev_b64 v[2:3], 1, v[16:17]
473c 4 v_lshrrev_b32_e32 v6, 1, v0
4740 8 v_lshl_add_u64 v[4:5], s[4:5], 0, v[2:3]
4748 8 v_and_b32_e32 v16, 0x1f0, v6
4750 8 v_lshl_add_u64 v[2:3], s[6:7], 0, v[2:3]
4758 8 v_lshl_add_u64 v[18:19], v[4:5], 0, v[16:17]
4760 8 v_lshl_add_u64 v[20:21], v[2:3], 0, v[16:17]
4768 4 s_mov_b32 s0, 0
476c 4 v_mov_b32_e32 v2, 0
4770 4 v_mov_b32_e32 v3, 0
4774 4 v_mov_b32_e32 v4, 0
4778 4 v_mov_b32_e32 v5, 0
477c 4 v_mov_b32_e32 v6, 0
4780 4 v_mov_b32_e32 v7, 0
4784 4 v_mov_b32_e32 v8, 0
4788 4 v_mov_b32_e32 v9, 0
478c 4 v_mov_b32_e32 v10, 0
4790 4 v_mov_b32_e32 v11, 0
4794 4 v_mov_b32_e32 v12, 0
4798 4 v_mov_b32_e32 v13, 0
479c 4 v_mov_b32_e32 v14, 0
47a0 4 v_mov_b32_e32 v15, 0
47a4 4 v_mov_b32_e32 v16, 0
47a8 4 v_mov_b32_e32 v17, 0
47ac 8 global_load_dwordx4 v[22:25], v[18:19], off
47b4 8 global_load_dwordx4 v[26:29], v[20:21], off
47bc 4 s_add_i32 s0, s0, 16
47c0 8 v_lshl_add_u64 v[20:21], v[20:21], 0, 32
47c8 4 s_cmp_ge_i32 s0, s8
47cc 8 v_lshl_add_u64 v[18:19], v[18:19], 0, 32
47d4 4 s_waitcnt vmcnt(0)
47d8 8 v_mfma_f32_32x32x16_bf16 v[2:17], v[22:25], v[26:29], v[2:17]
47e0 4 s_cbranch_scc0 65522 => 47ac
47e4 4 s_branch 15 => 4824
47e8 4 v_mov_b32_e32 v16, 0
47ec 4 v_mov_b32_e32 v15, 0
47f0 4 v_mov_b32_e32 v14, 0
47f4 4 v_mov_b32_e32 v13, 0
47f8 4 v_mov_b32_e32 v12, 0
47fc 4 v_mov_b32_e32 v11, 0
4800 4 v_mov_b32_e32 v10, 0
4804 4 v_mov_b32_e32 v9, 0
4808 4 v_mov_b32_e32 v8, 0
480c 4 v_mov_b32_e32 v7, 0
4810 4 v_mov_b32_e32 v6, 0
4814 4 v_mov_b32_e32 v5, 0
4818 4 v_mov_b32_e32 v4, 0
481c 4 v_mov_b32_e32 v3, 0
4820 4 v_mov_b32_e32 v2, 0
4824 4 v_lshrrev_b32_e32 v0, 3, v0
4828 4 v_lshlrev_b32_e32 v0, 7, v0
482c 4 v_lshlrev_b32_e32 v1, 2, v1
4830 4 s_movk_i32 s0, 0x3e00
4834 8 v_and_or_b32 v18, v0, s0, v1
483c 4 s_movk_i32 s0, 0x180
4840 8 v_or3_b32 v0, v0, v1, s0
4848 4 s_nop 2
484c 8 global_store_dword v18, v2, s[2:3]
4854 8 global_store_dword v18, v3, s[2:3] offset:128
485c 8 global_store_dword v18, v4, s[2:3] offset:256
4864 8 global_store_dword v0, v5, s[2:3]
486c 8 v_add_u32_e32 v0, 0x400, v18
4874 8 global_store_dword v0, v6, s[2:3]
487c 8 global_store_dword v0, v7, s[2:3] offset:128
4884 8 global_store_dword v0, v8, s[2:3] offset:256
488c 8 global_store_dword v0, v9, s[2:3] offset:384
4894 8 v_add_u32_e32 v0, 0x800, v18
489c 8 global_store_dword v0, v10, s[2:3]
48a4 8 global_store_dword v0, v11, s[2:3] offset:128
48ac 8 global_store_dword v0, v12, s[2:3] offset:256
48b4 8 global_store_dword v0, v13, s[2:3] offset:384
48bc 8 v_add_u32_e32 v0, 0xc00, v18
48c4 8 global_store_dword v0, v14, s[2:3]
48cc 8 global_store_dword v0, v15, s[2:3] offset:128
48d4 8 global_store_dword v0, v16, s[2:3] offset:256
48dc 8 global_store_dword v0, v17, s[2:3] offset:384
48e4 4 s_endpgm
48e8 4 s_nop 0
48ec 4 s_nop 0
48f0 4 s_nop 0
48f4 4 s_nop 0
48f8 4 s_nop 0
48fc 4 s_nop 0
gemm16_bf16:
4900 8 s_load_dword s8, s[0:1], 0x18
4908 8 s_load_dwordx4 s[4:7], s[0:1], 0x0
4910 8 s_load_dwordx2 s[2:3], s[0:1], 0x10
4918 4 v_and_b32_e32 v1, 15, v0
491c 4 v_mov_b32_e32 v5, 0
4920 4 s_waitcnt lgkmcnt(0)
4924 4 s_cmp_lt_i32 s8, 1
4928 4 s_cbranch_scc1 34 => 49b4
492c 8 v_mul_lo_u32 v4, s8, v1
4934 8 v_lshlrev_b64 v[2:3], 1, v[4:5]
493c 8 v_lshl_add_u64 v[6:7], s[4:5], 0, v[2:3]
4944 8 v_and_b32_e32 v4, 0x3f0, v0
494c 8 v_lshl_add_u64 v[2:3], s[6:7], 0, v[2:3]
4954 8 v_lshl_add_u64 v[6:7], v[6:7], 0, v[4:5]
495c 8 v_lshl_add_u64 v[8:9], v[2:3], 0, v[4:5]
4964 4 s_mov_b32 s0, 0
4968 4 v_mov_b32_e32 v2, 0
496c 4 v_mov_b32_e32 v3, 0
4970 4 v_mov_b32_e32 v4, 0
4974 4 v_mov_b32_e32 v5, 0
4978 8 global_load_dwordx4 v[10:13], v[6:7], off
4980 8 global_load_dwordx4 v[14:17], v[8:9], off
4988 4 s_add_i32 s0, s0, 32
498c 8 v_lshl_add_u64 v[8:9], v[8:9], 0, 64
4994 4 s_cmp_ge_i32 s0, s8
4998 8 v_lshl_add_u64 v[6:7], v[6:7], 0, 64
49a0 4 s_waitcnt vmcnt(0)
49a4 8 v_mfma_f32_16x16x32_bf16 v[2:5], v[10:13], v[14:17], v[2:5]
49ac 4 s_cbranch_scc0 65522 => 4978
49b0 4 s_branch 3 => 49c0
49b4 4 v_mov_b32_e32 v4, 0
49b8 4 v_mov_b32_e32 v3, 0
49bc 4 v_mov_b32_e32 v2, 0
49c0 4 v_lshlrev_b32_e32 v1, 2, v1
49c4 4 v_lshlrev_b32_e32 v0, 4, v0
49c8 4 s_movk_i32 s0, 0x3f00
49cc 8 v_and_or_b32 v0, v0, s0, v1
49d4 4 s_nop 1
49d8 8 global_store_dword v0, v2, s[2:3]
49e0 8 global_store_dword v0, v3, s[2:3] offset:64
49e8 8 global_store_dword v0, v4, s[2:3] offset:128
49f0 8 v_or_b32_e32 v0, 0xc0, v0
49f8 8 global_store_dword v0, v5, s[2:3]
4a00 4 s_endpgm
4a04 4 s_nop 0
4a08 4 s_nop 0
4a0c 4 s_nop 0
4a10 4 s_nop 0
4a14 4 s_nop 0
4a18 4 s_nop 0
4a1c 4 s_nop 0
4a20 4 s_nop 0
4a24 4 s_nop 0
4a28 4 s_nop 0
4a2c 4 s_nop 0
4a30 4 s_nop 0
4a34 4 s_nop 0
4a38 4 s_nop 0
4a3c 4 s_nop 0
4a40 4 s_nop 0
4a44 4 s_nop 0
4a48 4 s_nop 0
4a4c 4 s_nop 0
4a50 4 s_nop 0
4a54 4 s_nop 0
4a58 4 s_nop 0
4a5c 4 s_nop 0
4a60 4 s_nop 0
4a64 4 s_nop 0
4a68 4 s_nop 0
4a6c 4 s_nop 0
4a70 4 s_nop 0
4a74 4 s_nop 0
4a78 4 s_nop 0
4a7c 4 s_nop 0
4a80 4 s_nop 0
4a84 4 s_nop 0
4a88 4 s_nop 0
4a8c 4 s_nop 0
4a90 4 s_nop 0
4a94 4 s_nop 0
4a98 4 s_nop 0
4a9c 4 s_nop 0
4aa0 4 s_nop 0
4aa4 4 s_nop 0
4aa8 4 s_nop 0
4aac 4 s_nop 0
4ab0 4 s_nop 0
4ab4 4 s_nop 0
4ab8 4 s_nop 0
4abc 4 s_nop 0
4ac0 4 s_nop 0
4ac4 4 s_nop 0
4ac8 4 s_nop 0
4acc 4 s_nop 0
4ad0 4 s_nop 0
4ad4 4 s_nop 0
4ad8 4 s_nop 0
4adc 4 s_nop 0
4ae0 4 s_nop 0
4ae4 4 s_nop 0
4ae8 4 s_nop 0
4aec 4 s_nop 0
4af0 4 s_nop 0
4af4 4 s_nop 0
4af8 4 s_nop 0
4afc 4 s_nop 0
gemm_f16:
4b00 8 s_load_dword s8, s[0:1], 0x18
4b08 8 s_load_dwordx4 s[4:7], s[0:1], 0x0
4b10 8 s_load_dwordx2 s[2:3], s[0:1], 0x10
4b18 4 v_and_b32_e32 v1, 15, v0
4b1c 4 v_mov_b32_e32 v5, 0
4b20 4 s_waitcnt lgkmcnt(0)
4b24 4 s_cmp_lt_i32 s8, 1
4b28 4 s_cbranch_scc1 34 => 4bb4
4b2c 8 v_mul_lo_u32 v4, s8, v1
4b34 8 v_lshlrev_b64 v[2:3], 1, v[4:5]
4b3c 8 v_lshl_add_u64 v[6:7], s[4:5], 0, v[2:3]
4b44 8 v_and_b32_e32 v4, 0x3f0, v0
4b4c 8 v_lshl_add_u64 v[2:3], s[6:7], 0, v[2:3]
4b54 8 v_lshl_add_u64 v[6:7], v[6:7], 0, v[4:5]
4b5c 8 v_lshl_add_u64 v[8:9], v[2:3], 0, v[4:5]
4b64 4 s_mov_b32 s0, 0
4b68 4 v_mov_b32_e32 v2, 0
4b6c 4 v_mov_b32_e32 v3, 0
4b70 4 v_mov_b32_e32 v4, 0
4b74 4 v_mov_b32_e32 v5, 0
4b78 8 global_load_dwordx4 v[10:13], v[6:7], off
4b80 8 global_load_dwordx4 v[14:17], v[8:9], off
4b88 4 s_add_i32 s0, s0, 32
4b8c 8 v_lshl_add_u64 v[8:9], v[8:9], 0, 64
4b94 4 s_cmp_ge_i32 s0, s8
4b98 8 v_lshl_add_u64 v[6:7], v[6:7], 0, 64
4ba0 4 s_waitcnt vmcnt(0)
4ba4 8 v_mfma_f32_16x16x32_f16 v[2:5], v[10:13], v[14:17], v[2:5]
4bac 4 s_cbranch_scc0 65522 => 4b78
4bb0 4 s_branch 3 => 4bc0
4bb4 4 v_mov_b32_e32 v4, 0
4bb8 4 v_mov_b32_e32 v3, 0
4bbc 4 v_mov_b32_e32 v2, 0
4bc0 4 v_lshlrev_b32_e32 v1, 2, v1
4bc4 4 v_lshlrev_b32_e32 v0, 4, v0
4bc8 4 s_movk_i32 s0, 0x3f00
4bcc 8 v_and_or_b32 v0, v0, s0, v1
4bd4 4 s_nop 1
4bd8 8 global_store_dword v0, v2, s[2:3]
4be0 8 global_store_dword v0, v3, s[2:3] offset:64
4be8 8 global_store_dword v0, v4, s[2:3] offset:128
4bf0 8 v_or_b32_e32 v0, 0xc0, v0
4bf8 8 global_store_dword v0, v5, s[2:3]
4c00 4 s_endpgm
4c04 4 s_nop 0
4c08 4 s_nop 0
4c0c 4 s_nop 0
4c10 4 s_nop 0
4c14 4 s_nop 0
4c18 4 s_nop 0
4c1c 4 s_nop 0
4c20 4 s_nop 0
4c24 4 s_nop 0
4c28 4 s_nop 0
4c2c 4 s_nop 0
4c30 4 s_nop 0
4c34 4 s_nop 0
4c38 4 s_nop 0
4c3c 4 s_nop 0
4c40 4 s_nop 0
4c44 4 s_nop 0
4c48 4 s_nop 0
4c4c 4 s_nop 0
4c50 4 s_nop 0
4c54 4 s_nop 0
4c58 4 s_nop 0
4c5c 4 s_nop 0
4c60 4 s_nop 0
4c64 4 s_nop 0
4c68 4 s_nop 0
4c6c 4 s_nop 0
4c70 4 s_nop 0
4c74 4 s_nop 0
4c78 4 s_nop 0
4c7c 4 s_nop 0
4c80 4 s_nop 0
4c84 4 s_nop 0
4c88 4 s_nop 0
4c8c 4 s_nop 0
4c90 4 s_nop 0
4c94 4 s_nop 0
4c98 4 s_nop 0
4c9c 4 s_nop 0
4ca0 4 s_nop 0
4ca4 4 s_nop 0
4ca8 4 s_nop 0
4cac 4 s_nop 0
4cb0 4 s_nop 0
4cb4 4 s_nop 0
4cb8 4 s_nop 0
4cbc 4 s_nop 0
4cc0 4 s_nop 0
4cc4 4 s_nop 0
4cc8 4 s_nop 0
4ccc 4 s_nop 0
4cd0 4 s_nop 0
4cd4 4 s_nop 0
4cd8 4 s_nop 0
4cdc 4 s_nop 0
4ce0 4 s_nop 0
4ce4 4 s_nop 0
4ce8 4 s_nop 0
4cec 4 s_nop 0
4cf0 4 s_nop 0
4cf4 4 s_nop 0
4cf8 4 s_nop 0
4cfc 4 s_nop 0
s32_fp8:
4d00 8 s_load_dwordx8 s[4:11], s[0:1], 0x0
4d08 8 s_load_dwordx2 s[2:3], s[0:1], 0x20
4d10 4 v_lshlrev_b32_e32 v1, 5, v0
4d14 4 s_waitcnt lgkmcnt(0)
4d18 8 global_load_dwordx4 v[24:27], v1, s[4:5] offset:16
4d20 8 global_load_dwordx4 v[32:35], v1, s[6:7] offset:16
4d28 8 global_load_dwordx4 v[20:23], v1, s[4:5]
4d30 8 global_load_dwordx4 v[28:31], v1, s[6:7]
4d38 4 v_lshlrev_b32_e32 v1, 6, v0
4d3c 4 v_lshlrev_b32_e32 v0, 2, v0
4d40 8 global_load_dwordx4 v[14:17], v1, s[2:3] offset:48
4d48 8 global_load_dwordx4 v[10:13], v1, s[2:3] offset:32
4d50 8 global_load_dwordx4 v[6:9], v1, s[2:3] offset:16
4d58 8 global_load_dwordx4 v[2:5], v1, s[2:3]
4d60 8 global_load_dword v18, v0, s[8:9]
4d68 8 global_load_dword v19, v0, s[10:11]
4d70 4 s_waitcnt vmcnt(0)
4d74 16 v_mfma_scale_f32_32x32x64_f8f6f4 v[2:17], v[20:27], v[28:35], v[2:17], v18, v19 op_sel:[1,0,0] op_sel_hi:[0,1,0]
4d84 4 s_nop 15
4d88 4 s_nop 3
4d8c 8 global_store_dwordx4 v1, v[10:13], s[2:3] offset:32
4d94 8 global_store_dwordx4 v1, v[14:17], s[2:3] offset:48
4d9c 8 global_store_dwordx4 v1, v[2:5], s[2:3]
4da4 8 global_store_dwordx4 v1, v[6:9], s[2:3] offset:16
4dac 4 s_endpgm
4db0 4 s_nop 0
4db4 4 s_nop 0
4db8 4 s_nop 0
4dbc 4 s_nop 0
4dc0 4 s_nop 0
4dc4 4 s_nop 0
4dc8 4 s_nop 0
4dcc 4 s_nop 0
4dd0 4 s_nop 0
4dd4 4 s_nop 0
4dd8 4 s_nop 0
4ddc 4 s_nop 0
4de0 4 s_nop 0
4de4 4 s_nop 0
4de8 4 s_nop 0
4dec 4 s_nop 0
4df0 4 s_nop 0
4df4 4 s_nop 0
4df8 4 s_nop 0
4dfc 4 s_nop 0
s32_fp6:
4e00 8 s_load_dwordx8 s[4:11], s[0:1], 0x0
4e08 8 s_load_dwordx2 s[2:3], s[0:1], 0x20
4e10 4 v_lshlrev_b32_e32 v1, 5, v0
4e14 4 s_waitcnt lgkmcnt(0)
4e18 8 global_load_dwordx2 v[24:25], v1, s[4:5] offset:16
4e20 8 global_load_dwordx2 v[30:31], v1, s[6:7] offset:16
4e28 8 global_load_dwordx4 v[20:23], v1, s[4:5]
4e30 8 global_load_dwordx4 v[26:29], v1, s[6:7]
4e38 4 v_lshlrev_b32_e32 v1, 6, v0
4e3c 4 v_lshlrev_b32_e32 v0, 2, v0
4e40 8 global_load_dwordx4 v[14:17], v1, s[2:3] offset:48
4e48 8 global_load_dwordx4 v[10:13], v1, s[2:3] offset:32
4e50 8 global_load_dwordx4 v[6:9], v1, s[2:3] offset:16
4e58 8 global_load_dwordx4 v[2:5], v1, s[2:3]
4e60 8 global_load_dword v18, v0, s[8:9]
4e68 8 global_load_dword v19, v0, s[10:11]
4e70 4 s_waitcnt vmcnt(0)
4e74 16 v_mfma_scale_f32_32x32x64_f8f6f4 v[2:17], v[20:25], v[26:31], v[2:17], v18, v19 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:2 blgp:2
4e84 4 s_nop 11
4e88 8 global_store_dwordx4 v1, v[10:13], s[2:3] offset:32
4e90 8 global_store_dwordx4 v1, v[14:17], s[2:3] offset:48
4e98 8 global_store_dwordx4 v1, v[2:5], s[2:3]
4ea0 8 global_store_dwordx4 v1, v[6:9], s[2:3] offset:16
4ea8 4 s_endpgm
4eac 4 s_nop 0
4eb0 4 s_nop 0
4eb4 4 s_nop 0
4eb8 4 s_nop 0
4ebc 4 s_nop 0
4ec0 4 s_nop 0
4ec4 4 s_nop 0
4ec8 4 s_nop 0
4ecc 4 s_nop 0
4ed0 4 s_nop 0
4ed4 4 s_nop 0
4ed8 4 s_nop 0
4edc 4 s_nop 0
4ee0 4 s_nop 0
4ee4 4 s_nop 0
4ee8 4 s_nop 0
4eec 4 s_nop 0
4ef0 4 s_nop 0
4ef4 4 s_nop 0
4ef8 4 s_nop 0
4efc 4 s_nop 0
s32_fp4:
4f00 8 s_load_dwordx8 s[4:11], s[0:1], 0x0
4f08 8 s_load_dwordx2 s[2:3], s[0:1], 0x20
4f10 4 v_lshlrev_b32_e32 v1, 5, v0
4f14 4 s_waitcnt lgkmcnt(0)
4f18 8 global_load_dwordx4 v[20:23], v1, s[4:5]
4f20 8 global_load_dwordx4 v[24:27], v1, s[6:7]
4f28 4 v_lshlrev_b32_e32 v1, 6, v0
4f2c 4 v_lshlrev_b32_e32 v0, 2, v0
4f30 8 global_load_dwordx4 v[14:17], v1, s[2:3] offset:48
4f38 8 global_load_dwordx4 v[10:13], v1, s[2:3] offset:32
4f40 8 global_load_dwordx4 v[6:9], v1, s[2:3] offset:16
4f48 8 global_load_dwordx4 v[2:5], v1, s[2:3]
4f50 8 global_load_dword v18, v0, s[8:9]
4f58 8 global_load_dword v19, v0, s[10:11]
4f60 4 s_waitcnt vmcnt(0)
4f64 16 v_mfma_scale_f32_32x32x64_f8f6f4 v[2:17], v[20:23], v[24:27], v[2:17], v18, v19 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:4 blgp:4
4f74 4 s_nop 11
4f78 8 global_store_dwordx4 v1, v[10:13], s[2:3] offset:32
4f80 8 global_store_dwordx4 v1, v[14:17], s[2:3] offset:48
4f88 8 global_store_dwordx4 v1, v[2:5], s[2:3]
4f90 8 global_store_dwordx4 v1, v[6:9], s[2:3] offset:16
4f98 4 s_endpgm
4f9c 4 s_nop 0
4fa0 4 s_nop 0
4fa4 4 s_nop 0
4fa8 4 s_nop 0
4fac 4 s_nop 0
4fb0 4 s_nop 0
4fb4 4 s_nop 0
4fb8 4 s_nop 0
4fbc 4 s_nop 0
4fc0 4 s_nop 0
4fc4 4 s_nop 0
4fc8 4 s_nop 0
4fcc 4 s_nop 0
4fd0 4 s_nop 0
4fd4 4 s_nop 0
4fd8 4 s_nop 0
4fdc 4 s_nop 0
4fe0 4 s_nop 0
4fe4 4 s_nop 0
4fe8 4 s_nop 0
4fec 4 s_nop 0
4ff0 4 s_nop 0
4ff4 4 s_nop 0
4ff8 4 s_nop 0
4ffc 4 s_nop 0
s32_fp8_fp6:
5000 8 s_load_dwordx8 s[4:11], s[0:1], 0x0
5008 8 s_load_dwordx2 s[2:3], s[0:1], 0x20
5010 4 v_lshlrev_b32_e32 v1, 5, v0
5014 4 s_waitcnt lgkmcnt(0)
5018 8 global_load_dwordx4 v[24:27], v1, s[4:5] offset:16
5020 8 global_load_dwordx2 v[32:33], v1, s[6:7] offset:16
5028 8 global_load_dwordx4 v[20:23], v1, s[4:5]
5030 8 global_load_dwordx4 v[28:31], v1, s[6:7]
5038 4 v_lshlrev_b32_e32 v1, 6, v0
503c 4 v_lshlrev_b32_e32 v0, 2, v0
5040 8 global_load_dwordx4 v[14:17], v1, s[2:3] offset:48
5048 8 global_load_dwordx4 v[10:13], v1, s[2:3] offset:32
5050 8 global_load_dwordx4 v[6:9], v1, s[2:3] offset:16
5058 8 global_load_dwordx4 v[2:5], v1, s[2:3]
5060 8 global_load_dword v18, v0, s[8:9]
5068 8 global_load_dword v19, v0, s[10:11]
5070 4 s_waitcnt vmcnt(0)
5074 16 v_mfma_scale_f32_32x32x64_f8f6f4 v[2:17], v[20:27], v[28:33], v[2:17], v18, v19 op_sel:[1,0,0] op_sel_hi:[0,1,0] blgp:2
5084 4 s_nop 15
5088 4 s_nop 3
508c 8 global_store_dwordx4 v1, v[10:13], s[2:3] offset:32
5094 8 global_store_dwordx4 v1, v[14:17], s[2:3] offset:48
509c 8 global_store_dwordx4 v1, v[2:5], s[2:3]
50a4 8 global_store_dwordx4 v1, v[6:9], s[2:3] offset:16
50ac 4 s_endpgm
50b0 4 s_nop 0
50b4 4 s_nop 0
50b8 4 s_nop 0
50bc 4 s_nop 0
50c0 4 s_nop 0
50c4 4 s_nop 0
50c8 4 s_nop 0
50cc 4 s_nop 0
50d0 4 s_nop 0
50d4 4 s_nop 0
50d8 4 s_nop 0
50dc 4 s_nop 0
50e0 4 s_nop 0
50e4 4 s_nop 0
50e8 4 s_nop 0
50ec 4 s_nop 0
50f0 4 s_nop 0
50f4 4 s_nop 0
50f8 4 s_nop 0
50fc 4 s_nop 0
s32_fp6_fp4:
5100 8 s_load_dwordx8 s[4:11], s[0:1], 0x0
5108 8 s_load_dwordx2 s[2:3], s[0:1], 0x20
5110 4 v_lshlrev_b32_e32 v1, 5, v0
5114 4 s_waitcnt lgkmcnt(0)
5118 8 global_load_dwordx2 v[24:25], v1, s[4:5] offset:16
5120 8 global_load_dwordx4 v[20:23], v1, s[4:5]
5128 8 global_load_dwordx4 v[26:29], v1, s[6:7]
5130 4 v_lshlrev_b32_e32 v1, 6, v0
5134 4 v_lshlrev_b32_e32 v0, 2, v0
5138 8 global_load_dwordx4 v[14:17], v1, s[2:3] offset:48
5140 8 global_load_dwordx4 v[10:13], v1, s[2:3] offset:32
5148 8 global_load_dwordx4 v[6:9], v1, s[2:3] offset:16
5150 8 global_load_dwordx4 v[2:5], v1, s[2:3]
5158 8 global_load_dword v18, v0, s[8:9]
5160 8 global_load_dword v19, v0, s[10:11]
5168 4 s_waitcnt vmcnt(0)
516c 16 v_mfma_scale_f32_32x32x64_f8f6f4 v[2:17], v[20:25], v[26:29], v[2:17], v18, v19 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:2 blgp:4
517c 4 s_nop 11
5180 8 global_store_dwordx4 v1, v[10:13], s[2:3] offset:32
5188 8 global_store_dwordx4 v1, v[14:17], s[2:3] offset:48
5190 8 global_store_dwordx4 v1, v[2:5], s[2:3]
5198 8 global_store_dwordx4 v1, v[6:9], s[2:3] offset:16
51a0 4 s_endpgm
51a4 4 s_nop 0
51a8 4 s_nop 0
51ac 4 s_nop 0
51b0 4 s_nop 0
51b4 4 s_nop 0
51b8 4 s_nop 0
51bc 4 s_nop 0
51c0 4 s_nop 0
51c4 4 s_nop 0
51c8 4 s_nop 0
51cc 4 s_nop 0
51d0 4 s_nop 0
51d4 4 s_nop 0
51d8 4 s_nop 0
51dc 4 s_nop 0
51e0 4 s_nop 0
51e4 4 s_nop 0
51e8 4 s_nop 0
51ec 4 s_nop 0
51f0 4 s_nop 0
51f4 4 s_nop 0
51f8 4 s_nop 0
51fc 4 s_nop 0
s32_bf8_bf6:
5200 8 s_load_dwordx8 s[4:11], s[0:1], 0x0
5208 8 s_load_dwordx2 s[2:3], s[0:1], 0x20
5210 4 v_lshlrev_b32_e32 v1, 5, v0
5214 4 s_waitcnt lgkmcnt(0)
5218 8 global_load_dwordx4 v[24:27], v1, s[4:5] offset:16
5220 8 global_load_dwordx2 v[32:33], v1, s[6:7] offset:16
5228 8 global_load_dwordx4 v[20:23], v1, s[4:5]
5230 8 global_load_dwordx4 v[28:31], v1, s[6:7]
5238 4 v_lshlrev_b32_e32 v1, 6, v0
523c 4 v_lshlrev_b32_e32 v0, 2, v0
5240 8 global_load_dwordx4 v[14:17], v1, s[2:3] offset:48
5248 8 global_load_dwordx4 v[10:13], v1, s[2:3] offset:32
5250 8 global_load_dwordx4 v[6:9], v1, s[2:3] offset:16
5258 8 global_load_dwordx4 v[2:5], v1, s[2:3]
5260 8 global_load_dword v18, v0, s[8:9]
5268 8 global_load_dword v19, v0, s[10:11]
5270 4 s_waitcnt vmcnt(0)
5274 16 v_mfma_scale_f32_32x32x64_f8f6f4 v[2:17], v[20:27], v[28:33], v[2:17], v18, v19 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:1 blgp:3
5284 4 s_nop 15
5288 4 s_nop 3
528c 8 global_store_dwordx4 v1, v[10:13], s[2:3] offset:32
5294 8 global_store_dwordx4 v1, v[14:17], s[2:3] offset:48
529c 8 global_store_dwordx4 v1, v[2:5], s[2:3]
52a4 8 global_store_dwordx4 v1, v[6:9], s[2:3] offset:16
52ac 4 s_endpgm
52b0 4 s_nop 0
52b4 4 s_nop 0
52b8 4 s_nop 0
52bc 4 s_nop 0
52c0 4 s_nop 0
52c4 4 s_nop 0
52c8 4 s_nop 0
52cc 4 s_nop 0
52d0 4 s_nop 0
52d4 4 s_nop 0
52d8 4 s_nop 0
52dc 4 s_nop 0
52e0 4 s_nop 0
52e4 4 s_nop 0
52e8 4 s_nop 0
52ec 4 s_nop 0
52f0 4 s_nop 0
52f4 4 s_nop 0
52f8 4 s_nop 0
52fc 4 s_nop 0
s16_fp8:
5300 8 s_load_dwordx8 s[4:11], s[0:1], 0x0
5308 8 s_load_dwordx2 s[2:3], s[0:1], 0x20
5310 4 v_lshlrev_b32_e32 v1, 5, v0
5314 4 v_lshlrev_b32_e32 v6, 4, v0
5318 4 v_lshlrev_b32_e32 v0, 2, v0
531c 4 s_waitcnt lgkmcnt(0)
5320 8 global_load_dwordx4 v[12:15], v1, s[4:5] offset:16
5328 8 global_load_dwordx4 v[20:23], v1, s[6:7] offset:16
5330 8 global_load_dwordx4 v[8:11], v1, s[4:5]
5338 8 global_load_dwordx4 v[16:19], v1, s[6:7]
5340 8 global_load_dwordx4 v[2:5], v6, s[2:3]
5348 4 s_nop 0
534c 8 global_load_dword v1, v0, s[8:9]
5354 8 global_load_dword v7, v0, s[10:11]
535c 4 s_waitcnt vmcnt(0)
5360 16 v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[8:15], v[16:23], v[2:5], v1, v7 op_sel:[1,0,0] op_sel_hi:[0,1,0]
5370 4 s_nop 11
5374 8 global_store_dwordx4 v6, v[0:3], s[2:3]
537c 4 s_endpgm
5380 4 s_nop 0
5384 4 s_nop 0
5388 4 s_nop 0
538c 4 s_nop 0
5390 4 s_nop 0
5394 4 s_nop 0
5398 4 s_nop 0
539c 4 s_nop 0
53a0 4 s_nop 0
53a4 4 s_nop 0
53a8 4 s_nop 0
53ac 4 s_nop 0
53b0 4 s_nop 0
53b4 4 s_nop 0
53b8 4 s_nop 0
53bc 4 s_nop 0
53c0 4 s_nop 0
53c4 4 s_nop 0
53c8 4 s_nop 0
53cc 4 s_nop 0
53d0 4 s_nop 0
53d4 4 s_nop 0
53d8 4 s_nop 0
53dc 4 s_nop 0
53e0 4 s_nop 0
53e4 4 s_nop 0
53e8 4 s_nop 0
53ec 4 s_nop 0
53f0 4 s_nop 0
53f4 4 s_nop 0
53f8 4 s_nop 0
53fc 4 s_nop 0
s16_fp6:
5400 8 s_load_dwordx8 s[4:11], s[0:1], 0x0
5408 8 s_load_dwordx2 s[2:3], s[0:1], 0x20
5410 4 v_lshlrev_b32_e32 v1, 5, v0
5414 4 v_lshlrev_b32_e32 v6, 4, v0
5418 4 v_lshlrev_b32_e32 v0, 2, v0
541c 4 s_waitcnt lgkmcnt(0)
5420 8 global_load_dwordx2 v[12:13], v1, s[4:5] offset:16
5428 8 global_load_dwordx2 v[18:19], v1, s[6:7] offset:16
5430 8 global_load_dwordx4 v[8:11], v1, s[4:5]
5438 8 global_load_dwordx4 v[14:17], v1, s[6:7]
5440 8 global_load_dwordx4 v[2:5], v6, s[2:3]
5448 4 s_nop 0
544c 8 global_load_dword v1, v0, s[8:9]
5454 8 global_load_dword v7, v0, s[10:11]
545c 4 s_waitcnt vmcnt(0)
5460 16 v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[8:13], v[14:19], v[2:5], v1, v7 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:2 blgp:2
5470 4 s_nop 7
5474 8 global_store_dwordx4 v6, v[0:3], s[2:3]
547c 4 s_endpgm
5480 4 s_nop 0
5484 4 s_nop 0
5488 4 s_nop 0
548c 4 s_nop 0
5490 4 s_nop 0
5494 4 s_nop 0
5498 4 s_nop 0
549c 4 s_nop 0
54a0 4 s_nop 0
54a4 4 s_nop 0
54a8 4 s_nop 0
54ac 4 s_nop 0
54b0 4 s_nop 0
54b4 4 s_nop 0
54b8 4 s_nop 0
54bc 4 s_nop 0
54c0 4 s_nop 0
54c4 4 s_nop 0
54c8 4 s_nop 0
54cc 4 s_nop 0
54d0 4 s_nop 0
54d4 4 s_nop 0
54d8 4 s_nop 0
54dc 4 s_nop 0
54e0 4 s_nop 0
54e4 4 s_nop 0
54e8 4 s_nop 0
54ec 4 s_nop 0
54f0 4 s_nop 0
54f4 4 s_nop 0
54f8 4 s_nop 0
54fc 4 s_nop 0
s16_fp4:
5500 8 s_load_dwordx8 s[4:11], s[0:1], 0x0
5508 8 s_load_dwordx2 s[2:3], s[0:1], 0x20
5510 4 v_lshlrev_b32_e32 v1, 5, v0
5514 4 v_lshlrev_b32_e32 v6, 4, v0
5518 4 v_lshlrev_b32_e32 v0, 2, v0
551c 4 s_waitcnt lgkmcnt(0)
5520 8 global_load_dwordx4 v[8:11], v1, s[4:5]
5528 8 global_load_dwordx4 v[12:15], v1, s[6:7]
5530 8 global_load_dwordx4 v[2:5], v6, s[2:3]
5538 4 s_nop 0
553c 8 global_load_dword v1, v0, s[8:9]
5544 8 global_load_dword v7, v0, s[10:11]
554c 4 s_waitcnt vmcnt(0)
5550 16 v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[8:11], v[12:15], v[2:5], v1, v7 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:4 blgp:4
5560 4 s_nop 7
5564 8 global_store_dwordx4 v6, v[0:3], s[2:3]
556c 4 s_endpgm
5570 4 s_nop 0
5574 4 s_nop 0
5578 4 s_nop 0
557c 4 s_nop 0
5580 4 s_nop 0
5584 4 s_nop 0
5588 4 s_nop 0
558c 4 s_nop 0
5590 4 s_nop 0
5594 4 s_nop 0
5598 4 s_nop 0
559c 4 s_nop 0
55a0 4 s_nop 0
55a4 4 s_nop 0
55a8 4 s_nop 0
55ac 4 s_nop 0
55b0 4 s_nop 0
55b4 4 s_nop 0
55b8 4 s_nop 0
55bc 4 s_nop 0
55c0 4 s_nop 0
55c4 4 s_nop 0
55c8 4 s_nop 0
55cc 4 s_nop 0
55d0 4 s_nop 0
55d4 4 s_nop 0
55d8 4 s_nop 0
55dc 4 s_nop 0
55e0 4 s_nop 0
55e4 4 s_nop 0
55e8 4 s_nop 0
55ec 4 s_nop 0
55f0 4 s_nop 0
55f4 4 s_nop 0
55f8 4 s_nop 0
55fc 4 s_nop 0
s16_fp8_fp4:
5600 8 s_load_dwordx8 s[4:11], s[0:1], 0x0
5608 8 s_load_dwordx2 s[2:3], s[0:1], 0x20
5610 4 v_lshlrev_b32_e32 v1, 5, v0
5614 4 v_lshlrev_b32_e32 v6, 4, v0
5618 4 v_lshlrev_b32_e32 v0, 2, v0
561c 4 s_waitcnt lgkmcnt(0)
5620 8 global_load_dwordx4 v[12:15], v1, s[4:5] offset:16
5628 8 global_load_dwordx4 v[8:11], v1, s[4:5]
5630 8 global_load_dwordx4 v[16:19], v1, s[6:7]
5638 8 global_load_dwordx4 v[2:5], v6, s[2:3]
5640 4 s_nop 0
5644 8 global_load_dword v1, v0, s[8:9]
564c 8 global_load_dword v7, v0, s[10:11]
5654 4 s_waitcnt vmcnt(0)
5658 16 v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[8:15], v[16:19], v[2:5], v1, v7 op_sel:[1,0,0] op_sel_hi:[0,1,0] blgp:4
5668 4 s_nop 11
566c 8 global_store_dwordx4 v6, v[0:3], s[2:3]
5674 4 s_endpgm
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
s32_plain:
5700 8 s_load_dwordx4 s[4:7], s[0:1], 0x0
5708 8 s_load_dwordx2 s[2:3], s[0:1], 0x10
5710 4 v_lshlrev_b32_e32 v1, 5, v0
5714 4 v_lshlrev_b32_e32 v16, 6, v0
5718 4 s_waitcnt lgkmcnt(0)
571c 8 global_load_dwordx4 v[22:25], v1, s[4:5] offset:16
5724 8 global_load_dwordx4 v[30:33], v1, s[6:7] offset:16
572c 8 global_load_dwordx4 v[18:21], v1, s[4:5]
5734 8 global_load_dwordx4 v[26:29], v1, s[6:7]
573c 8 global_load_dwordx4 v[12:15], v16, s[2:3] offset:48
5744 8 global_load_dwordx4 v[8:11], v16, s[2:3] offset:32
574c 8 global_load_dwordx4 v[4:7], v16, s[2:3] offset:16
5754 4 s_nop 0
5758 8 global_load_dwordx4 v[0:3], v16, s[2:3]
5760 4 s_waitcnt vmcnt(0)
5764 8 v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[18:25], v[26:33], v[0:15]
576c 4 s_nop 15
5770 4 s_nop 3
5774 8 global_store_dwordx4 v16, v[8:11], s[2:3] offset:32
577c 8 global_store_dwordx4 v16, v[12:15], s[2:3] offset:48
5784 8 global_store_dwordx4 v16, v[0:3], s[2:3]
578c 8 global_store_dwordx4 v16, v[4:7], s[2:3] offset:16
5794 4 s_endpgm
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
sparse_fp8:
5800 8 s_load_dwordx8 s[4:11], s[0:1], 0x0
5808 4 v_lshlrev_b32_e32 v16, 4, v0
580c 4 v_lshlrev_b32_e32 v17, 5, v0
5810 4 v_lshlrev_b32_e32 v18, 2, v0
5814 8 s_load_dwordx2 s[0:1], s[0:1], 0x20
581c 4 s_waitcnt lgkmcnt(0)
5820 8 global_load_dwordx4 v[10:13], v16, s[4:5]
5828 8 global_load_dwordx4 v[6:9], v17, s[6:7] offset:16
5830 8 global_load_dwordx4 v[2:5], v17, s[6:7]
5838 8 global_load_dwordx4 v[20:23], v16, s[10:11]
5840 8 global_load_dword v1, v18, s[8:9]
5848 4 v_lshlrev_b32_e32 v19, 6, v0
584c 4 s_waitcnt vmcnt(0)
5850 8 v_smfmac_f32_16x16x128_fp8_fp8 v[20:23], v[10:13], v[2:9], v1
5858 4 s_nop 7
585c 8 global_store_dwordx4 v16, v[20:23], s[10:11]
5864 8 global_load_dwordx4 v[30:33], v16, s[4:5]
586c 8 global_load_dwordx4 v[26:29], v17, s[6:7] offset:16
5874 4 s_nop 0
5878 8 global_load_dwordx4 v[22:25], v17, s[6:7]
5880 8 global_load_dwordx4 v[12:15], v19, s[0:1] offset:48
5888 8 global_load_dwordx4 v[8:11], v19, s[0:1] offset:32
5890 8 global_load_dwordx4 v[4:7], v19, s[0:1] offset:16
5898 8 global_load_dwordx4 v[0:3], v19, s[0:1]
58a0 8 global_load_dword v20, v18, s[8:9]
58a8 4 s_waitcnt vmcnt(0)
58ac 8 v_smfmac_f32_32x32x64_fp8_fp8 v[0:15], v[30:33], v[22:29], v20
58b4 4 s_nop 11
58b8 8 global_store_dwordx4 v19, v[8:11], s[0:1] offset:32
58c0 8 global_store_dwordx4 v19, v[12:15], s[0:1] offset:48
58c8 8 global_store_dwordx4 v19, v[0:3], s[0:1]
58d0 8 global_store_dwordx4 v19, v[4:7], s[0:1] offset:16
58d8 4 s_endpgm
58dc 4 s_nop 0
58e0 4 s_nop 0
58e4 4 s_nop 0
58e8 4 s_nop 0
58ec 4 s_nop 0
58f0 4 s_nop 0
58f4 4 s_nop 0
58f8 4 s_nop 0
58fc 4 s_nop 0
others:
5900 8 s_load_dwordx8 s[4:11], s[0:1], 0x0
5908 4 v_lshlrev_b32_e32 v18, 3, v0
590c 4 v_lshlrev_b32_e32 v20, 6, v0
5910 4 v_mov_b32_e32 v19, 0
5914 4 v_mov_b32_e32 v21, v19
5918 4 s_waitcnt lgkmcnt(0)
591c 8 global_load_dwordx2 v[26:27], v18, s[4:5]
5924 8 global_load_dwordx2 v[28:29], v18, s[6:7]
592c 8 global_load_dwordx4 v[14:17], v20, s[10:11] offset:48
5934 8 global_load_dwordx4 v[10:13], v20, s[10:11] offset:32
593c 8 global_load_dwordx4 v[6:9], v20, s[10:11] offset:16
5944 8 global_load_dwordx4 v[2:5], v20, s[10:11]
594c 8 s_mov_b64 s[2:3], 0x1000
5954 4 s_movk_i32 s12, 0x1000
5958 8 v_lshl_add_u64 v[22:23], s[10:11], 0, v[20:21]
5960 8 v_lshl_add_u64 v[24:25], v[22:23], 0, s[2:3]
5968 4 v_add_co_u32_e32 v22, vcc, s12, v22
596c 8 s_load_dwordx4 s[0:3], s[0:1], 0x20
5974 4 s_nop 0
5978 4 v_addc_co_u32_e32 v23, vcc, 0, v23, vcc
597c 4 v_lshlrev_b32_e32 v21, 4, v0
5980 4 v_lshlrev_b32_e32 v0, 2, v0
5984 4 v_sub_co_u32_e32 v0, vcc, 0, v0
5988 4 s_waitcnt vmcnt(0)
598c 8 v_mfma_f32_32x32x16_fp8_fp8 v[2:17], v[26:27], v[28:29], v[2:17]
5994 4 s_nop 11
5998 8 global_store_dwordx4 v20, v[10:13], s[10:11] offset:32
59a0 8 global_store_dwordx4 v20, v[14:17], s[10:11] offset:48
59a8 8 global_store_dwordx4 v20, v[2:5], s[10:11]
59b0 8 global_store_dwordx4 v20, v[6:9], s[10:11] offset:16
59b8 8 global_load_dwordx2 v[26:27], v18, s[4:5]
59c0 4 s_nop 0
59c4 8 global_load_dwordx4 v[2:5], v[22:23], off
59cc 8 global_load_dwordx4 v[14:17], v[24:25], off offset:48
59d4 8 global_load_dwordx4 v[10:13], v[24:25], off offset:32
59dc 8 global_load_dwordx4 v[6:9], v[24:25], off offset:16
59e4 8 global_load_dwordx2 v[28:29], v18, s[6:7]
59ec 4 s_waitcnt vmcnt(0)
59f0 8 v_mfma_f32_32x32x8_bf16 v[2:17], v[26:27], v[28:29], v[2:17]
59f8 4 s_nop 11
59fc 8 global_store_dwordx4 v[24:25], v[10:13], off offset:32
5a04 8 global_store_dwordx4 v[24:25], v[14:17], off offset:48
5a0c 8 global_store_dwordx4 v[22:23], v[2:5], off
5a14 8 global_store_dwordx4 v[24:25], v[6:9], off offset:16
5a1c 8 global_load_dwordx4 v[22:25], v21, s[8:9]
5a24 4 s_nop 0
5a28 8 global_load_dwordx4 v[26:29], v21, s[8:9] offset:1024
5a30 4 s_waitcnt lgkmcnt(0)
5a34 8 global_load_dwordx4 v[14:17], v20, s[0:1] offset:48
5a3c 8 global_load_dwordx4 v[10:13], v20, s[0:1] offset:32
5a44 8 global_load_dwordx4 v[6:9], v20, s[0:1] offset:16
5a4c 8 global_load_dwordx4 v[2:5], v20, s[0:1]
5a54 8 v_subb_co_u32_e64 v1, s[8:9], 0, 0, vcc
5a5c 4 s_waitcnt vmcnt(0)
5a60 8 v_mfma_i32_32x32x32_i8 v[2:17], v[22:25], v[26:29], v[2:17]
5a68 8 v_lshl_add_u64 v[22:23], s[4:5], 0, v[18:19]
5a70 4 s_nop 10
5a74 8 global_store_dwordx4 v20, v[10:13], s[0:1] offset:32
5a7c 8 global_store_dwordx4 v20, v[14:17], s[0:1] offset:48
5a84 8 global_store_dwordx4 v20, v[2:5], s[0:1]
5a8c 8 global_store_dwordx4 v20, v[6:9], s[0:1] offset:16
5a94 4 s_nop 0
5a98 8 v_lshl_add_u64 v[2:3], v[22:23], 0, v[0:1]
5aa0 8 global_load_dword v6, v[2:3], off
5aa8 8 v_lshl_add_u64 v[2:3], s[6:7], 0, v[18:19]
5ab0 8 v_lshl_add_u64 v[4:5], v[2:3], 0, v[0:1]
5ab8 8 global_load_dword v7, v[4:5], off
5ac0 8 global_load_dwordx4 v[0:3], v21, s[2:3] offset:1024
5ac8 4 s_waitcnt vmcnt(0)
5acc 8 v_mfma_f32_16x16x4_f32 v[0:3], v6, v7, v[0:3]
5ad4 4 s_nop 9
5ad8 8 global_store_dwordx4 v21, v[0:3], s[2:3] offset:1024
5ae0 4 s_endpgm
5ae4 4 s_nop 0
5ae8 4 s_nop 0
5aec 4 s_nop 0
5af0 4 s_nop 0
5af4 4 s_nop 0
5af8 4 s_nop 0
5afc 4 s_nop 0
5b00 4 s_nop 0
5b04 4 s_nop 0
5b08 4 s_nop 0
5b0c 4 s_nop 0
5b10 4 s_nop 0
5b14 4 s_nop 0
5b18 4 s_nop 0
5b1c 4 s_nop 0
5b20 4 s_nop 0
5b24 4 s_nop 0
5b28 4 s_nop 0
5b2c 4 s_nop 0
5b30 4 s_nop 0
5b34 4 s_nop 0
5b38 4 s_nop 0
5b3c 4 s_nop 0
5b40 4 s_nop 0
5b44 4 s_nop 0
5b48 4 s_nop 0
5b4c 4 s_nop 0
5b50 4 s_nop 0
5b54 4 s_nop 0
5b58 4 s_nop 0
5b5c 4 s_nop 0
5b60 4 s_nop 0
5b64 4 s_nop 0
5b68 4 s_nop 0
5b6c 4 s_nop 0
5b70 4 s_nop 0
5b74 4 s_nop 0
5b78 4 s_nop 0
5b7c 4 s_nop 0
5b80 4 s_nop 0
5b84 4 s_nop 0
5b88 4 s_nop 0
5b8c 4 s_nop 0
5b90 4 s_nop 0
5b94 4 s_nop 0
5b98 4 s_nop 0
5b9c 4 s_nop 0
5ba0 4 s_nop 0
5ba4 4 s_nop 0
5ba8 4 s_nop 0
5bac 4 s_nop 0
5bb0 4 s_nop 0
5bb4 4 s_nop 0
5bb8 4 s_nop 0
5bbc 4 s_nop 0
5bc0 4 s_nop 0
5bc4 4 s_nop 0
5bc8 4 s_nop 0
5bcc 4 s_nop 0
5bd0 4 s_nop 0
5bd4 4 s_nop 0
5bd8 4 s_nop 0
5bdc 4 s_nop 0
5be0 4 s_nop 0
5be4 4 s_nop 0
5be8 4 s_nop 0
5bec 4 s_nop 0
5bf0 4 s_nop 0
5bf4 4 s_nop 0
5bf8 4 s_nop 0
5bfc 4 s_nop 0
5c00 4 s_nop 0
5c04 4 s_nop 0
5c08 4 s_nop 0
5c0c 4 s_nop 0
5c10 4 s_nop 0
5c14 4 s_nop 0
5c18 4 s_nop 0
5c1c 4 s_nop 0
5c20 4 s_nop 0
5c24 4 s_nop 0
5c28 4 s_nop 0
5c2c 4 s_nop 0
5c30 4 s_nop 0
5c34 4 s_nop 0
5c38 4 s_nop 0
5c3c 4 s_nop 0
5c40 4 s_nop 0
5c44 4 s_nop 0
5c48 4 s_nop 0
5c4c 4 s_nop 0
5c50 4 s_nop 0
5c54 4 s_nop 0
5c58 4 s_nop 0
5c5c 4 s_nop 0
5c60 4 s_nop 0
5c64 4 s_nop 0
5c68 4 s_nop 0
5c6c 4 s_nop 0
5c70 4 s_nop 0
5c74 4 s_nop 0
5c78 4 s_nop 0
5c7c 4 s_nop 0
5c80 4 s_nop 0
5c84 4 s_nop 0
5c88 4 s_nop 0
5c8c 4 s_nop 0
5c90 4 s_nop 0
5c94 4 s_nop 0
5c98 4 s_nop 0
5c9c 4 s_nop 0
5ca0 4 s_nop 0
5ca4 4 s_nop 0
5ca8 4 s_nop 0
5cac 4 s_nop 0
5cb0 4 s_nop 0
5cb4 4 s_nop 0
5cb8 4 s_nop 0
5cbc 4 s_nop 0
5cc0 4 s_nop 0
5cc4 4 s_nop 0
5cc8 4 s_nop 0
5ccc 4 s_nop 0
5cd0 4 s_nop 0
5cd4 4 s_nop 0
5cd8 4 s_nop 0
5cdc 4 s_nop 0
5ce0 4 s_nop 0
5ce4 4 s_nop 0
5ce8 4 s_nop 0
5cec 4 s_nop 0
5cf0 4 s_nop 0
5cf4 4 s_nop 0
5cf8 4 s_nop 0
5cfc 4 s_nop 0
5d00 4 s_nop 0
5d04 4 s_nop 0
5d08 4 s_nop 0
5d0c 4 s_nop 0
5d10 4 s_nop 0
5d14 4 s_nop 0
5d18 4 s_nop 0
5d1c 4 s_nop 0
5d20 4 s_nop 0
5d24 4 s_nop 0
5d28 4 s_nop 0
5d2c 4 s_nop 0
5d30 4 s_nop 0
5d34 4 s_nop 0
5d38 4 s_nop 0
5d3c 4 s_nop 0
5d40 4 s_nop 0
5d44 4 s_nop 0
5d48 4 s_nop 0
5d4c 4 s_nop 0
5d50 4 s_nop 0
5d54 4 s_nop 0
5d58 4 s_nop 0
5d5c 4 s_nop 0
5d60 4 s_nop 0
5d64 4 s_nop 0
5d68 4 s_nop 0
5d6c 4 s_nop 0
5d70 4 s_nop 0
5d74 4 s_nop 0
5d78 4 s_nop 0
5d7c 4 s_nop 0
5d80 4 s_nop 0
5d84 4 s_nop 0
5d88 4 s_nop 0
5d8c 4 s_nop 0
5d90 4 s_nop 0
5d94 4 s_nop 0
5d98 4 s_nop 0
5d9c 4 s_nop 0
5da0 4 s_nop 0
5da4 4 s_nop 0
5da8 4 s_nop 0
5dac 4 s_nop 0
5db0 4 s_nop 0
5db4 4 s_nop 0
5db8 4 s_nop 0
5dbc 4 s_nop 0
5dc0 4 s_nop 0
5dc4 4 s_nop 0
5dc8 4 s_nop 0
5dcc 4 s_nop 0
5dd0 4 s_nop 0
5dd4 4 s_nop 0
5dd8 4 s_nop 0
5ddc 4 s_nop 0
5de0 4 s_nop 0
5de4 4 s_nop 0
5de8 4 s_nop 0
5dec 4 s_nop 0
5df0 4 s_nop 0
5df4 4 s_nop 0
5df8 4 s_nop 0
5dfc 4 s_nop 0
5e00 4 s_nop 0
5e04 4 s_nop 0
5e08 4 s_nop 0
5e0c 4 s_nop 0
5e10 4 s_nop 0
5e14 4 s_nop 0
5e18 4 s_nop 0
5e1c 4 s_nop 0
5e20 4 s_nop 0
5e24 4 s_nop 0
5e28 4 s_nop 0
5e2c 4 s_nop 0
5e30 4 s_nop 0
5e34 4 s_nop 0
5e38 4 s_nop 0
5e3c 4 s_nop 0
5e40 4 s_nop 0
5e44 4 s_nop 0
5e48 4 s_nop 0
5e4c 4 s_nop 0
5e50 4 s_nop 0
5e54 4 s_nop 0
5e58 4 s_nop 0
5e5c 4 s_nop 0
5e60 4 s_nop 0
5e64 4 s_nop 0
5e68 4 s_nop 0
5e6c 4 s_nop 0
5e70 4 s_nop 0
5e74 4 s_nop 0
5e78 4 s_nop 0
5e7c 4 s_nop 0
5e80 4 s_nop 0
5e84 4 s_nop 0
5e88 4 s_nop 0
5e8c 4 s_nop 0
5e90 4 s_nop 0
5e94 4 s_nop 0
5e98 4 s_nop 0
5e9c 4 s_nop 0
5ea0 4 s_nop 0
5ea4 4 s_nop 0
5ea8 4 s_nop 0
5eac 4 s_nop 0
5eb0 4 s_nop 0
5eb4 4 s_nop 0
5eb8 4 s_nop 0
5ebc 4 s_nop 0
5ec0 4 s_nop 0
5ec4 4 s_nop 0
5ec8 4 s_nop 0
5ecc 4 s_nop 0
5ed0 4 s_nop 0
5ed4 4 s_nop 0
5ed8 4 s_nop 0
5edc 4 s_nop 0
5ee0 4 s_nop 0
5ee4 4 s_nop 0
5ee8 4 s_nop 0
5eec 4 s_nop 0
5ef0 4 s_nop 0
5ef4 4 s_nop 0
5ef8 4 s_nop 0
5efc 4 s_nop 0
