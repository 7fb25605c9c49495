both_write:
4600 8 s_load_dwordx2 s[0:1], s[0:1], 0x0
4608 4 s_add_i32 s2, s2, 1
460c 4 v_lshlrev_b32_e32 v0, 2, v0
4610 4 v_mov_b32_e32 v1, s2
4614 4 s_waitcnt lgkmcnt(0)
4618 8 global_store_dword v0, v1, s[0:1]
4620 4 s_endpgm
4624 4 s_nop 0
4628 4 s_nop 0
462c 4 s_nop 0
4630 4 s_nop 0
4634 4 s_nop 0
4638 4 s_nop 0
463c 4 s_nop 0
4640 4 s_nop 0
4644 4 s_nop 0
4648 4 s_nop 0
464c 4 s_nop 0
4650 4 s_nop 0
4654 4 s_nop 0
4658 4 s_nop 0
465c 4 s_nop 0
4660 4 s_nop 0
4664 4 s_nop 0
4668 4 s_nop 0
466c 4 s_nop 0
4670 4 s_nop 0
4674 4 s_nop 0
4678 4 s_nop 0
467c 4 s_nop 0
4680 4 s_nop 0
4684 4 s_nop 0
4688 4 s_nop 0
468c 4 s_nop 0
4690 4 s_nop 0
4694 4 s_nop 0
4698 4 s_nop 0
469c 4 s_nop 0
46a0 4 s_nop 0
46a4 4 s_nop 0
46a8 4 s_nop 0
46ac 4 s_nop 0
46b0 4 s_nop 0
46b4 4 s_nop 0
46b8 4 s_nop 0
46bc 4 s_nop 0
46c0 4 s_nop 0
46c4 4 s_nop 0
46c8 4 s_nop 0
46cc 4 s_nop 0
46d0 4 s_nop 0
46d4 4 s_nop 0
46d8 4 s_nop 0
46dc 4 s_nop 0
46e0 4 s_nop 0
46e4 4 s_nop 0
46e8 4 s_nop 0
46ec 4 s_nop 0
46f0 4 s_nop 0
46f4 4 s_nop 0
46f8 4 s_nop 0
46fc 4 s_nop 0
reads_what_another_wrote:
4700 8 s_load_dwordx4 s[4:7], s[0:1], 0x0
4708 4 s_lshl_b32 s0, s2, 6
470c 4 v_add_u32_e32 v2, s0, v0
4710 4 s_sub_i32 s0, s0, 64
4714 4 v_mov_b32_e32 v3, 0
4718 4 s_cmp_lg_u32 s2, 0
471c 8 v_lshlrev_b64 v[4:5], 2, v[2:3]
4724 4 s_cselect_b32 s0, s0, 0
4728 4 v_add_u32_e32 v1, 1, v0
472c 4 s_waitcnt lgkmcnt(0)
4730 8 v_lshl_add_u64 v[6:7], s[4:5], 0, v[4:5]
4738 4 v_add_u32_e32 v2, s0, v0
473c 8 global_store_dword v[6:7], v1, off
4744 8 v_lshl_add_u64 v[0:1], v[2:3], 2, s[4:5]
474c 8 global_load_dword v2, v[0:1], off
4754 8 v_lshl_add_u64 v[0:1], s[6:7], 0, v[4:5]
475c 4 s_waitcnt vmcnt(0)
4760 8 global_store_dword v[0:1], v2, off
4768 4 s_endpgm
476c 4 s_nop 0
4770 4 s_nop 0
4774 4 s_nop 0
4778 4 s_nop 0
477c 4 s_nop 0
4780 4 s_nop 0
4784 4 s_nop 0
4788 4 s_nop 0
478c 4 s_nop 0
4790 4 s_nop 0
4794 4 s_nop 0
4798 4 s_nop 0
479c 4 s_nop 0
47a0 4 s_nop 0
47a4 4 s_nop 0
47a8 4 s_nop 0
47ac 4 s_nop 0
47b0 4 s_nop 0
47b4 4 s_nop 0
47b8 4 s_nop 0
47bc 4 s_nop 0
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
writes_what_another_read:
4800 8 s_load_dword s3, s[0:1], 0x18
4808 8 v_lshl_add_u32 v2, s2, 6, v0
4810 4 s_add_i32 s2, s2, 1
4814 8 s_load_dwordx2 s[0:1], s[0:1], 0x0
481c 4 v_mov_b32_e32 v3, 0
4820 4 s_waitcnt lgkmcnt(0)
4824 4 v_cvt_f32_u32_e32 v1, s3
4828 4 s_sub_i32 s4, 0, s3
482c 8 v_lshl_add_u64 v[4:5], v[2:3], 2, s[0:1]
4834 4 v_rcp_iflag_f32_e32 v1, v1
4838 4 s_nop 0
483c 8 v_mul_f32_e32 v1, 0x4f7ffffe, v1
4844 4 v_cvt_u32_f32_e32 v1, v1
4848 4 s_nop 0
484c 4 v_readfirstlane_b32 s5, v1
4850 4 s_mul_i32 s4, s4, s5
4854 4 s_mul_hi_u32 s4, s5, s4
4858 4 s_add_i32 s5, s5, s4
485c 4 s_mul_hi_u32 s4, s2, s5
4860 4 s_mul_i32 s4, s4, s3
4864 4 s_sub_i32 s2, s2, s4
4868 4 s_sub_i32 s4, s2, s3
486c 4 s_cmp_ge_u32 s2, s3
4870 4 s_cselect_b32 s2, s4, s2
4874 4 s_sub_i32 s4, s2, s3
4878 4 s_cmp_ge_u32 s2, s3
487c 4 s_cselect_b32 s2, s4, s2
4880 8 v_lshl_add_u32 v2, s2, 6, v0
4888 8 v_lshl_add_u64 v[0:1], v[2:3], 2, s[0:1]
4890 8 global_load_dword v2, v[4:5], off
4898 8 global_load_dword v3, v[0:1], off
48a0 4 s_waitcnt vmcnt(0)
48a4 8 v_add3_u32 v0, v2, v3, 1
48ac 4 s_barrier
48b0 8 global_store_dword v[4:5], v0, off
48b8 4 s_endpgm
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
same_byte:
4900 8 s_load_dwordx2 s[0:1], s[0:1], 0x0
4908 4 s_add_i32 s2, s2, 1
490c 4 v_mov_b32_e32 v1, s2
4910 4 s_waitcnt lgkmcnt(0)
4914 8 global_store_byte v0, v1, s[0:1]
491c 4 s_endpgm
4920 4 s_nop 0
4924 4 s_nop 0
4928 4 s_nop 0
492c 4 s_nop 0
4930 4 s_nop 0
4934 4 s_nop 0
4938 4 s_nop 0
493c 4 s_nop 0
4940 4 s_nop 0
4944 4 s_nop 0
4948 4 s_nop 0
494c 4 s_nop 0
4950 4 s_nop 0
4954 4 s_nop 0
4958 4 s_nop 0
495c 4 s_nop 0
4960 4 s_nop 0
4964 4 s_nop 0
4968 4 s_nop 0
496c 4 s_nop 0
4970 4 s_nop 0
4974 4 s_nop 0
4978 4 s_nop 0
497c 4 s_nop 0
4980 4 s_nop 0
4984 4 s_nop 0
4988 4 s_nop 0
498c 4 s_nop 0
4990 4 s_nop 0
4994 4 s_nop 0
4998 4 s_nop 0
499c 4 s_nop 0
49a0 4 s_nop 0
49a4 4 s_nop 0
49a8 4 s_nop 0
49ac 4 s_nop 0
49b0 4 s_nop 0
49b4 4 s_nop 0
49b8 4 s_nop 0
49bc 4 s_nop 0
49c0 4 s_nop 0
49c4 4 s_nop 0
49c8 4 s_nop 0
49cc 4 s_nop 0
49d0 4 s_nop 0
49d4 4 s_nop 0
49d8 4 s_nop 0
49dc 4 s_nop 0
49e0 4 s_nop 0
49e4 4 s_nop 0
49e8 4 s_nop 0
49ec 4 s_nop 0
49f0 4 s_nop 0
49f4 4 s_nop 0
49f8 4 s_nop 0
49fc 4 s_nop 0
byte_of_a_word:
4a00 8 s_load_dwordx2 s[0:1], s[0:1], 0x0
4a08 4 s_cmp_eq_u32 s2, 0
4a0c 4 v_lshlrev_b32_e32 v0, 2, v0
4a10 4 s_cbranch_scc1 10 => 4a3c
4a14 4 v_mov_b32_e32 v1, 1
4a18 4 s_waitcnt lgkmcnt(0)
4a1c 8 global_store_byte v0, v1, s[0:1] offset:2
4a24 4 s_cbranch_execnz 4 => 4a38
4a28 4 v_mov_b32_e32 v1, 7
4a2c 4 s_waitcnt lgkmcnt(0)
4a30 8 global_store_dword v0, v1, s[0:1]
4a38 4 s_endpgm
4a3c 4 s_branch 65530 => 4a28
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
scalar_read:
4b00 8 s_load_dwordx4 s[4:7], s[0:1], 0x0
4b08 4 v_mov_b32_e32 v3, 0
4b0c 8 v_lshl_add_u32 v2, s2, 6, v0
4b14 8 v_lshlrev_b64 v[4:5], 2, v[2:3]
4b1c 4 v_mov_b32_e32 v1, 5
4b20 4 s_waitcnt lgkmcnt(0)
4b24 8 v_lshl_add_u64 v[6:7], s[4:5], 0, v[4:5]
4b2c 8 global_store_dword v[6:7], v1, off
4b34 8 global_load_dword v1, v3, s[6:7]
4b3c 4 s_waitcnt vmcnt(0)
4b40 4 v_add_u32_e32 v2, v1, v0
4b44 8 v_lshl_add_u64 v[0:1], s[6:7], 0, v[4:5]
4b4c 8 global_store_dword v[0:1], v2, off
4b54 4 s_endpgm
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
last_block_unfenced:
4c00 8 s_load_dwordx4 s[4:7], s[0:1], 0x0
4c08 8 s_load_dwordx2 s[8:9], s[0:1], 0x10
4c10 8 v_lshl_add_u32 v2, s2, 6, v0
4c18 4 v_mov_b32_e32 v3, 0
4c1c 4 v_add_u32_e32 v1, 1, v0
4c20 4 s_waitcnt lgkmcnt(0)
4c24 8 v_lshl_add_u64 v[2:3], v[2:3], 2, s[4:5]
4c2c 4 v_cmp_eq_u32_e32 vcc, 0, v0
4c30 8 global_store_dword v[2:3], v1, off
4c38 4 s_barrier
4c3c 4 s_and_saveexec_b64 s[2:3], vcc
4c40 4 s_cbranch_execz 28 => 4cb4
4c44 4 s_mov_b64 s[12:13], exec
4c48 8 v_mbcnt_lo_u32_b32 v1, s12, 0
4c50 8 v_mbcnt_hi_u32_b32 v1, s13, v1
4c58 4 v_cmp_eq_u32_e32 vcc, 0, v1
4c5c 4 s_and_saveexec_b64 s[10:11], vcc
4c60 4 s_cbranch_execz 5 => 4c78
4c64 4 s_bcnt1_i32_b64 s12, s[12:13]
4c68 4 v_mov_b32_e32 v4, 0
4c6c 4 v_mov_b32_e32 v5, s12
4c70 8 global_atomic_add v4, v4, v5, s[8:9] sc0
4c78 4 s_or_b64 exec, exec, s[10:11]
4c7c 8 s_load_dword s8, s[0:1], 0x18
4c84 4 s_waitcnt vmcnt(0)
4c88 4 v_readfirstlane_b32 s9, v4
4c8c 4 v_mov_b32_e32 v4, 0
4c90 4 s_waitcnt lgkmcnt(0)
4c94 4 s_add_i32 s8, s8, -1
4c98 4 v_add_u32_e32 v1, s9, v1
4c9c 4 v_cmp_eq_u32_e32 vcc, s8, v1
4ca0 4 s_nop 1
4ca4 8 v_cndmask_b32_e64 v1, 0, 1, vcc
4cac 8 ds_write_b32 v4, v1
4cb4 4 s_or_b64 exec, exec, s[2:3]
4cb8 4 v_mov_b32_e32 v1, 0
4cbc 4 s_waitcnt lgkmcnt(0)
4cc0 4 s_barrier
4cc4 8 ds_read_b32 v4, v1
4ccc 4 s_waitcnt lgkmcnt(0)
4cd0 4 v_cmp_eq_u32_e32 vcc, 0, v4
4cd4 4 s_cbranch_vccnz 88 => 4e38
4cd8 8 s_load_dword s8, s[0:1], 0x18
4ce0 4 s_waitcnt lgkmcnt(0)
4ce4 4 s_cmp_eq_u32 s8, 0
4ce8 4 s_cbranch_scc1 78 => 4e24
4cec 4 s_cmp_lt_u32 s8, 18
4cf0 4 s_cselect_b64 s[2:3], -1, 0
4cf4 4 s_and_b64 vcc, exec, s[2:3]
4cf8 4 v_mov_b32_e32 v1, 0
4cfc 4 v_mov_b32_e32 v5, 0
4d00 4 s_cbranch_vccnz 51 => 4dd0
4d04 4 s_add_i32 s0, s8, -1
4d08 4 s_lshl_b32 s2, s0, 6
4d0c 8 s_cmp_lt_u32 s0, 0x4000000
4d14 4 v_add_co_u32_e32 v1, vcc, s2, v0
4d18 4 s_cselect_b64 s[0:1], -1, 0
4d1c 4 s_xor_b64 s[10:11], vcc, -1
4d20 4 s_mov_b64 s[2:3], -1
4d24 4 s_and_b64 s[10:11], s[10:11], s[0:1]
4d28 4 v_mov_b32_e32 v1, 0
4d2c 4 v_mov_b32_e32 v5, 0
4d30 4 s_and_saveexec_b64 s[0:1], s[10:11]
4d34 4 s_cbranch_execz 37 => 4dcc
4d38 8 s_and_b32 s2, s8, 0x7fffffe
4d40 4 v_mov_b32_e32 v1, v0
4d44 4 s_mov_b32 s3, 1
4d48 4 v_mov_b32_e32 v4, 0
4d4c 4 s_mov_b32 s9, 0
4d50 4 s_mov_b32 s10, s2
4d54 4 v_mov_b32_e32 v5, 0
4d58 4 v_mov_b32_e32 v6, 0
4d5c 8 v_lshl_add_u32 v8, s3, 6, v1
4d64 4 v_mov_b32_e32 v9, s9
4d68 8 v_lshl_add_u32 v10, v6, 6, v0
4d70 4 v_mov_b32_e32 v11, s9
4d74 8 v_lshl_add_u64 v[8:9], v[8:9], 2, s[4:5]
4d7c 8 v_lshl_add_u64 v[10:11], v[10:11], 2, s[4:5]
4d84 8 global_load_dword v7, v[8:9], off
4d8c 8 global_load_dword v12, v[10:11], off
4d94 4 s_add_i32 s3, s3, 2
4d98 4 s_add_i32 s10, s10, -2
4d9c 4 v_add_u32_e32 v6, 2, v6
4da0 4 s_cmp_lg_u32 s10, 0
4da4 4 s_waitcnt vmcnt(1)
4da8 4 v_add_u32_e32 v5, v7, v5
4dac 4 s_waitcnt vmcnt(0)
4db0 4 v_add_u32_e32 v4, v12, v4
4db4 4 s_cbranch_scc1 65513 => 4d5c
4db8 4 s_cmp_lg_u32 s8, s2
4dbc 4 s_cselect_b64 s[10:11], -1, 0
4dc0 4 v_add_u32_e32 v1, v4, v5
4dc4 4 v_mov_b32_e32 v5, s2
4dc8 4 s_orn2_b64 s[2:3], s[10:11], exec
4dcc 4 s_or_b64 exec, exec, s[0:1]
4dd0 4 s_and_saveexec_b64 s[0:1], s[2:3]
4dd4 4 s_cbranch_execz 18 => 4e20
4dd8 8 v_lshl_add_u32 v4, v5, 6, v0
4de0 4 v_sub_u32_e32 v6, s8, v5
4de4 4 s_mov_b64 s[2:3], 0
4de8 4 v_mov_b32_e32 v5, 0
4dec 8 v_lshl_add_u64 v[8:9], v[4:5], 2, s[4:5]
4df4 8 global_load_dword v7, v[8:9], off
4dfc 4 v_add_u32_e32 v6, -1, v6
4e00 4 v_cmp_eq_u32_e32 vcc, 0, v6
4e04 4 v_add_u32_e32 v4, 64, v4
4e08 4 s_or_b64 s[2:3], vcc, s[2:3]
4e0c 4 s_waitcnt vmcnt(0)
4e10 4 v_add_u32_e32 v1, v7, v1
4e14 4 s_andn2_b64 exec, exec, s[2:3]
4e18 4 s_cbranch_execnz 65524 => 4dec
4e1c 4 s_or_b64 exec, exec, s[2:3]
4e20 4 s_or_b64 exec, exec, s[0:1]
4e24 4 v_lshlrev_b32_e32 v0, 2, v0
4e28 8 global_store_dword v[2:3], v1, off
4e30 8 global_store_dword v0, v1, s[6:7]
4e38 4 s_endpgm
4e3c 4 s_nop 0
4e40 4 s_nop 0
4e44 4 s_nop 0
4e48 4 s_nop 0
4e4c 4 s_nop 0
4e50 4 s_nop 0
4e54 4 s_nop 0
4e58 4 s_nop 0
4e5c 4 s_nop 0
4e60 4 s_nop 0
4e64 4 s_nop 0
4e68 4 s_nop 0
4e6c 4 s_nop 0
4e70 4 s_nop 0
4e74 4 s_nop 0
4e78 4 s_nop 0
4e7c 4 s_nop 0
4e80 4 s_nop 0
4e84 4 s_nop 0
4e88 4 s_nop 0
4e8c 4 s_nop 0
4e90 4 s_nop 0
4e94 4 s_nop 0
4e98 4 s_nop 0
4e9c 4 s_nop 0
4ea0 4 s_nop 0
4ea4 4 s_nop 0
4ea8 4 s_nop 0
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
last_block_fenced:
4f00 8 s_load_dwordx4 s[4:7], s[0:1], 0x0
4f08 8 s_load_dwordx2 s[8:9], s[0:1], 0x10
4f10 8 v_lshl_add_u32 v2, s2, 6, v0
4f18 4 v_mov_b32_e32 v3, 0
4f1c 4 v_add_u32_e32 v1, 1, v0
4f20 4 s_waitcnt lgkmcnt(0)
4f24 8 v_lshl_add_u64 v[2:3], v[2:3], 2, s[4:5]
4f2c 4 v_cmp_eq_u32_e32 vcc, 0, v0
4f30 8 global_store_dword v[2:3], v1, off
4f38 8 buffer_wbl2 sc1
4f40 4 s_waitcnt vmcnt(0)
4f44 8 buffer_inv sc1
4f4c 4 s_barrier
4f50 4 s_and_saveexec_b64 s[2:3], vcc
4f54 4 s_cbranch_execz 28 => 4fc8
4f58 4 s_mov_b64 s[12:13], exec
4f5c 8 v_mbcnt_lo_u32_b32 v1, s12, 0
4f64 8 v_mbcnt_hi_u32_b32 v1, s13, v1
4f6c 4 v_cmp_eq_u32_e32 vcc, 0, v1
4f70 4 s_and_saveexec_b64 s[10:11], vcc
4f74 4 s_cbranch_execz 5 => 4f8c
4f78 4 s_bcnt1_i32_b64 s12, s[12:13]
4f7c 4 v_mov_b32_e32 v4, 0
4f80 4 v_mov_b32_e32 v5, s12
4f84 8 global_atomic_add v4, v4, v5, s[8:9] sc0
4f8c 4 s_or_b64 exec, exec, s[10:11]
4f90 8 s_load_dword s8, s[0:1], 0x18
4f98 4 s_waitcnt vmcnt(0)
4f9c 4 v_readfirstlane_b32 s9, v4
4fa0 4 v_mov_b32_e32 v4, 0
4fa4 4 s_waitcnt lgkmcnt(0)
4fa8 4 s_add_i32 s8, s8, -1
4fac 4 v_add_u32_e32 v1, s9, v1
4fb0 4 v_cmp_eq_u32_e32 vcc, s8, v1
4fb4 4 s_nop 1
4fb8 8 v_cndmask_b32_e64 v1, 0, 1, vcc
4fc0 8 ds_write_b32 v4, v1
4fc8 4 s_or_b64 exec, exec, s[2:3]
4fcc 4 v_mov_b32_e32 v1, 0
4fd0 4 s_waitcnt lgkmcnt(0)
4fd4 4 s_barrier
4fd8 8 ds_read_b32 v4, v1
4fe0 4 s_waitcnt lgkmcnt(0)
4fe4 4 v_cmp_eq_u32_e32 vcc, 0, v4
4fe8 4 s_cbranch_vccnz 92 => 515c
4fec 8 buffer_wbl2 sc1
4ff4 8 buffer_inv sc1
4ffc 8 s_load_dword s8, s[0:1], 0x18
5004 4 s_waitcnt lgkmcnt(0)
5008 4 s_cmp_eq_u32 s8, 0
500c 4 s_cbranch_scc1 78 => 5148
5010 4 s_cmp_lt_u32 s8, 18
5014 4 s_cselect_b64 s[2:3], -1, 0
5018 4 s_and_b64 vcc, exec, s[2:3]
501c 4 v_mov_b32_e32 v1, 0
5020 4 v_mov_b32_e32 v5, 0
5024 4 s_cbranch_vccnz 51 => 50f4
5028 4 s_add_i32 s0, s8, -1
502c 4 s_lshl_b32 s2, s0, 6
5030 8 s_cmp_lt_u32 s0, 0x4000000
5038 4 v_add_co_u32_e32 v1, vcc, s2, v0
503c 4 s_cselect_b64 s[0:1], -1, 0
5040 4 s_xor_b64 s[10:11], vcc, -1
5044 4 s_mov_b64 s[2:3], -1
5048 4 s_and_b64 s[10:11], s[10:11], s[0:1]
504c 4 v_mov_b32_e32 v1, 0
5050 4 v_mov_b32_e32 v5, 0
5054 4 s_and_saveexec_b64 s[0:1], s[10:11]
5058 4 s_cbranch_execz 37 => 50f0
505c 8 s_and_b32 s2, s8, 0x7fffffe
5064 4 v_mov_b32_e32 v1, v0
5068 4 s_mov_b32 s3, 1
506c 4 v_mov_b32_e32 v4, 0
5070 4 s_mov_b32 s9, 0
5074 4 s_mov_b32 s10, s2
5078 4 v_mov_b32_e32 v5, 0
507c 4 v_mov_b32_e32 v6, 0
5080 8 v_lshl_add_u32 v8, s3, 6, v1
5088 4 v_mov_b32_e32 v9, s9
508c 8 v_lshl_add_u32 v10, v6, 6, v0
5094 4 v_mov_b32_e32 v11, s9
5098 8 v_lshl_add_u64 v[8:9], v[8:9], 2, s[4:5]
50a0 8 v_lshl_add_u64 v[10:11], v[10:11], 2, s[4:5]
50a8 8 global_load_dword v7, v[8:9], off
50b0 8 global_load_dword v12, v[10:11], off
50b8 4 s_add_i32 s3, s3, 2
50bc 4 s_add_i32 s10, s10, -2
50c0 4 v_add_u32_e32 v6, 2, v6
50c4 4 s_cmp_lg_u32 s10, 0
50c8 4 s_waitcnt vmcnt(1)
50cc 4 v_add_u32_e32 v5, v7, v5
50d0 4 s_waitcnt vmcnt(0)
50d4 4 v_add_u32_e32 v4, v12, v4
50d8 4 s_cbranch_scc1 65513 => 5080
50dc 4 s_cmp_lg_u32 s8, s2
50e0 4 s_cselect_b64 s[10:11], -1, 0
50e4 4 v_add_u32_e32 v1, v4, v5
50e8 4 v_mov_b32_e32 v5, s2
50ec 4 s_orn2_b64 s[2:3], s[10:11], exec
50f0 4 s_or_b64 exec, exec, s[0:1]
50f4 4 s_and_saveexec_b64 s[0:1], s[2:3]
50f8 4 s_cbranch_execz 18 => 5144
50fc 8 v_lshl_add_u32 v4, v5, 6, v0
5104 4 v_sub_u32_e32 v6, s8, v5
5108 4 s_mov_b64 s[2:3], 0
510c 4 v_mov_b32_e32 v5, 0
5110 8 v_lshl_add_u64 v[8:9], v[4:5], 2, s[4:5]
5118 8 global_load_dword v7, v[8:9], off
5120 4 v_add_u32_e32 v6, -1, v6
5124 4 v_cmp_eq_u32_e32 vcc, 0, v6
5128 4 v_add_u32_e32 v4, 64, v4
512c 4 s_or_b64 s[2:3], vcc, s[2:3]
5130 4 s_waitcnt vmcnt(0)
5134 4 v_add_u32_e32 v1, v7, v1
5138 4 s_andn2_b64 exec, exec, s[2:3]
513c 4 s_cbranch_execnz 65524 => 5110
5140 4 s_or_b64 exec, exec, s[2:3]
5144 4 s_or_b64 exec, exec, s[0:1]
5148 4 v_lshlrev_b32_e32 v0, 2, v0
514c 8 global_store_dword v[2:3], v1, off
5154 8 global_store_dword v0, v1, s[6:7]
515c 4 s_endpgm
5160 4 s_nop 0
5164 4 s_nop 0
5168 4 s_nop 0
516c 4 s_nop 0
5170 4 s_nop 0
5174 4 s_nop 0
5178 4 s_nop 0
517c 4 s_nop 0
5180 4 s_nop 0
5184 4 s_nop 0
5188 4 s_nop 0
518c 4 s_nop 0
5190 4 s_nop 0
5194 4 s_nop 0
5198 4 s_nop 0
519c 4 s_nop 0
51a0 4 s_nop 0
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
own_slices:
5200 8 s_load_dwordx4 s[4:7], s[0:1], 0x0
5208 4 v_lshlrev_b32_e32 v1, 2, v0
520c 8 v_lshl_add_u32 v0, s2, 6, v0
5214 4 s_waitcnt lgkmcnt(0)
5218 4 v_mov_b32_e32 v2, s4
521c 4 v_mov_b32_e32 v3, s5
5220 8 global_load_dword v4, v1, s[6:7]
5228 4 v_mov_b32_e32 v1, 0
522c 8 v_lshl_add_u64 v[0:1], v[0:1], 2, v[2:3]
5234 8 global_load_dword v2, v[0:1], off
523c 4 s_waitcnt vmcnt(0)
5240 8 v_add_lshl_u32 v2, v2, v4, 1
5248 8 global_store_dword v[0:1], v2, off
5250 4 s_endpgm
5254 4 s_nop 0
5258 4 s_nop 0
525c 4 s_nop 0
5260 4 s_nop 0
5264 4 s_nop 0
5268 4 s_nop 0
526c 4 s_nop 0
5270 4 s_nop 0
5274 4 s_nop 0
5278 4 s_nop 0
527c 4 s_nop 0
5280 4 s_nop 0
5284 4 s_nop 0
5288 4 s_nop 0
528c 4 s_nop 0
5290 4 s_nop 0
5294 4 s_nop 0
5298 4 s_nop 0
529c 4 s_nop 0
52a0 4 s_nop 0
52a4 4 s_nop 0
52a8 4 s_nop 0
52ac 4 s_nop 0
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
bytes_apart:
5300 8 s_load_dwordx2 s[0:1], s[0:1], 0x0
5308 4 s_and_b32 s3, s2, 3
530c 8 v_lshl_or_b32 v0, v0, 2, s3
5314 4 s_add_i32 s2, s2, 1
5318 4 s_waitcnt lgkmcnt(0)
531c 8 global_load_ubyte v1, v0, s[0:1]
5324 4 s_waitcnt vmcnt(0)
5328 4 v_add_u16_e32 v1, s2, v1
532c 8 global_store_byte v0, v1, s[0:1]
5334 4 s_endpgm
5338 4 s_nop 0
533c 4 s_nop 0
5340 4 s_nop 0
5344 4 s_nop 0
5348 4 s_nop 0
534c 4 s_nop 0
5350 4 s_nop 0
5354 4 s_nop 0
5358 4 s_nop 0
535c 4 s_nop 0
5360 4 s_nop 0
5364 4 s_nop 0
5368 4 s_nop 0
536c 4 s_nop 0
5370 4 s_nop 0
5374 4 s_nop 0
5378 4 s_nop 0
537c 4 s_nop 0
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
same_value:
5400 8 s_load_dwordx2 s[0:1], s[0:1], 0x0
5408 4 v_lshlrev_b32_e32 v0, 2, v0
540c 4 v_mov_b32_e32 v1, 1
5410 4 s_waitcnt lgkmcnt(0)
5414 8 global_store_dword v0, v1, s[0:1]
541c 4 s_endpgm
5420 4 s_nop 0
5424 4 s_nop 0
5428 4 s_nop 0
542c 4 s_nop 0
5430 4 s_nop 0
5434 4 s_nop 0
5438 4 s_nop 0
543c 4 s_nop 0
5440 4 s_nop 0
5444 4 s_nop 0
5448 4 s_nop 0
544c 4 s_nop 0
5450 4 s_nop 0
5454 4 s_nop 0
5458 4 s_nop 0
545c 4 s_nop 0
5460 4 s_nop 0
5464 4 s_nop 0
5468 4 s_nop 0
546c 4 s_nop 0
5470 4 s_nop 0
5474 4 s_nop 0
5478 4 s_nop 0
547c 4 s_nop 0
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
atomics:
5500 8 s_load_dwordx4 s[4:7], s[0:1], 0x0
5508 4 v_lshlrev_b32_e32 v1, 2, v0
550c 4 v_mov_b32_e32 v2, s2
5510 4 s_waitcnt lgkmcnt(0)
5514 8 global_atomic_add v1, v2, s[4:5]
551c 4 v_lshlrev_b32_e32 v1, 1, v0
5520 8 v_and_b32_e32 v1, 0x7fc, v1
5528 8 v_lshl_add_u32 v0, s2, 6, v0
5530 8 global_atomic_umax v1, v0, s[6:7]
5538 4 s_endpgm
553c 4 s_nop 0
5540 4 s_nop 0
5544 4 s_nop 0
5548 4 s_nop 0
554c 4 s_nop 0
5550 4 s_nop 0
5554 4 s_nop 0
5558 4 s_nop 0
555c 4 s_nop 0
5560 4 s_nop 0
5564 4 s_nop 0
5568 4 s_nop 0
556c 4 s_nop 0
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
chain:
5600 8 s_load_dwordx4 s[4:7], s[0:1], 0x0
5608 8 s_load_dwordx2 s[8:9], s[0:1], 0x10
5610 8 v_cmp_eq_u32_e64 s[0:1], 0, v0
5618 4 s_and_saveexec_b64 s[10:11], s[0:1]
561c 4 s_cbranch_execz 9 => 5644
5620 4 v_mov_b32_e32 v1, 0
5624 4 s_waitcnt lgkmcnt(0)
5628 8 global_load_dword v2, v1, s[8:9] sc1
5630 4 s_waitcnt vmcnt(0)
5634 8 buffer_inv sc1
563c 4 v_cmp_ne_u32_e32 vcc, s2, v2
5640 4 s_cbranch_vccnz 65528 => 5624
5644 4 s_or_b64 exec, exec, s[10:11]
5648 4 v_lshlrev_b32_e32 v0, 2, v0
564c 4 s_waitcnt lgkmcnt(0)
5650 4 s_barrier
5654 8 buffer_inv sc1
565c 8 global_load_dword v1, v0, s[4:5]
5664 8 global_load_dword v2, v0, s[6:7]
566c 4 s_waitcnt vmcnt(1)
5670 8 v_lshl_add_u32 v1, v1, 1, v1
5678 4 s_waitcnt vmcnt(0)
567c 8 v_add3_u32 v1, v1, s2, v2
5684 8 global_store_dword v0, v1, s[4:5]
568c 4 s_barrier
5690 4 s_and_saveexec_b64 s[4:5], s[0:1]
5694 4 s_cbranch_execz 8 => 56b8
5698 4 s_add_i32 s0, s2, 1
569c 4 v_mov_b32_e32 v0, 0
56a0 4 v_mov_b32_e32 v1, s0
56a4 8 buffer_wbl2 sc1
56ac 4 s_waitcnt vmcnt(0)
56b0 8 global_store_dword v0, v1, s[8:9] sc1
56b8 4 s_endpgm
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
locked:
5700 4 v_cmp_eq_u32_e32 vcc, 0, v0
5704 4 s_and_saveexec_b64 s[4:5], vcc
5708 4 s_cbranch_execz 35 => 5798
570c 8 s_load_dwordx2 s[4:5], s[0:1], 0x10
5714 4 s_mov_b64 s[6:7], 0
5718 4 v_mov_b32_e32 v0, 1
571c 4 v_mov_b32_e32 v1, 0
5720 4 s_waitcnt lgkmcnt(0)
5724 8 global_atomic_cmpswap v2, v1, v[0:1], s[4:5] sc0
572c 4 s_waitcnt vmcnt(0)
5730 4 v_cmp_eq_u32_e32 vcc, 0, v2
5734 4 s_or_b64 s[6:7], vcc, s[6:7]
5738 4 s_andn2_b64 exec, exec, s[6:7]
573c 4 s_cbranch_execnz 65528 => 5720
5740 4 s_or_b64 exec, exec, s[6:7]
5744 8 s_load_dwordx2 s[0:1], s[0:1], 0x0
574c 4 v_mov_b32_e32 v0, 0
5750 8 buffer_wbl2 sc1
5758 4 s_waitcnt lgkmcnt(0)
575c 8 buffer_inv sc1
5764 8 global_load_dword v1, v0, s[0:1]
576c 4 s_waitcnt vmcnt(0)
5770 4 v_add_u32_e32 v1, s2, v1
5774 8 global_store_dword v0, v1, s[0:1]
577c 8 buffer_wbl2 sc1
5784 4 s_waitcnt vmcnt(0)
5788 8 buffer_inv sc1
5790 8 global_atomic_swap v0, v0, s[4:5]
5798 4 s_endpgm
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
volatile_flags:
5800 4 s_mov_b32 s3, 0
5804 4 v_cmp_eq_u32_e32 vcc, 0, v0
5808 4 s_and_saveexec_b64 s[4:5], vcc
580c 4 s_cbranch_execz 75 => 593c
5810 8 s_load_dwordx2 s[4:5], s[0:1], 0x0
5818 8 s_load_dwordx2 s[6:7], s[0:1], 0x10
5820 4 s_add_i32 s8, s2, 1
5824 4 s_lshl_b64 s[0:1], s[2:3], 2
5828 4 v_mov_b32_e32 v2, s8
582c 4 s_waitcnt lgkmcnt(0)
5830 4 s_add_u32 s8, s4, s0
5834 4 s_addc_u32 s9, s5, s1
5838 4 s_add_u32 s0, s6, s0
583c 4 v_mov_b64_e32 v[0:1], s[8:9]
5840 4 s_addc_u32 s1, s7, s1
5844 8 flat_store_dword v[0:1], v2 sc0 sc1
584c 4 s_waitcnt vmcnt(0)
5850 4 v_mov_b64_e32 v[0:1], s[0:1]
5854 4 v_mov_b32_e32 v2, 1
5858 4 s_cmp_eq_u32 s2, 0
585c 8 buffer_wbl2 sc1
5864 4 s_waitcnt lgkmcnt(0)
5868 8 buffer_inv sc1
5870 8 flat_store_dword v[0:1], v2 sc0 sc1
5878 4 s_waitcnt vmcnt(0)
587c 4 s_cbranch_scc1 18 => 58c8
5880 4 s_mov_b32 s1, 0
5884 4 s_mov_b32 s0, s1
5888 4 s_lshl_b64 s[8:9], s[0:1], 2
588c 4 s_add_u32 s10, s6, s8
5890 4 s_addc_u32 s11, s7, s9
5894 4 s_mov_b64 s[8:9], 0
5898 4 v_mov_b64_e32 v[0:1], s[10:11]
589c 8 flat_load_dword v2, v[0:1] sc0 sc1
58a4 4 s_waitcnt vmcnt(0) lgkmcnt(0)
58a8 4 v_cmp_ne_u32_e32 vcc, 0, v2
58ac 4 s_or_b64 s[8:9], vcc, s[8:9]
58b0 4 s_andn2_b64 exec, exec, s[8:9]
58b4 4 s_cbranch_execnz 65529 => 589c
58b8 4 s_or_b64 exec, exec, s[8:9]
58bc 4 s_add_i32 s0, s0, 1
58c0 4 s_cmp_eq_u32 s0, s2
58c4 4 s_cbranch_scc0 65520 => 5888
58c8 4 s_mov_b32 s1, 0
58cc 4 v_mov_b32_e32 v0, 0
58d0 4 s_mov_b32 s0, s1
58d4 8 buffer_wbl2 sc1
58dc 4 s_waitcnt lgkmcnt(0)
58e0 8 buffer_inv sc1
58e8 4 s_lshl_b64 s[6:7], s[0:1], 2
58ec 4 s_add_u32 s6, s4, s6
58f0 4 s_addc_u32 s7, s5, s7
58f4 4 v_mov_b64_e32 v[2:3], s[6:7]
58f8 8 flat_load_dword v1, v[2:3] sc0 sc1
5900 4 s_waitcnt vmcnt(0)
5904 4 s_add_i32 s0, s0, 1
5908 4 s_cmp_gt_u32 s0, s2
590c 4 s_waitcnt lgkmcnt(0)
5910 4 v_add_u32_e32 v0, v1, v0
5914 4 s_cbranch_scc0 65524 => 58e8
5918 4 s_add_i32 s0, s2, 64
591c 4 s_mov_b32 s1, 0
5920 4 s_lshl_b64 s[0:1], s[0:1], 2
5924 4 s_add_u32 s0, s4, s0
5928 4 s_addc_u32 s1, s5, s1
592c 4 v_mov_b64_e32 v[2:3], s[0:1]
5930 8 flat_store_dword v[2:3], v0 sc0 sc1
5938 4 s_waitcnt vmcnt(0)
593c 4 s_endpgm
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
5a40 4 s_nop 0
5a44 4 s_nop 0
5a48 4 s_nop 0
5a4c 4 s_nop 0
5a50 4 s_nop 0
5a54 4 s_nop 0
5a58 4 s_nop 0
5a5c 4 s_nop 0
5a60 4 s_nop 0
5a64 4 s_nop 0
5a68 4 s_nop 0
5a6c 4 s_nop 0
5a70 4 s_nop 0
5a74 4 s_nop 0
5a78 4 s_nop 0
5a7c 4 s_nop 0
5a80 4 s_nop 0
5a84 4 s_nop 0
5a88 4 s_nop 0
5a8c 4 s_nop 0
5a90 4 s_nop 0
5a94 4 s_nop 0
5a98 4 s_nop 0
5a9c 4 s_nop 0
5aa0 4 s_nop 0
5aa4 4 s_nop 0
5aa8 4 s_nop 0
5aac 4 s_nop 0
5ab0 4 s_nop 0
5ab4 4 s_nop 0
5ab8 4 s_nop 0
5abc 4 s_nop 0
5ac0 4 s_nop 0
5ac4 4 s_nop 0
5ac8 4 s_nop 0
5acc 4 s_nop 0
5ad0 4 s_nop 0
5ad4 4 s_nop 0
5ad8 4 s_nop 0
5adc 4 s_nop 0
5ae0 4 s_nop 0
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
