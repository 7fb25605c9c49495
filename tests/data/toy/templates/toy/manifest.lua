-- A template with nothing behind it, for tests on the scripted device.
return {
  name = "toy", operation = "attention_fwd", target = "host", source = "kernel.c.in", entry = "toy", abi = 1,
  supports = { "problem.head_dim <= 256" },
  launch = { work_items = "query_tiles", tile_m = "tile_m", tile_n = "32" },
  parameters = {
    { name = "tile_m", type = "int", values = { 16, 32, 48, 64, 96, 128 }, default = 32, help = "query rows" },
    { name = "unroll", type = "int", values = { 1, 2, 4, 8 }, default = 1, help = "steps written out" },
    { name = "order", type = "enum", values = { "rows", "columns" }, default = "rows", help = "of the loop" },
  },
  constraints = {
    { when = "tile_m % (8 * unroll) == 0", reason = "tile_m must be a multiple of 8 * unroll" },
  },
}
