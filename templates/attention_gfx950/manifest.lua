-- Attention forward on gfx950 over packed operands: what can be tuned, what is valid, what it needs, and which emulation proves it.
-- `bits`, `dims` and the byte counts are those of lib/gfx950_pack.hip.in, written as expressions.
local bits = "({ bf16 = 16, int8 = 8, mxfp8 = 8, fp8 = 8, mxfp6 = 6, mxfp4 = 4 })"
local p_bits = "({ bf16 = 16, fp8_row = 8, mxfp6 = 6, mxfp4 = 4 })"
-- Of the matrix unit for 32 x 32 x 64 items.
local cycles = "({ bf16 = 128, int8 = 64, mxfp8 = 64, fp8 = 64, fp8_row = 64, mxfp6 = 32, mxfp4 = 32 })"
local k_tile_bytes = "(" .. bits .. "[qk_format] * tile_n * problem.head_dim // 8 + (qk_format == 'bf16' and 0 or qk_format == 'int8' and 256 or 4 * problem.head_dim))"
local v_tile_bytes = "(" .. bits .. "[v_format] * tile_n * problem.head_dim // 8 + ((v_format == 'fp8' or v_format == 'bf16') and 0 or 4 * tile_n))"
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
    { name = "qk_format", type = "enum", values = { "bf16", "int8", "mxfp8", "mxfp6", "mxfp4" }, default = "mxfp6",
      help = "elements of Q and K: BF16, INT8 with a scale for a tile, or with an E8M0 scale for 32 of them along head_dim" },
    { name = "p_format", type = "enum", values = { "bf16", "fp8_row", "mxfp6", "mxfp4" }, default = "mxfp6",
      help = "probabilities: BF16, FP8 with a power of two for each query and tile, or MX blocks of 32 keys" },
    { name = "v_format", type = "enum", values = { "bf16", "fp8", "mxfp6", "mxfp4" }, default = "mxfp6",
      help = "V: BF16, FP8 with one scale for the tensor, or MX blocks of 32 keys" },
    { name = "softmax", type = "enum", values = { "frozen", "lazy", "online" }, default = "frozen",
      help = "maximum of the first tile, with rollback past a cap; the same, rescaled past a threshold; running maximum, rescaled every tile" },
    { name = "exponential", type = "enum", values = { "schraudolph_u16", "schraudolph_u8", "exact", "polynomial", "direct_p" },
      default = "schraudolph_u16",
      help = "affine to a code read as BF16, or as E4M3 (VC-Attention); v_exp_f32; whole part and polynomial; affine to P's E2M1 codes (Direct-P)" },
    { name = "degree", type = "int", values = { 2, 3, 4, 5 }, default = 3, help = "of the polynomial" },
    { name = "threshold", type = "int", values = { 4, 8, 16 }, default = 8,
      help = "lazy: doublings above the reference that make a query rescale" },
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
    { name = "row_sum", type = "enum", values = { "dense", "sparse", "vector" }, default = "dense",
      help = "product of P with ones, dense or by the sparse FP8 instruction; or additions of what is not quantized yet" },
    { name = "bias", type = "enum", values = { "resident", "rebuilt" }, default = "resident",
      help = "the seed that holds the reference: in 16 registers, or made anew for each tile by a BF16 MFMA" },
    { name = "fetch", type = "enum", values = { "split", "all" }, default = "split",
      help = "half of the waves copy K and half V, or all of them both" },
    { name = "blocks", type = "bool", values = { false, true }, default = false,
      help = "lists of the tiles of 128 keys that each tile of 256 queries sees" },
    { name = "varlen", type = "bool", values = { false, true }, default = false,
      help = "sequences of a batch one after another, their lengths cumulated" },
    { name = "grid", type = "enum", values = { "linear", "xcd" }, default = "xcd",
      help = "order of workgroups: as numbered, or neighbours on the same die" },
  },
  constraints = {
    { when = "v_format ~= 'fp8' or p_format == 'fp8_row'", reason = "FP8 V needs FP8 P: the order of keys in memory is that of P's fragment" },
    { when = "(p_format == 'bf16') == (v_format == 'bf16')", reason = "BF16 P and BF16 V need one another: their instruction takes nothing else" },
    { when = "row_sum ~= 'sparse' or p_format == 'fp8_row'", reason = "the sparse row sum takes FP8 P" },
    { when = "row_sum ~= 'sparse' or reduction == 'u16'",
      reason = "the sparse row sum multiplies the query 16 beside by zero: a NaN there, which only codes of 16 bits cannot have, would reach both" },
    { when = "exponential == 'schraudolph_u16' or reduction == 'fp32'", reason = "without 16-bit codes only the accumulators can be reduced" },
    { when = "softmax == 'frozen' or reduction == 'fp32'", reason = "online and lazy need the maximum of the accumulators" },
    { when = "softmax == 'frozen' or (rollback == 'fp32' and cap == 32)", reason = "rollback and cap matter with a frozen maximum only" },
    { when = "softmax == 'lazy' or threshold == 8", reason = "threshold matters with a lazy maximum only" },
    { when = "bias == 'resident' or (softmax ~= 'online' and qk_format ~= 'bf16' and qk_format ~= 'int8')",
      reason = "nothing is rebuilt where the reference is subtracted after the product" },
    { when = "exponential == 'polynomial' or degree == 3", reason = "degree matters with the polynomial only" },
    { when = "exponential ~= 'schraudolph_u8' or p_format == 'fp8_row'", reason = "codes of 8 bits are FP8 P" },
    { when = "exponential ~= 'schraudolph_u8' or (softmax == 'frozen' and cap == 8 and rollback ~= 'off') or (softmax == 'lazy' and threshold <= 8) or softmax == 'online'",
      reason = "codes of 8 bits end less than 9 doublings above the reference" },
    { when = "exponential ~= 'direct_p' or (p_format == 'mxfp4' and row_sum == 'dense')", reason = "Direct-P makes MXFP4 codes, of which the row sum is a product" },
    { when = "schedule == 'plain' or depth >= 3", reason = "pingpong needs three slots: half of the waves are one tile behind" },
    { when = "schedule == 'plain' or fetch == 'split'",
      reason = "pingpong needs K from the half that is ahead: the other waits for its copies one phase late" },
    { when = "schedule == 'pingpong' or not priority", reason = "priority matters with pingpong only" },
    { when = "rollback ~= 'codes' or reduction ~= 'fp32'", reason = "a reduction of the accumulators leaves nothing to roll back on the codes" },
    { when = "schedule == 'plain' or softmax ~= 'lazy'",
      reason = "pingpong with a lazy maximum needs more than 256 registers" },
    { when = "schedule == 'plain' or reduction ~= 'fp32' or rollback == 'off' or softmax ~= 'frozen'",
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
    vgprs_expected = "tile_n // 2 + problem.head_dim // 2 + ((softmax == 'online' or qk_format == 'bf16' or qk_format == 'int8') and 1 or bias == 'rebuilt' and 2 or 16) + (row_sum == 'dense' and 16 or 1)"
      .. " + (exponential == 'schraudolph_u16' and p_format ~= 'bf16' and tile_n // 4 or 0)"
      .. " + problem.head_dim // 64 * " .. bits .. "[qk_format] + tile_n // 64 * " .. p_bits .. "[p_format]",
    -- Cycles of the matrix unit for one wave and tile.
    mfma_cycles = "(bias == 'rebuilt' and 32 or 0) + (tile_n // 32) * (problem.head_dim // 64) * " .. cycles .. "[qk_format]"
      .. " + (tile_n // 64) * (problem.head_dim // 32) * (" .. cycles .. "[p_format] > " .. cycles .. "[v_format] and " .. cycles .. "[p_format] or " .. cycles .. "[v_format])"
      .. " + (tile_n // 64) * (row_sum == 'vector' and 0 or row_sum == 'sparse' and 16 or " .. cycles .. "[p_format])",
  },
  before = "quantize_gfx950", -- packs what this kernel reads, with the parameters of equal name
  launch = {
    work_items = "query_tiles",
    tile_m = "tile_m",
    tile_n = "tile_n",
    threads = "2 * tile_m",
    -- What the packed operands are, as the quantizers' manifest has it: a chain whose stages differ in it is refused.
    pack_layout = "qk_format .. (({ schraudolph_u16 = '-9', schraudolph_u8 = '+3' })[exponential] or '') .. '-' .. v_format .. '-' .. (v_format == 'fp8' and 'runs' or p_format == 'fp8_row' and 'fp8_p' or 'bit2')"
      .. " .. '-n' .. tile_n .. '-d' .. problem.head_dim .. (varlen and '-varlen' or '')",
    q_group_bytes = bits .. "[qk_format] * 4 * problem.head_dim + 256",
    k_tile_bytes = k_tile_bytes,
    v_tile_bytes = v_tile_bytes,
  },
  emulator = {
    softmax = "softmax",
    cap = "cap",
    threshold = "threshold",
    exponential = "({ schraudolph_u16 = 'schraudolph_u16_bf16', schraudolph_u8 = 'schraudolph_u8_e4m3' })[exponential] or exponential",
    degree = "degree",
    row_sum = "row_sum == 'vector' and 'vector' or 'gemm'",
    reduction = "reduction",
    rollback = "rollback",
    qk_format = "qk_format",
    p_format = "p_format",
    v_format = "v_format",
    tile_m = "qk_format == 'int8' and 8192 // problem.head_dim or tile_m", -- rows of Q that share an INT8 scale
    tile_n = "tile_n",
    wave_rows = "32",
    key_order = "(p_format == 'mxfp6' or p_format == 'mxfp4') and 'bit2' or (v_format == 'fp8' or v_format == 'bf16') and 'runs' or 'fp8_p'", -- packing.h
  },
}
