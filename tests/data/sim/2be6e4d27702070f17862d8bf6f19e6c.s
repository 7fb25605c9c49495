spin:
1800 8 s_load_dword s3, s[0:1], 0x8
1808 4 v_cvt_f32_u32_e32 v1, v0
180c 4 s_waitcnt lgkmcnt(0)
1810 4 s_cmp_lt_i32 s3, 1
1814 4 s_cbranch_scc1 31 => 1894
1818 8 v_mov_b32_e32 v6, 0x3039
1820 8 v_mov_b32_e32 v5, 0x40400000
1828 8 v_mov_b32_e32 v7, 0x3e800000
1830 8 v_mov_b32_e32 v2, 0x3fc00000
1838 4 v_mov_b32_e32 v4, 1.0
183c 4 v_mov_b32_e32 v8, v0
1840 8 v_fma_f32 v9, v2, v7, -v5
1848 4 v_fmac_f32_e32 v7, v1, v2
184c 4 v_xor_b32_e32 v1, v6, v8
1850 4 v_add_u32_e32 v8, 7, v1
1854 4 v_lshlrev_b32_e32 v3, 1, v6
1858 4 v_xor_b32_e32 v10, v8, v3
185c 4 v_mul_f32_e32 v6, 0.5, v2
1860 4 v_sub_u32_e32 v1, -7, v1
1864 4 v_cmp_gt_u32_e32 vcc, v10, v8
1868 8 v_pk_add_f32 v[2:3], v[4:5], v[6:7]
1870 4 s_add_i32 s3, s3, -1
1874 4 v_cndmask_b32_e32 v1, 3, v1, vcc
1878 4 v_add_u32_e32 v6, v1, v10
187c 4 v_max_f32_e32 v1, v7, v3
1880 4 s_cmp_eq_u32 s3, 0
1884 4 v_mov_b32_e32 v5, v3
1888 4 v_mov_b32_e32 v7, v9
188c 4 s_cbranch_scc0 65516 => 1840
1890 4 s_branch 9 => 18b8
1894 8 v_mov_b32_e32 v3, 0x40400000
189c 8 v_mov_b32_e32 v2, 0x3fc00000
18a4 8 v_mov_b32_e32 v6, 0x3039
18ac 8 v_mov_b32_e32 v9, 0x3e800000
18b4 4 v_mov_b32_e32 v8, v0
18b8 8 s_load_dwordx2 s[4:5], s[0:1], 0x0
18c0 8 s_load_dword s3, s[0:1], 0x1c
18c8 4 v_add_u32_e32 v4, v6, v8
18cc 4 v_cvt_f32_u32_e32 v4, v4
18d0 4 v_add_f32_e32 v1, v1, v2
18d4 4 v_add_f32_e32 v1, v1, v9
18d8 4 s_waitcnt lgkmcnt(0)
18dc 8 s_and_b32 s0, s3, 0xffff
18e4 4 v_add_f32_e32 v1, v1, v3
18e8 4 s_mul_i32 s2, s2, s0
18ec 4 v_add_f32_e32 v2, v1, v4
18f0 4 v_add_u32_e32 v0, s2, v0
18f4 4 v_mov_b32_e32 v1, 0
18f8 8 v_lshl_add_u64 v[0:1], v[0:1], 2, s[4:5]
1900 8 global_store_dword v[0:1], v2, off
1908 4 s_endpgm
190c 4 s_nop 0
1910 4 s_nop 0
1914 4 s_nop 0
1918 4 s_nop 0
191c 4 s_nop 0
1920 4 s_nop 0
1924 4 s_nop 0
1928 4 s_nop 0
192c 4 s_nop 0
1930 4 s_nop 0
1934 4 s_nop 0
1938 4 s_nop 0
193c 4 s_nop 0
1940 4 s_nop 0
1944 4 s_nop 0
1948 4 s_nop 0
194c 4 s_nop 0
1950 4 s_nop 0
1954 4 s_nop 0
1958 4 s_nop 0
195c 4 s_nop 0
1960 4 s_nop 0
1964 4 s_nop 0
1968 4 s_nop 0
196c 4 s_nop 0
1970 4 s_nop 0
1974 4 s_nop 0
1978 4 s_nop 0
197c 4 s_nop 0
1980 4 s_nop 0
1984 4 s_nop 0
1988 4 s_nop 0
198c 4 s_nop 0
1990 4 s_nop 0
1994 4 s_nop 0
1998 4 s_nop 0
199c 4 s_nop 0
19a0 4 s_nop 0
19a4 4 s_nop 0
19a8 4 s_nop 0
19ac 4 s_nop 0
19b0 4 s_nop 0
19b4 4 s_nop 0
19b8 4 s_nop 0
19bc 4 s_nop 0
19c0 4 s_nop 0
19c4 4 s_nop 0
19c8 4 s_nop 0
19cc 4 s_nop 0
19d0 4 s_nop 0
19d4 4 s_nop 0
19d8 4 s_nop 0
19dc 4 s_nop 0
19e0 4 s_nop 0
19e4 4 s_nop 0
19e8 4 s_nop 0
19ec 4 s_nop 0
19f0 4 s_nop 0
19f4 4 s_nop 0
19f8 4 s_nop 0
19fc 4 s_nop 0
1a00 4 s_nop 0
1a04 4 s_nop 0
1a08 4 s_nop 0
1a0c 4 s_nop 0
1a10 4 s_nop 0
1a14 4 s_nop 0
1a18 4 s_nop 0
1a1c 4 s_nop 0
1a20 4 s_nop 0
1a24 4 s_nop 0
1a28 4 s_nop 0
1a2c 4 s_nop 0
1a30 4 s_nop 0
1a34 4 s_nop 0
1a38 4 s_nop 0
1a3c 4 s_nop 0
1a40 4 s_nop 0
1a44 4 s_nop 0
1a48 4 s_nop 0
1a4c 4 s_nop 0
1a50 4 s_nop 0
1a54 4 s_nop 0
1a58 4 s_nop 0
1a5c 4 s_nop 0
1a60 4 s_nop 0
1a64 4 s_nop 0
1a68 4 s_nop 0
1a6c 4 s_nop 0
1a70 4 s_nop 0
1a74 4 s_nop 0
1a78 4 s_nop 0
1a7c 4 s_nop 0
1a80 4 s_nop 0
1a84 4 s_nop 0
1a88 4 s_nop 0
1a8c 4 s_nop 0
1a90 4 s_nop 0
1a94 4 s_nop 0
1a98 4 s_nop 0
1a9c 4 s_nop 0
1aa0 4 s_nop 0
1aa4 4 s_nop 0
1aa8 4 s_nop 0
1aac 4 s_nop 0
1ab0 4 s_nop 0
1ab4 4 s_nop 0
1ab8 4 s_nop 0
1abc 4 s_nop 0
1ac0 4 s_nop 0
1ac4 4 s_nop 0
1ac8 4 s_nop 0
1acc 4 s_nop 0
1ad0 4 s_nop 0
1ad4 4 s_nop 0
1ad8 4 s_nop 0
1adc 4 s_nop 0
1ae0 4 s_nop 0
1ae4 4 s_nop 0
1ae8 4 s_nop 0
1aec 4 s_nop 0
1af0 4 s_nop 0
1af4 4 s_nop 0
1af8 4 s_nop 0
1afc 4 s_nop 0
1b00 4 s_nop 0
1b04 4 s_nop 0
1b08 4 s_nop 0
1b0c 4 s_nop 0
1b10 4 s_nop 0
1b14 4 s_nop 0
1b18 4 s_nop 0
1b1c 4 s_nop 0
1b20 4 s_nop 0
1b24 4 s_nop 0
1b28 4 s_nop 0
1b2c 4 s_nop 0
1b30 4 s_nop 0
1b34 4 s_nop 0
1b38 4 s_nop 0
1b3c 4 s_nop 0
1b40 4 s_nop 0
1b44 4 s_nop 0
1b48 4 s_nop 0
1b4c 4 s_nop 0
1b50 4 s_nop 0
1b54 4 s_nop 0
1b58 4 s_nop 0
1b5c 4 s_nop 0
1b60 4 s_nop 0
1b64 4 s_nop 0
1b68 4 s_nop 0
1b6c 4 s_nop 0
1b70 4 s_nop 0
1b74 4 s_nop 0
1b78 4 s_nop 0
1b7c 4 s_nop 0
1b80 4 s_nop 0
1b84 4 s_nop 0
1b88 4 s_nop 0
1b8c 4 s_nop 0
1b90 4 s_nop 0
1b94 4 s_nop 0
1b98 4 s_nop 0
1b9c 4 s_nop 0
1ba0 4 s_nop 0
1ba4 4 s_nop 0
1ba8 4 s_nop 0
1bac 4 s_nop 0
1bb0 4 s_nop 0
1bb4 4 s_nop 0
1bb8 4 s_nop 0
1bbc 4 s_nop 0
1bc0 4 s_nop 0
1bc4 4 s_nop 0
1bc8 4 s_nop 0
1bcc 4 s_nop 0
1bd0 4 s_nop 0
1bd4 4 s_nop 0
1bd8 4 s_nop 0
1bdc 4 s_nop 0
1be0 4 s_nop 0
1be4 4 s_nop 0
1be8 4 s_nop 0
1bec 4 s_nop 0
1bf0 4 s_nop 0
1bf4 4 s_nop 0
1bf8 4 s_nop 0
1bfc 4 s_nop 0
1c00 4 s_nop 0
1c04 4 s_nop 0
1c08 4 s_nop 0
1c0c 4 s_nop 0
1c10 4 s_nop 0
1c14 4 s_nop 0
1c18 4 s_nop 0
1c1c 4 s_nop 0
1c20 4 s_nop 0
1c24 4 s_nop 0
1c28 4 s_nop 0
1c2c 4 s_nop 0
1c30 4 s_nop 0
1c34 4 s_nop 0
1c38 4 s_nop 0
1c3c 4 s_nop 0
1c40 4 s_nop 0
1c44 4 s_nop 0
1c48 4 s_nop 0
1c4c 4 s_nop 0
1c50 4 s_nop 0
1c54 4 s_nop 0
1c58 4 s_nop 0
1c5c 4 s_nop 0
1c60 4 s_nop 0
1c64 4 s_nop 0
1c68 4 s_nop 0
1c6c 4 s_nop 0
1c70 4 s_nop 0
1c74 4 s_nop 0
1c78 4 s_nop 0
1c7c 4 s_nop 0
1c80 4 s_nop 0
1c84 4 s_nop 0
1c88 4 s_nop 0
1c8c 4 s_nop 0
1c90 4 s_nop 0
1c94 4 s_nop 0
1c98 4 s_nop 0
1c9c 4 s_nop 0
1ca0 4 s_nop 0
1ca4 4 s_nop 0
1ca8 4 s_nop 0
1cac 4 s_nop 0
1cb0 4 s_nop 0
1cb4 4 s_nop 0
1cb8 4 s_nop 0
1cbc 4 s_nop 0
1cc0 4 s_nop 0
1cc4 4 s_nop 0
1cc8 4 s_nop 0
1ccc 4 s_nop 0
1cd0 4 s_nop 0
1cd4 4 s_nop 0
1cd8 4 s_nop 0
1cdc 4 s_nop 0
1ce0 4 s_nop 0
1ce4 4 s_nop 0
1ce8 4 s_nop 0
1cec 4 s_nop 0
1cf0 4 s_nop 0
1cf4 4 s_nop 0
1cf8 4 s_nop 0
1cfc 4 s_nop 0
1d00 4 s_nop 0
1d04 4 s_nop 0
1d08 4 s_nop 0
1d0c 4 s_nop 0
1d10 4 s_nop 0
1d14 4 s_nop 0
1d18 4 s_nop 0
1d1c 4 s_nop 0
1d20 4 s_nop 0
1d24 4 s_nop 0
1d28 4 s_nop 0
1d2c 4 s_nop 0
1d30 4 s_nop 0
1d34 4 s_nop 0
1d38 4 s_nop 0
1d3c 4 s_nop 0
