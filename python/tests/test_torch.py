"""fsattn on PyTorch tensors, on the host. Needs what test_numpy.py needs, and PyTorch: `make test-torch` sets that up."""

import inspect
import os
import threading
import unittest
import warnings

import torch
import torch.nn.functional as functional
from torch._subclasses.fake_tensor import FakeTensorMode

import fsattn

CACHES = os.environ["FSATTN_TEST_CACHES"].split(":")  # float32; bfloat16 and float16
HALF = dict(rows=100, keys=256, heads=4, heads_kv=2)


def operands(rows=40, keys=40, heads=2, heads_kv=2, batch=1, dim=64, dtype=torch.float32):
    generator = torch.Generator().manual_seed(7)
    make = lambda h, s: torch.randn(batch, h, s, dim, generator=generator).to(dtype)
    return make(heads, rows), make(heads_kv, keys), make(heads_kv, keys)


def pytorchs(q, k, v, **arguments):
    """PyTorch's attention of these numbers, in float64."""
    arguments.setdefault("enable_gqa", q.dim() > 2 and q.shape[-3] != k.shape[-3])
    return functional.scaled_dot_product_attention(q.double(), k.double(), v.double(), **arguments)


def distance(a, b):
    return (a.double() - b.double()).abs().max().item()


class OnTensors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        fsattn.set_default_context(fsattn.Context(CACHES, threads=2))

    @classmethod
    def tearDownClass(cls):
        fsattn.default_context().close()
        fsattn.set_default_context(None)

    def same(self, got, expected, tolerance=1e-4):
        self.assertEqual(got.shape, expected.shape)
        self.assertLess(distance(got, expected), tolerance)

    def refused(self, error, text, call, *operands, **arguments):
        with self.assertRaisesRegex(error, text):
            call(*operands, **arguments)


class Attention(OnTensors):
    def test_every_shape_equals_pytorchs(self):
        for shape in (dict(), dict(rows=17, keys=50), dict(rows=50, keys=17), dict(batch=3), dict(rows=1, keys=91)):
            q, k, v = operands(**shape)
            o = fsattn.scaled_dot_product_attention(q, k, v)
            self.same(o, pytorchs(q, k, v))
            self.assertEqual((o.dtype, o.device), (q.dtype, q.device))
        q, k, v = operands()
        for x in ((q[0], k[0], v[0]), (q[0, 0], k[0, 0], v[0, 0])):  # three dimensions, and two
            self.same(fsattn.scaled_dot_product_attention(*x), pytorchs(*x))

    def test_scale_and_mask(self):
        q, k, v = operands()
        for arguments in (dict(is_causal=True), dict(scale=0.2), dict(is_causal=True, scale=1), dict(dropout_p=0)):
            self.same(fsattn.scaled_dot_product_attention(q, k, v, **arguments), pytorchs(q, k, v, **arguments))

    def test_grouped_heads(self):
        for heads_kv in (4, 2, 1):
            q, k, v = operands(heads=4, heads_kv=heads_kv, batch=2)
            self.same(fsattn.scaled_dot_product_attention(q, k, v, enable_gqa=True), pytorchs(q, k, v))
            self.same(fsattn.scaled_dot_product_attention(q[0], k[0], v[0], enable_gqa=True), pytorchs(q[0], k[0], v[0]))

    def test_bfloat16_and_float16_are_as_good_as_their_plans(self):
        for dtype, return_lse in ((torch.bfloat16, True), (torch.float16, False)):
            q, k, v = operands(dtype=dtype, **HALF)
            o = fsattn.attention(q, k, v, return_lse=return_lse)
            o, lse = o if return_lse else (o, None)
            self.assertEqual(o.dtype, dtype)
            plan, expected = fsattn.plan_info(q, k, v, return_lse=return_lse), pytorchs(q, k, v)
            self.assertEqual((plan.source, plan.template_name), ("tuned", "attention_host"))
            self.assertGreater(plan.maximum_error, 0)
            # The plan's errors are those of other numbers of the same distribution.
            self.assertLess(distance(o, expected), 2 * plan.maximum_error)
            self.assertLess(((o - expected).norm() / expected.norm()).item(), 2 * plan.relative_error)
            # PyTorch's own output has an error too.
            own = functional.scaled_dot_product_attention(q, k, v, enable_gqa=True)
            self.assertLess(distance(o, own), 2 * plan.maximum_error + distance(own, expected))
            if lse is not None:
                self.assertEqual((lse.dtype, lse.shape), (torch.float32, q.shape[:3]))
                scores = q.double() @ k.double().repeat_interleave(2, dim=1).transpose(-1, -2) / 8
                self.same(lse, scores.logsumexp(-1), 1e-2)

    def test_views_are_read_where_they_lie(self):
        q, k, v = operands(rows=33, keys=50)
        expected, swapped = pytorchs(q, k, v), [x.transpose(1, 2).contiguous() for x in (q, k, v)]
        views = [x.transpose(1, 2) for x in swapped]
        self.assertFalse(views[0].is_contiguous())
        o = fsattn.attention(*views)
        self.same(o, expected)
        self.assertEqual(o.stride(), views[0].stride())  # so that merging heads copies nothing, as after PyTorch's
        self.same(fsattn.attention(*swapped, layout="bshd").transpose(1, 2), expected)
        # Q, K and V of one projection; a part of something larger; what begins inside.
        together = torch.randn(2, 40, 3 * 2 * 64)
        parts = [x.view(2, 40, 2, 64).transpose(1, 2) for x in together.chunk(3, dim=-1)]
        self.same(fsattn.attention(*parts), pytorchs(*parts))
        q, k, v = operands(rows=45, keys=60, heads=3, heads_kv=3)
        parts = [q[:, 1:, 3::2], k[:, 1:, 10:], v[:, 1:, 10:]]
        self.same(fsattn.attention(*parts), pytorchs(*parts))
        # One head of K and V for all, repeated without a copy.
        q, k, v = operands(heads=4, heads_kv=1)
        wide = [x.expand(1, 4, 40, 64) for x in (k, v)]
        self.same(fsattn.scaled_dot_product_attention(q, *wide), pytorchs(q, *wide))

    def test_given_output(self):
        q, k, v = operands()
        out = torch.full((1, 2, 40, 80), 9.0)
        o = fsattn.attention(q, k, v, out=out[..., :64])
        self.assertEqual(o.data_ptr(), out.data_ptr())
        self.same(o, pytorchs(q, k, v))
        self.assertTrue((out[..., 64:] == 9).all())
        # A gradient of what had used the old numbers is refused by PyTorch, not wrong.
        weight = torch.ones(1, requires_grad=True)
        out = torch.zeros(1, 2, 40, 64)
        used = (weight * out).sum()
        fsattn.attention(q, k, v, out=out)
        self.refused(RuntimeError, "modified by an inplace operation", used.backward)
        for error, text, out in (
            (ValueError, r"out: expected shape \(1, 2, 40, 64\) of float32 on host", torch.empty(1, 2, 40, 63)),
            (ValueError, "out: expected shape .* got .* bfloat16", torch.empty(q.shape, dtype=torch.bfloat16)),
            (ValueError, "out: head_dim must be contiguous", torch.empty(1, 2, 64, 40).transpose(2, 3)),
            (fsattn.FsattnError, "rows overlap", torch.empty(1, 1, 40, 64).expand(1, 2, 40, 64)),
            (fsattn.FsattnError, "overlaps q", q),
            (NotImplementedError, "out: requires a gradient", torch.empty(q.shape, requires_grad=True)),
        ):
            self.refused(error, text, fsattn.attention, q, k, v, out=out)

    def test_packed_once(self):
        q, k, v = operands()
        packed = fsattn.pack(q, k, v, is_causal=False, scale=0.3)
        o, lse = packed.attention(q, return_lse=True)
        self.same(o, pytorchs(q, k, v, scale=0.3))
        self.assertEqual(lse.shape, q.shape[:3])

    def test_gradients(self):
        q, k, v = operands()
        learned = torch.nn.Parameter(q.clone())
        for at, name in enumerate("qkv"):
            mixed = [learned if i == at else x for i, x in enumerate((q, k, v))]
            self.refused(NotImplementedError, f"{name}: requires a gradient.*no_grad", fsattn.attention, *mixed)
        expected = pytorchs(q, k, v)
        with torch.no_grad():
            self.same(fsattn.attention(learned, k, v), expected)
        with torch.inference_mode():
            self.same(fsattn.attention(learned, k.clone(), v, out=torch.empty_like(q)), expected)
        o = fsattn.attention(learned.detach(), k, v)
        self.same(o, expected)
        self.assertFalse(o.requires_grad)

    def test_threads_share_the_default_context(self):
        wrong = []

        def work(seed):
            q, k, v = (torch.randn(1, 2, 40, 64, generator=torch.Generator().manual_seed(seed + i)) for i in range(3))
            expected = pytorchs(q, k, v)
            for _ in range(20):
                if not distance(fsattn.attention(q, k, v), expected) < 1e-4:
                    wrong.append(seed)

        threads = [threading.Thread(target=work, args=(10 * i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Refused(OnTensors):
    def test_arguments_of_pytorchs_function(self):
        q, k, v = operands()
        call = fsattn.scaled_dot_product_attention
        for mask in (torch.ones(40, 40, dtype=torch.bool), torch.zeros(40, 40), torch.zeros(1, 2, 40, 40)):
            self.refused(NotImplementedError, "attn_mask: .*only is_causal", call, q, k, v, mask)
        self.refused(NotImplementedError, "dropout_p: is 0.1, .* expected 0.0", call, q, k, v, dropout_p=0.1)
        self.refused(NotImplementedError, "is_causal: with 7 queries", call, q[:, :, :7], k, v, is_causal=True)
        for scale in (0.0, -0.5, float("inf")):  # which PyTorch takes
            self.refused(ValueError, "scale: expected a positive number", call, q, k, v, scale=scale)
        self.refused(ValueError, "enable_gqa: is False, with 2 query heads and 1", call, q, k[:, :1], v[:, :1])
        self.refused(ValueError, "2 query heads are no multiple of 3", call, q, *operands(heads_kv=3)[1:], enable_gqa=True)
        self.refused(ValueError, "equal batches, got 3 and 1: expand", call, q.expand(3, 2, 40, 64).contiguous(), k, v)
        self.refused(ValueError, "query: expected 2, 3 or 4 dimensions.*got 5", call, q[None], k[None], v[None])
        self.refused(ValueError, "query: is empty", call, q[:, :, :0], k, v)
        self.refused(ValueError, "a head dimension of V of its own", call, q, k, v[..., :32].contiguous())
        self.refused(TypeError, "value: expected a numpy.ndarray or a torch.Tensor, got list", call, q, k, [1])
        self.refused(TypeError, "positional", call, q, k, v, None, 0.0, False, 0.2)  # as PyTorch's
        # What is accepted at the same places.
        self.assertEqual(
            list(inspect.signature(call).parameters),
            ["query", "key", "value", "attn_mask", "dropout_p", "is_causal", "scale", "enable_gqa"],
        )

    def test_types_that_have_no_kernel(self):
        q, k, v = operands()
        for dtype in (torch.float64, torch.int32, torch.complex64, torch.float8_e4m3fn):
            name = str(dtype).replace("torch.", "")
            self.refused(
                TypeError, f"q: expected float32, bfloat16, float16, got {name}", fsattn.attention, *(x.to(dtype) for x in (q, k, v))
            )
        self.refused(TypeError, "k and v: expected equal types", fsattn.attention, q, k, v.bfloat16())
        self.refused(TypeError, "three NumPy arrays or three PyTorch", fsattn.attention, q, k.numpy(), v.numpy())
        # Nothing in these caches is for FP16 queries of a float32 K.
        with self.assertRaisesRegex(fsattn.FsattnError, "q=f16 kv=f32") as caught:
            fsattn.attention(q.half(), k, v)
        self.assertEqual(caught.exception.status, "NOT_FOUND")
        self.assertIn("fsattn-tune", caught.exception.hint)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            self.assertEqual(fsattn.attention(q, k, v).dtype, torch.float32)  # nothing is cast

    def test_tensors_whose_memory_is_not_what_they_are(self):
        q, k, v = operands()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # prototypes of PyTorch's
            nested = torch.nested.nested_tensor([q[0, 0], q[0, 1, :9]])
            jagged = torch.nested.nested_tensor([q[0, 0], q[0, 1, :9]], layout=torch.jagged)
            with FakeTensorMode():
                fake = torch.empty(1, 2, 40, 64)
            for error, text, x in (
                (TypeError, "q: expected a dense tensor, got layout torch.sparse_coo: call .to_dense", q.to_sparse()),
                (TypeError, "q: expected a dense tensor, got a nested one", nested),
                (TypeError, "q: expected a dense tensor, got a nested one", jagged),
                (TypeError, "q: expected a tensor on the processor or on an AMD GPU, got one on meta", q.to("meta")),
                (TypeError, "q: has no memory, .* torch.compile", fake),
                (ValueError, "q: is the negative of what its memory holds: call .resolve_neg", q._neg_view()),
                (ValueError, "q: head_dim must be contiguous, its stride is 40: call .contiguous", q.mT.contiguous().mT),
                (ValueError, "q: is one row repeated", q[:, :1, :1].expand(1, 2, 40, 64)),
            ):
                self.refused(error, text, fsattn.attention, x, k, v)
        self.same(fsattn.attention(q._neg_view().resolve_neg(), k, v), pytorchs(-q, k, v))
        self.refused(
            TypeError, "q: has no memory, .* torch.func", torch.vmap(lambda x: fsattn.attention(x, k[0], v[0])), q
        )


if __name__ == "__main__":
    unittest.main()
