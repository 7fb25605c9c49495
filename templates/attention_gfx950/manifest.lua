-- Attention forward on gfx950 over packed operands: what can be tuned, what is valid, what it needs, and which emulation proves it.
-- `bits`, `dims` and the byte counts are those of lib/gfx950_pack.hip.in, written as expressions.
local bits = "({ mxfp8 = 8, fp8 = 8, mxfp6 = 6, mxfp4 = 4 })"
local k_tile_bytes = "(" .. bits .. "[qk_format] * tile_n * problem.head_dim // 8 + 4 * problem.head_dim)"
local v_tile_bytes = "(" .. bits .. "[v_format] * tile_n * problem.head_dim // 8 + (v_format == 'fp8' and 0 or 4 * tile_n))"
local lds_bytes = "depth * (" .. k_tile_bytes .. " + " .. v_tile_bytes .. ")"
return {
  name = "attention_gfx950",
  operation = "attention_fwd",
  target = "gfx950",
  source = "kernel.hip.in",
  entry = "fsattn_attention",
  abi = 1,
  options = { "--offload-arch=gfx950", "-O3", "-std=c++17", "-Wno-unused-function" },
  parameters = {
    { name = "qk_format", type = "enum", values = { "mxfp8", "mxfp6", "mxfp4" }, default = "mxfp6",
      help = "elements of Q and K, with an E8M0 scale for 32 of them along head_dim" },
    { name = "p_format", type = "enum", values = { "fp8_row", "mxfp6" }, default = "mxfp6",
      help = "probabilities: FP8 with a power of two for each query and tile, or MXFP6" },
    { name = "v_format", type = "enum", values = { "fp8", "mxfp6", "mxfp4" }, default = "mxfp6",
      help = "V: FP8 with one scale for the tensor, or MX blocks of 32 keys" },
    { name = "tile_m", type = "int", values = { 128, 256 }, default = 256, help = "queries of a workgroup; a wave has 32" },
    { name = "tile_n", type = "int", values = { 64, 128 }, default = 128, help = "keys of one step" },
    { name = "depth", type = "int", values = { 2, 3, 4, 5, 6 }, default = 2, help = "tiles of K and V in the LDS ring" },
    { name = "schedule", type = "enum", values = { "plain", "pingpong" }, default = "plain",
      help = "all waves in step, or half of them one phase behind: matrix work over the other half's vector work" },
    { name = "lookahead", type = "int", values = { 0, 1, 2, 3, 4 }, default = 2,
      help = "fragments read from LDS ahead of the matrix instruction that takes them; 0: as the compiler orders them" },
    { name = "priority", type = "bool", values = { false, true }, default = false,
      help = "pingpong: raised wave priority during matrix work" },
    { name = "reduction", type = "enum", values = { "fp32", "u16", "maximum3" }, default = "u16",
      help = "block maxima of the accumulators, or of the 16-bit codes, exact or read as FP16 three at a time" },
    { name = "rollback", type = "enum", values = { "fp32", "codes", "off" }, default = "fp32",
      help = "what is moved when a query exceeds the cap: accumulators, codes, or nothing (for comparison only)" },
    { name = "cap", type = "int", values = { 8, 16, 24, 32, 48, 64, 80, 96 }, default = 32,
      help = "doublings above the reference that make a wave roll back" },
    { name = "row_sum", type = "enum", values = { "dense", "sparse" }, default = "dense",
      help = "product of P with ones, dense or by the sparse FP8 instruction" },
    { name = "grid", type = "enum", values = { "linear", "xcd" }, default = "xcd",
      help = "order of workgroups: as numbered, or neighbours on the same die" },
  },
  constraints = {
    { when = "v_format ~= 'fp8' or p_format == 'fp8_row'", reason = "FP8 V needs FP8 P: the order of keys in memory is that of P's fragment" },
    { when = "row_sum == 'dense' or p_format == 'fp8_row'", reason = "the sparse row sum takes FP8 P" },
    { when = "schedule == 'plain' or depth >= 3", reason = "pingpong needs three slots: half of the waves are one tile behind" },
    { when = "schedule == 'pingpong' or not priority", reason = "priority matters with pingpong only" },
    { when = "rollback ~= 'codes' or reduction ~= 'fp32'", reason = "a reduction of the accumulators leaves nothing to roll back on the codes" },
    { when = "schedule == 'plain' or reduction ~= 'fp32' or rollback == 'off'",
      reason = "pingpong with maxima of the accumulators needs more than 256 registers for the rollback" },
    { when = "rollback ~= 'off' or cap == 32", reason = "cap matters with a rollback only" },
    -- A row sum of s_k probabilities up to 2^cap must stay finite; 24 doublings are left for keys and V.
    { when = "cap + 24 < 127", reason = "what is gathered under this cap could overflow" },
    { when = lds_bytes .. " <= 163840", reason = "the ring exceeds the 160 KiB of LDS that a workgroup can have" },
  },
  supports = {
    "problem.head_dim == 64 or problem.head_dim == 128",
    "problem.dtype_q == 'bf16' or problem.dtype_q == 'f32'",
    "problem.dtype_kv == 'bf16' or problem.dtype_kv == 'f32'",
    "problem.dtype_o == 'bf16'",
  },
  resources = {
    lds_bytes = lds_bytes,
    threads = "2 * tile_m",
    vgprs_max = "256",
    -- Scores, O, bias, row sum, codes, Q, P: what is alive at the gate, without addresses and fragments on their way.
    vgprs_expected = "tile_n // 2 + problem.head_dim // 2 + 16 + (row_sum == 'dense' and 16 or 1) + tile_n // 4"
      .. " + problem.head_dim // 64 * " .. bits .. "[qk_format] + tile_n // 64 * (p_format == 'fp8_row' and 8 or 6)",
    -- Cycles of the matrix unit for one wave and tile.
    mfma_cycles = "(tile_n // 32) * (problem.head_dim // 64) * (qk_format == 'mxfp8' and 64 or 32)"
      .. " + (tile_n // 64) * (problem.head_dim // 32) * ((v_format == 'fp8' or p_format == 'fp8_row') and 64 or 32)"
      .. " + (tile_n // 64) * (row_sum == 'sparse' and 16 or p_format == 'fp8_row' and 64 or 32)",
  },
  launch = { work_items = "query_tiles", tile_m = "tile_m", tile_n = "tile_n", threads = "2 * tile_m" },
  emulator = {
    softmax = "'frozen'",
    cap = "cap",
    exponential = "'schraudolph_u16_bf16'",
    row_sum = "'gemm'",
    reduction = "reduction",
    rollback = "rollback",
    qk_format = "qk_format",
    p_format = "p_format",
    v_format = "v_format",
    tile_m = "tile_m",
    tile_n = "tile_n",
    wave_rows = "32",
    key_order = "p_format == 'mxfp6' and 'bit2' or v_format == 'fp8' and 'runs' or 'fp8_p'", -- packing.h
  },
}
