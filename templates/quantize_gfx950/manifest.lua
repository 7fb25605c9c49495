-- Preparation of Q, K and V for attention_gfx950: rotation, quantization, packing. Formats and tile are those of the attention
-- kernel that reads the result; nothing here is a matter of speed alone, so nothing is searched.
-- `pack_layout` and the sizes are what this family writes; `bits` is that of lib/gfx950_pack.hip.in.
local bits = "({ bf16 = 16, int8 = 8, mxfp8 = 8, fp8 = 8, mxfp6 = 6, mxfp4 = 4 })"
return {
  name = "quantize_gfx950",
  operation = "attention_fwd",
  target = "gfx950",
  source = "kernel.hip.in",
  entry = "fsattn_quantize_q",
  kernels = { -- of the code object, in the order in which they run
    { entry = "fsattn_quantize_amax", work_items = "pack_amax", when = "v_format == 'fp8'" },
    { entry = "fsattn_quantize_q", work_items = "pack_q" },
    { entry = "fsattn_quantize_k", work_items = "pack_k" },
    { entry = "fsattn_quantize_v", work_items = "pack_v" },
  },
  abi = 1,
  options = { "--offload-arch=gfx950", "-O3", "-std=c++17", "-ffp-contract=off", "-Wno-unused-function" },
  parameters = {
    { name = "qk_format", type = "enum", values = { "bf16", "int8", "mxfp8", "mxfp6", "mxfp4" }, default = "mxfp6", help = "elements of Q and K" },
    { name = "p_format", type = "enum", values = { "bf16", "fp8_row", "mxfp6", "mxfp4" }, default = "mxfp6",
      help = "of the attention kernel: decides V's order of keys" },
    { name = "v_format", type = "enum", values = { "bf16", "fp8", "mxfp6", "mxfp4" }, default = "mxfp6", help = "elements of V" },
    { name = "exponential", type = "enum", values = { "schraudolph_u16", "schraudolph_u8", "exact", "polynomial", "direct_p" },
      default = "schraudolph_u16", help = "of the attention kernel: decides the power of two in Q's scales" },
    { name = "varlen", type = "bool", values = { false, true }, default = false,
      help = "sequences of a batch one after another, their lengths cumulated" },
    { name = "tile_n", type = "int", values = { 64, 128 }, default = 128, help = "keys of a packed tile" },
  },
  constraints = {
    { when = "(p_format == 'bf16') == (v_format == 'bf16')", reason = "BF16 P and BF16 V need one another: their instruction takes nothing else" },
    { when = "v_format ~= 'fp8' or p_format == 'fp8_row'", reason = "FP8 V needs FP8 P: the order of keys in memory is that of P's fragment" },
  },
  supports = {
    "problem.head_dim == 64 or problem.head_dim == 128",
    "problem.dtype_q == 'bf16' or problem.dtype_q == 'f32'",
    "problem.dtype_kv == 'bf16' or problem.dtype_kv == 'f32'",
  },
  resources = {
    lds_bytes = "(v_format == 'fp8' or qk_format == 'int8') and 16 or 0",
    threads = "256",
  },
  launch = {
    work_items = "pack_q",
    tile_m = "256 // (problem.head_dim // 32)", -- rows of Q or K in a block
    tile_n = "tile_n",                          -- keys of V in a block
    threads = "256",
    pack_layout = "qk_format .. (({ schraudolph_u16 = '-9', schraudolph_u8 = '+3' })[exponential] or '') .. '-' .. v_format .. '-' .. (v_format == 'fp8' and 'runs' or p_format == 'fp8_row' and 'fp8_p' or 'bit2')"
      .. " .. '-n' .. tile_n .. '-d' .. problem.head_dim .. (varlen and '-varlen' or '')",
    q_group_bytes = bits .. "[qk_format] * 4 * problem.head_dim + 256",
    k_tile_bytes = bits .. "[qk_format] * tile_n * problem.head_dim // 8 + (qk_format == 'bf16' and 0 or qk_format == 'int8' and 256 or 4 * problem.head_dim)",
    v_tile_bytes = bits .. "[v_format] * tile_n * problem.head_dim // 8 + ((v_format == 'fp8' or v_format == 'bf16') and 0 or 4 * tile_n)",
  },
  emulator = {},
}
