"""fsattn on NumPy arrays, on the host. Needs FSATTN_LIBRARY, and FSATTN_TEST_CACHES with kernels for the problems below.

Run by tests/transcripts/python.sh with unittest, which comes with Python.
"""

import math
import os
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import numpy as np

import fsattn

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

CACHES = os.environ["FSATTN_TEST_CACHES"].split(":")  # float32; bfloat16 and float16


def reference(q, k, v, is_causal=False, scale=None):
    """Float64 attention of [batch, heads, rows, head_dim]; the mask is bottom-right aligned. Also the log-sum-exp."""
    q, k, v = (np.asarray(x).astype(np.float64) for x in (q, k, v))
    group = q.shape[1] // k.shape[1]
    k, v = (np.repeat(x, group, axis=1) for x in (k, v))
    scores = q @ k.swapaxes(-1, -2) * (scale or 1 / math.sqrt(q.shape[-1]))
    if is_causal:
        rows, keys = scores.shape[-2:]
        scores = np.where(np.arange(keys)[None, :] <= np.arange(rows)[:, None] + keys - rows, scores, -np.inf)
    top = scores.max(-1, keepdims=True)
    weights = np.exp(scores - top)
    total = weights.sum(-1, keepdims=True)
    return weights @ v / total, (top + np.log(total))[..., 0]


def numbers(seed, *shape, dtype=np.float32):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def operands(rows=40, keys=40, heads=2, heads_kv=2, batch=1, dim=64, dtype=np.float32):
    return (
        numbers(1, batch, heads, rows, dim, dtype=dtype),
        numbers(2, batch, heads_kv, keys, dim, dtype=dtype),
        numbers(3, batch, heads_kv, keys, dim, dtype=dtype),
    )


class Attention(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.context = fsattn.Context(CACHES, threads=2)

    @classmethod
    def tearDownClass(cls):
        cls.context.close()

    def right(self, got, expected, tolerance=1e-4):
        self.assertEqual(got.shape, expected.shape)
        self.assertLess(np.abs(got.astype(np.float64) - expected).max(), tolerance)

    def test_the_tuned_problem_and_others(self):
        for shape in (dict(), dict(rows=7, keys=91), dict(heads=4, heads_kv=2), dict(batch=3, rows=17, keys=17)):
            for is_causal in (False, True):
                if is_causal and shape.get("rows", 40) > shape.get("keys", 40):
                    continue
                q, k, v = operands(**shape)
                o = fsattn.attention(q, k, v, is_causal=is_causal, context=self.context)
                self.right(o, reference(q, k, v, is_causal)[0])
                self.assertEqual(o.dtype, q.dtype)

    def test_scale_and_log_sum_exp(self):
        q, k, v = operands()
        o, lse = fsattn.attention(q, k, v, scale=0.3, return_lse=True, context=self.context)
        expected, expected_lse = reference(q, k, v, scale=0.3)
        self.right(o, expected)
        self.right(lse, expected_lse, 1e-3)

    def test_layouts_and_strides_are_read_where_they_lie(self):
        q, k, v = operands(rows=33, keys=50)
        expected = reference(q, k, v)[0]
        bshd = [np.ascontiguousarray(x.swapaxes(1, 2)) for x in (q, k, v)]
        self.right(
            fsattn.attention(*bshd, layout="bshd", context=self.context).swapaxes(1, 2), expected
        )
        # A view of the other order, and rows cut out of something larger.
        made = fsattn.attention(*(x.swapaxes(1, 2) for x in bshd), context=self.context)
        self.right(made, expected)
        self.assertTrue(made.swapaxes(1, 2).flags.c_contiguous)
        wide = np.zeros((1, 2, 33, 100), np.float32)
        wide[..., :64] = q
        out = np.full((1, 2, 33, 80), 9, np.float32)
        made = fsattn.attention(wide[..., :64], k, v, out=out[..., :64], context=self.context)
        self.right(made, expected)
        self.assertTrue(np.shares_memory(made, out))
        self.assertTrue((out[..., 64:] == 9).all())

    def test_fewer_dimensions(self):
        q, k, v = (x[0] for x in operands())
        self.right(fsattn.attention(q, k, v, context=self.context), reference(q[None], k[None], v[None])[0][0])
        self.right(
            fsattn.attention(q[0], k[0], v[0], context=self.context),
            reference(q[None, :1], k[None, :1], v[None, :1])[0][0, 0],
        )

    @unittest.skipIf(ml_dtypes is None, "ml_dtypes is not installed")
    def test_bfloat16(self):
        q, k, v = operands(rows=100, keys=256, heads=4, heads_kv=2, dtype=ml_dtypes.bfloat16)
        o, lse = fsattn.attention(q, k, v, return_lse=True, context=self.context)
        expected, expected_lse = reference(q, k, v)
        self.assertEqual(o.dtype, ml_dtypes.bfloat16)
        self.right(o, expected, 2e-2)
        self.right(lse, expected_lse, 1e-2)

    def test_float16(self):
        q, k, v = operands(rows=100, keys=256, heads=4, heads_kv=2, dtype=np.float16)
        o = fsattn.attention(q, k, v, context=self.context)
        self.assertEqual(o.dtype, np.float16)
        self.right(o, reference(q, k, v)[0], 2e-3)

    def test_in_place_of_pytorchs_function(self):
        q, k, v = operands()
        fsattn.set_default_context(self.context)
        try:
            self.right(fsattn.scaled_dot_product_attention(q, k, v, is_causal=True), reference(q, k, v, True)[0])
            gqa = operands(heads=4, heads_kv=2)
            self.right(fsattn.scaled_dot_product_attention(*gqa, enable_gqa=True), reference(*gqa)[0])
            for error, text, arguments in (
                (NotImplementedError, "attn_mask", dict(attn_mask=np.ones((40, 40), bool))),
                (NotImplementedError, "dropout_p", dict(dropout_p=0.1)),
                (ValueError, "scale", dict(scale=-1.0)),
                (ValueError, "scale", dict(scale=float("nan"))),
            ):
                with self.assertRaisesRegex(error, text):
                    fsattn.scaled_dot_product_attention(q, k, v, **arguments)
            with self.assertRaisesRegex(ValueError, "enable_gqa"):
                fsattn.scaled_dot_product_attention(*gqa)
            with self.assertRaisesRegex(NotImplementedError, "is_causal: with 7 queries and 40 keys"):
                fsattn.scaled_dot_product_attention(q[:, :, :7], k, v, is_causal=True)
        finally:
            fsattn.set_default_context(None)

    def test_what_is_not_supported_is_named(self):
        q, k, v = operands()
        cases = (
            (TypeError, "q: expected float32, bfloat16, float16, got float64", (q.astype(float), k, v)),
            (TypeError, "k: expected a numpy.ndarray or a torch.Tensor, got list", (q, [1], v)),
            (ValueError, "v: head_dim must be contiguous", (q, k, np.asfortranarray(v))),
            (ValueError, "q: expected 2, 3 or 4 dimensions", (q[None], k, v)),
            (ValueError, "q: is empty", (q[:, :, :0], k, v)),
            (ValueError, "q: has a negative stride", (q[:, :, ::-1], k, v)),
            (ValueError, "k and v: expected equal shapes", (q, k, v[:, :, :9])),
            (ValueError, "expected equal batches", (np.concatenate([q, q]), k, v)),
            (ValueError, "expected equal head dimensions", (q[..., :32], k, v)),
            (ValueError, "no multiple of", (q[:, :1], k, v)),
            (TypeError, "k and v: expected equal types", (q, k, v.astype(np.float16))),
            (TypeError, "other byte order", (q, k, v.astype(">f4"))),
            (ValueError, "one row repeated", (q, np.broadcast_to(k[:, :1, :1], k.shape), v)),
        )
        for error, text, arguments in cases:
            with self.assertRaisesRegex(error, text):
                fsattn.attention(*arguments, context=self.context)
        for error, text, keywords in (
            (ValueError, "layout: expected 'bhsd'", dict(layout="sbhd")),
            (ValueError, "out: expected shape", dict(out=np.zeros((1, 2, 40, 63), np.float32))),
            (ValueError, "out: expected shape", dict(out=np.zeros((1, 2, 40, 64), np.float16))),
            (TypeError, "scale: expected a number, got str", dict(scale="0.3")),
            (TypeError, "accuracy: expected a fsattn.Accuracy, got 'bf16'", dict(accuracy="bf16")),
        ):
            with self.assertRaisesRegex(error, text):
                fsattn.attention(q, k, v, context=self.context, **keywords)
        with self.assertRaisesRegex(fsattn.FsattnError, "overlaps q") as caught:
            fsattn.attention(q, k, v, out=q, context=self.context)
        self.assertEqual(caught.exception.status, "INVALID")
        with self.assertRaises(fsattn.FsattnError) as caught:
            fsattn.attention(*(x[..., :48].copy() for x in (q, k, v)), context=self.context)
        self.assertEqual(caught.exception.status, "NOT_FOUND")
        self.assertIn("fsattn-tune", caught.exception.hint)

    def test_plans_explain_themselves(self):
        q, k, v = operands()
        info = fsattn.plan_info(q, k, v, context=self.context)
        self.assertEqual((info.source, info.distance, info.cache), ("tuned", 0.0, CACHES[0]))
        q, k, v = operands(rows=80, keys=80)
        info = fsattn.plan_info(q, k, v, context=self.context)
        self.assertEqual((info.source, info.distance), ("nearest", 2.0))
        self.assertIn("because: nearest", fsattn.explain(q, k, v, context=self.context))
        wanted = fsattn.Accuracy(maximum_relative_error=1e-12)
        self.assertIn("chosen: nothing", fsattn.explain(q, k, v, accuracy=wanted, context=self.context))
        with self.assertRaises(fsattn.FsattnError):
            fsattn.attention(q, k, v, accuracy=wanted, context=self.context)
        fsattn.attention(q, k, v, accuracy=fsattn.Accuracy(minimum_cosine=0.9), context=self.context)

    def test_accuracy_by_format_and_step(self):
        q, k, v = operands()
        schedule = fsattn.Schedule(steps=10, first=2, last=1)
        self.assertEqual([schedule.at(i).grade for i in (0, 1, 2, 8, 9)], ["mxfp6"] * 2 + ["mxfp4"] * 2 + ["mxfp6"])
        fsattn.attention(q, k, v, accuracy=schedule.at(0), context=self.context)
        text = fsattn.explain(q, k, v, accuracy=fsattn.Accuracy(grade="bf16"), context=self.context)
        self.assertIn("as good as bf16", text)
        for call in (lambda: schedule.at(10), lambda: fsattn.Accuracy(grade="mxfp5")):
            with self.assertRaisesRegex(ValueError, "expected"):
                call()

    def test_threads_share_a_context(self):
        q, k, v = operands()
        expected, wrong = reference(q, k, v)[0], []

        def work():
            for _ in range(20):
                o = fsattn.attention(q, k, v, context=self.context)
                if np.abs(o - expected).max() > 1e-4:
                    wrong.append(o)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Contexts(unittest.TestCase):
    def test_default_caches_are_found_and_bad_ones_skipped(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, "fsattn"))
            bad = os.path.join(folder, "fsattn", "bad.fsc")
            with open(bad, "w") as file:
                file.write("no cache")
            kept = {name: os.environ.get(name) for name in ("FSATTN_CACHES", "XDG_DATA_HOME")}
            os.environ.update(FSATTN_CACHES=":".join(CACHES), XDG_DATA_HOME=folder)
            try:
                self.assertEqual(fsattn.default_caches(), [*CACHES, bad])
                q, k, v = operands()
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    o = fsattn.attention(q, k, v)
                self.assertLess(np.abs(o - reference(q, k, v)[0]).max(), 1e-4)
                self.assertIn("bad.fsc: is not a cache file", str(caught[0].message))
                fsattn.set_default_context(None)
            finally:
                for name, value in kept.items():
                    os.environ.pop(name) if value is None else os.environ.update({name: value})

    def test_a_missed_problem_is_tuned_in_the_background(self):
        # The real tuner, with one candidate; a machine that is short of everything may fail it, so that it is asked again.
        source = os.path.join(os.path.dirname(__file__), "..", "..")
        tuner = [os.environ["FSATTN_TUNE"], os.path.join(source, "spaces", "host.yaml"), "--evaluations", "1"]
        q, k, v = operands(rows=50, keys=70)
        for _ in range(3):
            with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                log = os.path.join(folder, "misses.txt")
                with fsattn.Context(
                    CACHES[:1], threads=1, tuner=tuner, miss_log=log, compiled_folder=os.path.join(folder, "made")
                ) as context:
                    self.assertEqual(fsattn.plan_info(q, k, v, context=context).source, "nearest")
                    while context.misses().compiled + context.misses().failed == 0:
                        time.sleep(0.02)
                    if context.misses().failed:
                        continue
                    info = fsattn.plan_info(q, k, v, context=context)
                    self.assertEqual((info.source, info.template_name), ("tuned", "attention_host"))
                    o = fsattn.attention(q, k, v, context=context)
                    self.assertLess(np.abs(o - reference(q, k, v)[0]).max(), 1e-4)
                    self.assertEqual(context.misses(), fsattn.MissInfo(noted=1, queued=1, compiled=1, failed=0))
                    with open(log) as file:
                        self.assertEqual(file.read().count("sq=50 sk=70"), 1)
                    return
        self.fail("the tuner failed three times")

    def test_k_and_v_are_packed_once(self):
        with fsattn.Context(CACHES[:1], threads=1) as context:
            q, k, v = operands()
            packed = fsattn.pack(q, k, v, context=context)
            self.assertEqual((packed.layout, packed.bytes), ("plain", 0))
            for rows in (40, 7):
                queries = numbers(9 + rows, 1, 2, rows, 64)
                o = packed.attention(queries)
                self.assertLess(np.abs(o - reference(queries, k, v)[0]).max(), 1e-4)
            o, lse = packed.attention(q, return_lse=True)
            self.assertLess(np.abs(lse - reference(q, k, v)[1]).max(), 1e-3)
            with self.assertRaisesRegex(ValueError, "equal head dimensions"):
                packed.attention(numbers(1, 1, 2, 40, 32))

    def test_host_arrays_are_refused_for_a_gpu(self):
        q, k, v = operands()
        with fsattn.Context([], device="sim", library=os.environ["FSATTN_TEST_SIMULATOR"]) as context:
            for call in (fsattn.attention, fsattn.pack, fsattn.explain):
                with self.assertRaisesRegex(ValueError, "context: is for sim:0, the operands lie on host, whose memory"):
                    call(q, k, v, context=context)

    def test_a_kernel_for_another_processor_is_compiled_anew(self):
        q, k, v = operands(rows=50, keys=50)
        with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder, fsattn.Context(
            [os.environ["FSATTN_TEST_FOREIGN"]], threads=1, compiler=[os.environ["FSATTN_REBUILD"]], compiled_folder=folder
        ) as context:
            # The other order of heads and rows is asked for too, and is no other miss: nothing fails, and nothing else is noted.
            warnings.simplefilter("ignore")  # that no record of the file runs here
            with self.assertRaises(fsattn.FsattnError):
                fsattn.attention(q, k, v, context=context)
            while context.misses().compiled + context.misses().failed < 1:
                time.sleep(0.02)
            self.assertEqual(context.misses(), fsattn.MissInfo(noted=1, queued=1, compiled=1, failed=0))
            self.assertEqual(fsattn.plan_info(q, k, v, context=context).source, "tuned")
            o = fsattn.attention(q, k, v, context=context)
            self.assertLess(np.abs(o - reference(q, k, v)[0]).max(), 1e-4)
            self.assertEqual(context.misses().noted, 1)
        with self.assertRaisesRegex(TypeError, "compiler: expected a list of words"):
            fsattn.Context(CACHES[:1], compiler="fsattn-rebuild")

    def test_errors_and_closing(self):
        with self.assertRaises(fsattn.FsattnError) as caught:
            fsattn.Context(["/nonexistent.fsc"])
        self.assertEqual(caught.exception.status, "NOT_FOUND")
        with self.assertRaisesRegex(ValueError, "trust: expected one of"):
            fsattn.Context([], trust="everybody")
        with self.assertRaises(fsattn.FsattnError) as caught:
            fsattn.Context(CACHES[:1], trust="signed", signers=["00" * 32])
        self.assertEqual(caught.exception.status, "UNTRUSTED")
        with fsattn.Context(CACHES[:1], threads=1) as context:
            q, k, v = operands()
            fsattn.attention(q, k, v, context=context)
        with self.assertRaisesRegex(ValueError, "closed"):
            fsattn.attention(q, k, v, context=context)
        context.close()
        with self.assertRaisesRegex(TypeError, "context: expected a fsattn.Context, got 'a.fsc'"):
            fsattn.attention(q, k, v, context="a.fsc")
        with self.assertRaisesRegex(TypeError, "context: expected a fsattn.Context, got str"):
            fsattn.set_default_context("a.fsc")
        with self.assertRaisesRegex(TypeError, "caches: expected a list of paths"):
            fsattn.Context(CACHES[0])
        with fsattn.Context([]) as context:
            with self.assertRaisesRegex(fsattn.FsattnError, r"no cache file was given: .*\$FSATTN_CACHES"):
                fsattn.attention(q, k, v, context=context)
            context.add_cache(CACHES[0])
            fsattn.attention(q, k, v, context=context)

    def test_another_library_is_named(self):
        code = "import fsattn; fsattn.Context([])"
        for library, text in (("/nonexistent.so", "libfsattn cannot be loaded"), ("libc.so.6", "is not the libfsattn of this package")):
            environment = dict(os.environ, FSATTN_LIBRARY=library)
            made = subprocess.run([sys.executable, "-c", code], env=environment, stderr=subprocess.PIPE, text=True)
            self.assertEqual(made.returncode, 1)
            self.assertRegex(made.stderr.splitlines()[-1], f"^ImportError: .*{text}.*FSATTN_LIBRARY")

    def test_a_forked_child_opens_its_own(self):
        # In the child, a default context of the parent's is opened anew; another one is refused, closed and left alone.
        code = """
import os, sys, warnings
import numpy as np
import fsattn
warnings.simplefilter("ignore")  # Python tells of forks beside threads
q = np.ones((1, 2, 40, 64), np.float32)
context = fsattn.Context(os.environ["FSATTN_CACHES"].split(":")[:1], threads=2)
fsattn.attention(q, q, q), fsattn.attention(q, q, q, context=context)
child = os.fork()
if child == 0:
    try:
        fsattn.attention(q, q, q, context=context)
    except ValueError as error:
        print(error, flush=True)
        context.close()
        os._exit(int(abs(fsattn.attention(q, q, q) - 1).max() > 1e-4))
    os._exit(2)
print(os.waitpid(child, 0)[1])
fsattn.attention(q, q, q, context=context)
"""
        environment = dict(os.environ, FSATTN_CACHES=":".join(CACHES))
        made = subprocess.run([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(made.returncode, 0)
        self.assertRegex(made.stdout, "opened before this process was forked.*: open one in this process\n0\n")


if __name__ == "__main__":
    unittest.main()
