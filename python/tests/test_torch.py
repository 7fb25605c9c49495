"""fsattn on PyTorch tensors, on the host. Needs what test_numpy.py needs, and PyTorch: `make test-torch` sets that up."""

import os
import unittest

import torch
import torch.nn.functional as functional

import fsattn

CACHES = os.environ["FSATTN_TEST_CACHES"].split(":")  # float32, bfloat16


def operands(rows=40, keys=40, heads=2, heads_kv=2, batch=1, dim=64, dtype=torch.float32):
    generator = torch.Generator().manual_seed(7)
    make = lambda h, s: torch.randn(batch, h, s, dim, generator=generator).to(dtype)
    return make(heads, rows), make(heads_kv, keys), make(heads_kv, keys)


class Attention(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        fsattn.set_default_context(fsattn.Context(CACHES, threads=2))

    @classmethod
    def tearDownClass(cls):
        fsattn.set_default_context(None)

    def same(self, got, expected, tolerance):
        self.assertEqual(got.dtype, expected.dtype)
        self.assertEqual(got.shape, expected.shape)
        self.assertLess((got.float() - expected.float()).abs().max().item(), tolerance)

    def test_equals_pytorch(self):
        for dtype, shape, tolerance in (
            (torch.float32, dict(), 1e-4),
            (torch.float32, dict(rows=17, keys=50), 1e-4),
        ):
            q, k, v = operands(dtype=dtype, **shape)
            self.same(
                fsattn.scaled_dot_product_attention(q, k, v), functional.scaled_dot_product_attention(q, k, v), tolerance
            )
        q, k, v = operands()
        for arguments in (dict(is_causal=True), dict(scale=0.2)):
            self.same(
                fsattn.scaled_dot_product_attention(q, k, v, **arguments),
                functional.scaled_dot_product_attention(q, k, v, **arguments),
                1e-4,
            )

    def test_bfloat16_and_log_sum_exp(self):
        q, k, v = operands(rows=100, keys=256, heads=4, heads_kv=4, dtype=torch.bfloat16)
        k, v = k[:, :2].clone(), v[:, :2].clone()
        o, lse = fsattn.attention(q, k, v, return_lse=True)
        expected = functional.scaled_dot_product_attention(
            q, k.repeat_interleave(2, dim=1), v.repeat_interleave(2, dim=1)
        )
        self.same(o, expected, 2e-2)
        scores = q.float() @ k.repeat_interleave(2, dim=1).float().transpose(-1, -2) / 8
        self.same(lse, scores.logsumexp(-1), 1e-2)

    def test_gqa_equals_repeated_heads(self):
        q, k, v = operands(heads=4, heads_kv=2)
        expected = functional.scaled_dot_product_attention(
            q, k.repeat_interleave(2, dim=1), v.repeat_interleave(2, dim=1)
        )
        self.same(fsattn.scaled_dot_product_attention(q, k, v, enable_gqa=True), expected, 1e-4)

    def test_views_are_read_where_they_lie(self):
        q, k, v = operands(rows=33, keys=50)
        expected = functional.scaled_dot_product_attention(q, k, v)
        views = [x.transpose(1, 2).contiguous().transpose(1, 2) for x in (q, k, v)]
        self.assertFalse(views[0].is_contiguous())
        self.same(fsattn.attention(*views), expected, 1e-4)

    def test_what_is_not_supported_is_named(self):
        q, k, v = operands()
        learned = q.clone().requires_grad_()
        with self.assertRaisesRegex(NotImplementedError, "q: requires a gradient"):
            fsattn.attention(learned, k, v)
        with torch.no_grad():
            fsattn.attention(learned, k, v)
        with self.assertRaisesRegex(TypeError, "three NumPy arrays or three PyTorch"):
            fsattn.attention(q, k.numpy(), v.numpy())
        with self.assertRaisesRegex(TypeError, "got float64"):
            fsattn.attention(q.double(), k, v)
        with self.assertRaisesRegex(TypeError, "dense tensor"):
            fsattn.attention(q.to_sparse(), k, v)
        with self.assertRaisesRegex(NotImplementedError, "attn_mask"):
            fsattn.scaled_dot_product_attention(q, k, v, torch.zeros(40, 40))


if __name__ == "__main__":
    unittest.main()
