-- A plain host kernel with one defect at a time: what the workers and the verification must survive and find.
return {
  name = "faulty_host",
  operation = "attention_fwd",
  target = "host",
  source = "kernel.c.in",
  entry = "fsattn_attention",
  abi = 1,
  options = { "-O2", "-std=gnu17", "-ffreestanding", "-fno-builtin", "-fno-stack-protector", "-ffp-contract=fast" },
  parameters = {
    { name = "fault", type = "enum", default = "none", help = "the defect",
      values = { "none", "compile_error", "compiler_loop", "compiler_abort", "compiler_silent", "undefined_symbol", "no_entry", "null_pointer", "illegal", "loop", "exit",
        "input_write", "read_past", "write_past", "write_before", "write_gap", "unwritten", "half_second", "random", "nan", "inf",
        "zeros", "negative", "scale", "lse", "lse_half", "float_control", "template_error",
        "head_modulo", "batch_zero", "fixed_scale", "read_before", "unprepared" } },
    { name = "tile_m", type = "int", values = { 8, 16 }, default = 16, help = "query rows of a work item" },
  },
  constraints = { { when = "fault ~= 'scale' or tile_m == 16", reason = "the scale defect comes with tile_m 16" } },
  supports = { "problem.head_dim == 64", "problem.dtype_q == 'f32'", "problem.dtype_kv == 'f32'", "problem.dtype_o == 'f32'" },
  resources = { scratch_bytes = "4 * problem.head_dim" },
  launch = { work_items = "query_tiles", tile_m = "tile_m", tile_n = "16" },
  emulator = { softmax = "'online'", exponential = "'exact'", tile_m = "tile_m", tile_n = "16", wave_rows = "8" },
}
