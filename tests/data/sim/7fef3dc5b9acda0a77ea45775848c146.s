vector_reads_early:
2000 8 s_load_dwordx2 s[4:5], s[0:1], 0x0
2008 8 s_mov_b32 s0, 0x3f803f80
2010 4 s_mov_b32 s1, s0
2014 4 s_mov_b32 s2, s0
2018 4 s_mov_b32 s3, s0
201c 4 v_lshlrev_b32_e32 v8, 4, v0
2020 4 v_mov_b64_e32 v[0:1], s[0:1]
2024 4 v_mov_b64_e32 v[6:7], s[2:3]
2028 4 v_mov_b64_e32 v[2:3], s[2:3]
202c 4 v_mov_b64_e32 v[4:5], s[0:1]
2030 4 s_waitcnt lgkmcnt(0)
2034 4 s_nop 7
2038 8 v_mfma_f32_16x16x32_bf16 v[40:43], v[0:3], v[4:7], 0
2040 4 s_nop 6
2044 4 v_mov_b32_e32 v44, v40
2048 4 s_waitcnt vmcnt(0)
204c 4 s_nop 15
2050 4 s_endpgm
2054 4 s_nop 0
2058 4 s_nop 0
205c 4 s_nop 0
2060 4 s_nop 0
2064 4 s_nop 0
2068 4 s_nop 0
206c 4 s_nop 0
2070 4 s_nop 0
2074 4 s_nop 0
2078 4 s_nop 0
207c 4 s_nop 0
2080 4 s_nop 0
2084 4 s_nop 0
2088 4 s_nop 0
208c 4 s_nop 0
2090 4 s_nop 0
2094 4 s_nop 0
2098 4 s_nop 0
209c 4 s_nop 0
20a0 4 s_nop 0
20a4 4 s_nop 0
20a8 4 s_nop 0
20ac 4 s_nop 0
20b0 4 s_nop 0
20b4 4 s_nop 0
20b8 4 s_nop 0
20bc 4 s_nop 0
20c0 4 s_nop 0
20c4 4 s_nop 0
20c8 4 s_nop 0
20cc 4 s_nop 0
20d0 4 s_nop 0
20d4 4 s_nop 0
20d8 4 s_nop 0
20dc 4 s_nop 0
20e0 4 s_nop 0
20e4 4 s_nop 0
20e8 4 s_nop 0
20ec 4 s_nop 0
20f0 4 s_nop 0
20f4 4 s_nop 0
20f8 4 s_nop 0
20fc 4 s_nop 0
store_reads_early:
2100 8 s_load_dwordx2 s[4:5], s[0:1], 0x0
2108 8 s_mov_b32 s0, 0x3f803f80
2110 4 s_mov_b32 s1, s0
2114 4 s_mov_b32 s2, s0
2118 4 s_mov_b32 s3, s0
211c 4 v_lshlrev_b32_e32 v8, 4, v0
2120 4 v_mov_b64_e32 v[0:1], s[0:1]
2124 4 v_mov_b64_e32 v[6:7], s[2:3]
2128 4 v_mov_b64_e32 v[2:3], s[2:3]
212c 4 v_mov_b64_e32 v[4:5], s[0:1]
2130 4 s_waitcnt lgkmcnt(0)
2134 4 s_nop 7
2138 8 v_mfma_f32_16x16x32_bf16 v[40:43], v[0:3], v[4:7], 0
2140 4 s_nop 3
2144 8 global_store_dwordx4 v8, v[40:43], s[4:5]
214c 4 s_waitcnt vmcnt(0)
2150 4 s_nop 15
2154 4 s_endpgm
2158 4 s_nop 0
215c 4 s_nop 0
2160 4 s_nop 0
2164 4 s_nop 0
2168 4 s_nop 0
216c 4 s_nop 0
2170 4 s_nop 0
2174 4 s_nop 0
2178 4 s_nop 0
217c 4 s_nop 0
2180 4 s_nop 0
2184 4 s_nop 0
2188 4 s_nop 0
218c 4 s_nop 0
2190 4 s_nop 0
2194 4 s_nop 0
2198 4 s_nop 0
219c 4 s_nop 0
21a0 4 s_nop 0
21a4 4 s_nop 0
21a8 4 s_nop 0
21ac 4 s_nop 0
21b0 4 s_nop 0
21b4 4 s_nop 0
21b8 4 s_nop 0
21bc 4 s_nop 0
21c0 4 s_nop 0
21c4 4 s_nop 0
21c8 4 s_nop 0
21cc 4 s_nop 0
21d0 4 s_nop 0
21d4 4 s_nop 0
21d8 4 s_nop 0
21dc 4 s_nop 0
21e0 4 s_nop 0
21e4 4 s_nop 0
21e8 4 s_nop 0
21ec 4 s_nop 0
21f0 4 s_nop 0
21f4 4 s_nop 0
21f8 4 s_nop 0
21fc 4 s_nop 0
matrix_reads_early:
2200 8 s_load_dwordx2 s[4:5], s[0:1], 0x0
2208 8 s_mov_b32 s0, 0x3f803f80
2210 4 s_mov_b32 s1, s0
2214 4 s_mov_b32 s2, s0
2218 4 s_mov_b32 s3, s0
221c 4 v_lshlrev_b32_e32 v8, 4, v0
2220 4 v_mov_b64_e32 v[0:1], s[0:1]
2224 4 v_mov_b64_e32 v[6:7], s[2:3]
2228 4 v_mov_b64_e32 v[2:3], s[2:3]
222c 4 v_mov_b64_e32 v[4:5], s[0:1]
2230 4 s_waitcnt lgkmcnt(0)
2234 4 s_nop 7
2238 8 v_mfma_f32_16x16x32_bf16 v[40:43], v[0:3], v[4:7], 0
2240 4 s_nop 6
2244 8 v_mfma_f32_16x16x32_bf16 v[44:47], v[40:43], v[4:7], 0
224c 4 s_waitcnt vmcnt(0)
2250 4 s_nop 15
2254 4 s_endpgm
2258 4 s_nop 0
225c 4 s_nop 0
2260 4 s_nop 0
2264 4 s_nop 0
2268 4 s_nop 0
226c 4 s_nop 0
2270 4 s_nop 0
2274 4 s_nop 0
2278 4 s_nop 0
227c 4 s_nop 0
2280 4 s_nop 0
2284 4 s_nop 0
2288 4 s_nop 0
228c 4 s_nop 0
2290 4 s_nop 0
2294 4 s_nop 0
2298 4 s_nop 0
229c 4 s_nop 0
22a0 4 s_nop 0
22a4 4 s_nop 0
22a8 4 s_nop 0
22ac 4 s_nop 0
22b0 4 s_nop 0
22b4 4 s_nop 0
22b8 4 s_nop 0
22bc 4 s_nop 0
22c0 4 s_nop 0
22c4 4 s_nop 0
22c8 4 s_nop 0
22cc 4 s_nop 0
22d0 4 s_nop 0
22d4 4 s_nop 0
22d8 4 s_nop 0
22dc 4 s_nop 0
22e0 4 s_nop 0
22e4 4 s_nop 0
22e8 4 s_nop 0
22ec 4 s_nop 0
22f0 4 s_nop 0
22f4 4 s_nop 0
22f8 4 s_nop 0
22fc 4 s_nop 0
matrix_reads_vector_early:
2300 8 s_load_dwordx2 s[4:5], s[0:1], 0x0
2308 8 s_mov_b32 s0, 0x3f803f80
2310 4 s_mov_b32 s1, s0
2314 4 s_mov_b32 s2, s0
2318 4 s_mov_b32 s3, s0
231c 4 v_lshlrev_b32_e32 v8, 4, v0
2320 4 v_mov_b64_e32 v[0:1], s[0:1]
2324 4 v_mov_b64_e32 v[6:7], s[2:3]
2328 4 v_mov_b64_e32 v[2:3], s[2:3]
232c 4 v_mov_b64_e32 v[4:5], s[0:1]
2330 4 s_waitcnt lgkmcnt(0)
2334 4 s_nop 7
2338 4 v_mov_b32_e32 v44, 0
233c 4 v_mov_b32_e32 v45, 0
2340 4 v_mov_b32_e32 v46, 0
2344 4 v_mov_b32_e32 v47, 0
2348 4 s_nop 0
234c 8 v_mfma_f32_16x16x32_bf16 v[40:43], v[44:47], v[4:7], 0
2354 4 s_waitcnt vmcnt(0)
2358 4 s_nop 15
235c 4 s_endpgm
2360 4 s_nop 0
2364 4 s_nop 0
2368 4 s_nop 0
236c 4 s_nop 0
2370 4 s_nop 0
2374 4 s_nop 0
2378 4 s_nop 0
237c 4 s_nop 0
2380 4 s_nop 0
2384 4 s_nop 0
2388 4 s_nop 0
238c 4 s_nop 0
2390 4 s_nop 0
2394 4 s_nop 0
2398 4 s_nop 0
239c 4 s_nop 0
23a0 4 s_nop 0
23a4 4 s_nop 0
23a8 4 s_nop 0
23ac 4 s_nop 0
23b0 4 s_nop 0
23b4 4 s_nop 0
23b8 4 s_nop 0
23bc 4 s_nop 0
23c0 4 s_nop 0
23c4 4 s_nop 0
23c8 4 s_nop 0
23cc 4 s_nop 0
23d0 4 s_nop 0
23d4 4 s_nop 0
23d8 4 s_nop 0
23dc 4 s_nop 0
23e0 4 s_nop 0
23e4 4 s_nop 0
23e8 4 s_nop 0
23ec 4 s_nop 0
23f0 4 s_nop 0
23f4 4 s_nop 0
23f8 4 s_nop 0
23fc 4 s_nop 0
waits_enough:
2400 8 s_load_dwordx2 s[4:5], s[0:1], 0x0
2408 8 s_mov_b32 s0, 0x3f803f80
2410 4 s_mov_b32 s1, s0
2414 4 s_mov_b32 s2, s0
2418 4 s_mov_b32 s3, s0
241c 4 v_lshlrev_b32_e32 v8, 4, v0
2420 4 v_mov_b64_e32 v[0:1], s[0:1]
2424 4 v_mov_b64_e32 v[6:7], s[2:3]
2428 4 v_mov_b64_e32 v[2:3], s[2:3]
242c 4 v_mov_b64_e32 v[4:5], s[0:1]
2430 4 s_waitcnt lgkmcnt(0)
2434 4 s_nop 7
2438 8 v_mfma_f32_16x16x32_bf16 v[40:43], v[0:3], v[4:7], 0
2440 4 s_nop 7
2444 8 global_store_dwordx4 v8, v[40:43], s[4:5]
244c 4 s_waitcnt vmcnt(0)
2450 4 s_nop 15
2454 4 s_endpgm
2458 4 s_nop 0
245c 4 s_nop 0
2460 4 s_nop 0
2464 4 s_nop 0
2468 4 s_nop 0
246c 4 s_nop 0
2470 4 s_nop 0
2474 4 s_nop 0
2478 4 s_nop 0
247c 4 s_nop 0
2480 4 s_nop 0
2484 4 s_nop 0
2488 4 s_nop 0
248c 4 s_nop 0
2490 4 s_nop 0
2494 4 s_nop 0
2498 4 s_nop 0
249c 4 s_nop 0
24a0 4 s_nop 0
24a4 4 s_nop 0
24a8 4 s_nop 0
24ac 4 s_nop 0
24b0 4 s_nop 0
24b4 4 s_nop 0
24b8 4 s_nop 0
24bc 4 s_nop 0
24c0 4 s_nop 0
24c4 4 s_nop 0
24c8 4 s_nop 0
24cc 4 s_nop 0
24d0 4 s_nop 0
24d4 4 s_nop 0
24d8 4 s_nop 0
24dc 4 s_nop 0
24e0 4 s_nop 0
24e4 4 s_nop 0
24e8 4 s_nop 0
24ec 4 s_nop 0
24f0 4 s_nop 0
24f4 4 s_nop 0
24f8 4 s_nop 0
24fc 4 s_nop 0
2500 4 s_nop 0
2504 4 s_nop 0
2508 4 s_nop 0
250c 4 s_nop 0
2510 4 s_nop 0
2514 4 s_nop 0
2518 4 s_nop 0
251c 4 s_nop 0
2520 4 s_nop 0
2524 4 s_nop 0
2528 4 s_nop 0
252c 4 s_nop 0
2530 4 s_nop 0
2534 4 s_nop 0
2538 4 s_nop 0
253c 4 s_nop 0
2540 4 s_nop 0
2544 4 s_nop 0
2548 4 s_nop 0
254c 4 s_nop 0
2550 4 s_nop 0
2554 4 s_nop 0
2558 4 s_nop 0
255c 4 s_nop 0
2560 4 s_nop 0
2564 4 s_nop 0
2568 4 s_nop 0
256c 4 s_nop 0
2570 4 s_nop 0
2574 4 s_nop 0
2578 4 s_nop 0
257c 4 s_nop 0
2580 4 s_nop 0
2584 4 s_nop 0
2588 4 s_nop 0
258c 4 s_nop 0
2590 4 s_nop 0
2594 4 s_nop 0
2598 4 s_nop 0
259c 4 s_nop 0
25a0 4 s_nop 0
25a4 4 s_nop 0
25a8 4 s_nop 0
25ac 4 s_nop 0
25b0 4 s_nop 0
25b4 4 s_nop 0
25b8 4 s_nop 0
25bc 4 s_nop 0
25c0 4 s_nop 0
25c4 4 s_nop 0
25c8 4 s_nop 0
25cc 4 s_nop 0
25d0 4 s_nop 0
25d4 4 s_nop 0
25d8 4 s_nop 0
25dc 4 s_nop 0
25e0 4 s_nop 0
25e4 4 s_nop 0
25e8 4 s_nop 0
25ec 4 s_nop 0
25f0 4 s_nop 0
25f4 4 s_nop 0
25f8 4 s_nop 0
25fc 4 s_nop 0
2600 4 s_nop 0
2604 4 s_nop 0
2608 4 s_nop 0
260c 4 s_nop 0
2610 4 s_nop 0
2614 4 s_nop 0
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
2700 4 s_nop 0
2704 4 s_nop 0
2708 4 s_nop 0
270c 4 s_nop 0
2710 4 s_nop 0
2714 4 s_nop 0
2718 4 s_nop 0
271c 4 s_nop 0
2720 4 s_nop 0
2724 4 s_nop 0
2728 4 s_nop 0
272c 4 s_nop 0
2730 4 s_nop 0
2734 4 s_nop 0
2738 4 s_nop 0
273c 4 s_nop 0
2740 4 s_nop 0
2744 4 s_nop 0
2748 4 s_nop 0
274c 4 s_nop 0
2750 4 s_nop 0
2754 4 s_nop 0
2758 4 s_nop 0
275c 4 s_nop 0
2760 4 s_nop 0
2764 4 s_nop 0
2768 4 s_nop 0
276c 4 s_nop 0
2770 4 s_nop 0
2774 4 s_nop 0
2778 4 s_nop 0
277c 4 s_nop 0
2780 4 s_nop 0
2784 4 s_nop 0
2788 4 s_nop 0
278c 4 s_nop 0
2790 4 s_nop 0
2794 4 s_nop 0
2798 4 s_nop 0
279c 4 s_nop 0
27a0 4 s_nop 0
27a4 4 s_nop 0
27a8 4 s_nop 0
27ac 4 s_nop 0
27b0 4 s_nop 0
27b4 4 s_nop 0
27b8 4 s_nop 0
27bc 4 s_nop 0
27c0 4 s_nop 0
27c4 4 s_nop 0
27c8 4 s_nop 0
27cc 4 s_nop 0
27d0 4 s_nop 0
27d4 4 s_nop 0
27d8 4 s_nop 0
27dc 4 s_nop 0
27e0 4 s_nop 0
27e4 4 s_nop 0
27e8 4 s_nop 0
27ec 4 s_nop 0
27f0 4 s_nop 0
27f4 4 s_nop 0
27f8 4 s_nop 0
27fc 4 s_nop 0
2800 4 s_nop 0
2804 4 s_nop 0
2808 4 s_nop 0
280c 4 s_nop 0
2810 4 s_nop 0
2814 4 s_nop 0
2818 4 s_nop 0
281c 4 s_nop 0
2820 4 s_nop 0
2824 4 s_nop 0
2828 4 s_nop 0
282c 4 s_nop 0
2830 4 s_nop 0
2834 4 s_nop 0
2838 4 s_nop 0
283c 4 s_nop 0
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
