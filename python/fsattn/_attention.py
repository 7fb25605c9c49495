"""Contexts, and the one call: attention forward."""

from __future__ import annotations

import ctypes
import glob
import math
import os
import threading
import warnings
from dataclasses import dataclass
from typing import Any, Dict, Optional, Sequence, Tuple, Union

from . import _library as c
from ._arrays import Operand, device_bytes, empty_float32, empty_like, is_torch, operand, stream_of


@dataclass(frozen=True)
class Accuracy:
    """What the output must be like, compared with float64 attention on normally distributed inputs as the tuner measured it.

    None makes no demand. A kernel whose accuracy was not measured meets no demand.
    """

    maximum_error: Optional[float] = None  #: largest absolute difference
    maximum_relative_error: Optional[float] = None  #: of the norms: |o - reference| / |reference|
    minimum_cosine: Optional[float] = None  #: of output and reference as vectors
    grade: str = "any"  #: at least as accurate as "f32", "bf16", "mxfp8", "mxfp6" or "mxfp4", whatever the kernel computes in

    def __post_init__(self) -> None:
        if self.grade not in c.GRADES:
            raise ValueError(f"grade: expected one of {', '.join(c.GRADES)}, got {self.grade!r}")

    def _struct(self) -> c.Accuracy:
        return c.Accuracy(
            ctypes.sizeof(c.Accuracy),
            self.maximum_error or 0.0,
            self.maximum_relative_error or 0.0,
            self.minimum_cosine or 0.0,
            c.GRADES[self.grade],
        )


@dataclass(frozen=True)
class Schedule:
    """Accuracy by step: `ends` for the first and last steps of a run, `middle` between them.

    fsattn.attention(q, k, v, accuracy=schedule.at(step)); another accuracy in a call overrides it.
    """

    steps: int
    first: int
    last: int
    ends: Optional[Accuracy] = Accuracy(grade="mxfp6")
    middle: Optional[Accuracy] = Accuracy(grade="mxfp4")

    def at(self, step: int) -> Optional[Accuracy]:
        """The demand of step 0 .. steps - 1."""
        if not 0 <= step < self.steps:
            raise ValueError(f"step: expected 0 to {self.steps - 1}, got {step}")
        return self.ends if step < self.first or self.steps - step <= self.last else self.middle


@dataclass(frozen=True)
class PlanInfo:
    """Which kernel a problem gets, and why."""

    source: str  #: "tuned", "interval", "nearest" or "default"
    distance: float  #: 0 unless source is "interval" or "nearest"
    provenance: str  #: of the time: "measured" or "modelled"
    time_ns: float  #: median of the tuned problem; 0 when never timed
    maximum_error: float
    relative_error: float
    cosine: float
    template_name: str
    configuration: str
    isa: str
    cache: str
    tuned_problem: str


@dataclass(frozen=True)
class MissInfo:
    """What became of problems that nothing tuned served."""

    noted: int  #: different problems
    queued: int  #: of these, given to the compiler or the tuner
    compiled: int  #: of these, published and in use
    failed: int  #: of these, not: the reason became a Python warning


class Context:
    """A device with the cache files it serves from. Any number of threads may use one.

    device: "host", "hip", or "sim" with `library`, which opens caches but runs no tensors: none lie in its memory. caches: cache files, the first has the highest priority. threads: of a run on
    the host, 0 for all cores. trust: "owner" (files that belong to you and nobody else may write), "signed", "owner_and_signed"
    with `signers`, public keys as `fsattn-cache key` writes them. skip_bad_caches: a file that cannot be used becomes a Python
    warning instead of an FsattnError. shipped_caches: below all others, the files that were installed with the library.

    miss_log: a file to which each problem that nothing tuned serves is appended, for fsattn-tune --from-misses. For such problems,
    in the background: compiler: a command such as ["fsattn-rebuild"], which compiles tuned kernels for another processor anew from
    the source in their cache file; tuner: a command such as ["fsattn-tune", "spaces/host.yaml", "--budget", "60"], which tunes
    where there is no such kernel or that failed. Results are kept in compiled_folder (None: fsattn/compiled in the user's data
    folder) and used from the next call on.
    """

    def __init__(
        self,
        caches: Sequence[Union[str, "os.PathLike[str]"]] = (),
        *,
        device: str = "host",
        library: Optional[str] = None,
        ordinal: int = 0,
        threads: int = 0,
        trust: str = "owner",
        signers: Sequence[str] = (),
        skip_bad_caches: bool = False,
        shipped_caches: bool = False,
        miss_log: Optional[Union[str, "os.PathLike[str]"]] = None,
        tuner: Sequence[str] = (),
        compiler: Sequence[str] = (),
        compiled_folder: Optional[Union[str, "os.PathLike[str]"]] = None,
    ) -> None:
        if trust not in c.TRUSTS:
            raise ValueError(f"trust: expected one of {', '.join(c.TRUSTS)}, got {trust!r}")
        self._handle: Optional[ctypes.c_void_p] = None
        self.device = device if device == "host" else f"{device}:{ordinal}"
        lib, err, options, handle = c.library(), c.Err(), c.Options(), ctypes.c_void_p()
        lib.fsattn_options_init(ctypes.byref(options))
        # The library may be newer and know more fields; it gets the ones that stand here.
        options.size = ctypes.sizeof(c.Options)
        options.device = device.encode()
        options.library = os.fsencode(library) if library else None
        options.ordinal, options.threads = ordinal, threads
        options.caches = (ctypes.c_char_p * max(1, len(caches)))(*(os.fsencode(path) for path in caches))
        options.cache_count = len(caches)
        options.skip_bad_caches = skip_bad_caches
        options.shipped_caches = shipped_caches
        options.trust = c.TRUSTS[trust]
        options.signers = (ctypes.c_char_p * max(1, len(signers)))(*(key.encode() for key in signers))
        options.signer_count = len(signers)
        options.miss_log = os.fsencode(miss_log) if miss_log is not None else None
        if tuner or compiler:
            options.on_miss = c.MISS_COMPILE
            options.tuner = _command("tuner", tuner)
            options.compiler = _command("compiler", compiler)
        options.compiled_folder = os.fsencode(compiled_folder) if compiled_folder is not None else None
        # Kept as long as the context: the library calls it.
        self._warn = c.Warn(_warn)
        options.warn = self._warn
        c.check(lib.fsattn_open(ctypes.byref(options), ctypes.byref(handle), ctypes.byref(err)), err)
        self._handle = handle

    def close(self) -> None:
        """Releases everything; no call may be running. The context cannot be used afterwards."""
        if self._handle is not None:
            c.library().fsattn_close(self._handle)
            self._handle = None

    def __enter__(self) -> "Context":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        try:
            self.close()
        except Exception:  # at interpreter exit nothing may be left to close with
            pass

    def _open(self) -> ctypes.c_void_p:
        if self._handle is None:
            raise ValueError("the context is closed")
        return self._handle

    def add_cache(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Adds a cache file below those already there."""
        err = c.Err()
        c.check(c.library().fsattn_cache_add(self._open(), os.fsencode(path), ctypes.byref(err)), err)

    def misses(self) -> MissInfo:
        """What became of problems that nothing tuned served; without miss_log, tuner and compiler nothing is counted."""
        err, info = c.Err(), c.MissInfo()
        info.size = ctypes.sizeof(info)
        c.check(c.library().fsattn_miss_info_get(self._open(), ctypes.byref(info), ctypes.byref(err)), err)
        return MissInfo(info.noted, info.queued, info.compiled, info.failed)

    def find(self, *problems: c.Problem, accuracy: Optional[Accuracy] = None) -> c.Plan:
        """A plan for the first of several descriptions of the same work that has one; of a miss one is noted."""
        err, plan = c.Err(), c.Plan()
        wanted = ctypes.byref(accuracy._struct()) if accuracy else None
        asked = (ctypes.POINTER(c.Problem) * len(problems))(*(ctypes.pointer(problem) for problem in problems))
        c.check(
            c.library().fsattn_plan_find_first(
                self._open(), asked, len(problems), wanted, ctypes.byref(plan), ctypes.byref(err)
            ),
            err,
        )
        return plan

    def _info(self, plan: c.Plan) -> c.PlanInfo:
        err, info = c.Err(), c.PlanInfo()
        info.size = ctypes.sizeof(info)
        c.check(
            c.library().fsattn_plan_info_get(self._open(), ctypes.byref(plan), ctypes.byref(info), ctypes.byref(err)), err
        )
        return info

    def _packed_bytes(self, plan: c.Plan) -> int:
        return self._info(plan).packed_bytes

    def info(self, plan: c.Plan) -> PlanInfo:
        info = self._info(plan)
        return PlanInfo(
            c.SOURCES[info.source],
            info.distance,
            c.PROVENANCES[info.provenance],
            info.time_ns,
            info.maximum_error,
            info.relative_error,
            info.cosine,
            info.template_name.decode(),
            info.configuration.decode(),
            info.isa.decode(),
            os.fsdecode(info.cache),
            info.tuned_problem.decode(),
        )

    def _explain(self, problem: c.Problem, accuracy: Optional[Accuracy]) -> str:
        err, needed = c.Err(), ctypes.c_size_t()
        wanted = ctypes.byref(accuracy._struct()) if accuracy else None
        size = 1 << 14
        while True:
            text = ctypes.create_string_buffer(size)
            c.check(
                c.library().fsattn_explain(
                    self._open(), ctypes.byref(problem), wanted, text, size, ctypes.byref(needed), ctypes.byref(err)
                ),
                err,
            )
            if needed.value < size:
                return text.value.decode(errors="replace")
            size = needed.value + 1


def _command(name: str, words: Sequence[str]) -> Any:
    """The words for C; None when there are none."""
    if isinstance(words, str):
        raise TypeError(f"{name}: expected a list of words, got a string: [{words!r}] is a program without arguments")
    return (ctypes.c_char_p * (len(words) + 1))(*(os.fsencode(word) for word in words), None) if words else None


def _warn(_data: Any, err: Any) -> None:
    warnings.warn(err.contents.message.decode(errors="replace"), RuntimeWarning, stacklevel=2)


def default_caches() -> list[str]:
    """The cache files of contexts that nobody configured, highest priority first: those named in $FSATTN_CACHES (separated by
    colons), then every .fsc in fsattn/ of the user's data folder ($XDG_DATA_HOME or ~/.local/share), in order of name."""
    named = [path for path in os.environ.get("FSATTN_CACHES", "").split(":") if path]
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    found = sorted(glob.glob(os.path.join(glob.escape(data), "fsattn", "*.fsc")))
    return named + [path for path in found if path not in named]


_contexts: Dict[str, Context] = {}
_contexts_lock = threading.Lock()


def default_context(device: str = "host") -> Context:
    """The context that `attention` uses when none is given: one for each device, opened at the first use with the files of
    `default_caches`, then those that were installed with the library; files that cannot be used are skipped with a warning."""
    with _contexts_lock:
        if device not in _contexts:
            name, _, ordinal = device.partition(":")
            _contexts[device] = Context(
                default_caches(), device=name, ordinal=int(ordinal or 0), skip_bad_caches=True, shipped_caches=True
            )
        return _contexts[device]


def set_default_context(context: Optional[Context], device: str = "host") -> None:
    """Makes `context` the one that `attention` uses for that device; None opens a new one at the next use."""
    with _contexts_lock:
        if context is None:
            _contexts.pop(device, None)
        else:
            _contexts[device] = context


# Positions of heads and rows among the four dimensions of an operand.
_AXES = {"bhsd": (1, 2), "bshd": (2, 1)}


def _check_shapes(q: Operand, k: Operand, v: Operand, layout: str) -> None:
    heads, rows = _AXES[layout]
    if k.shape != v.shape:
        raise ValueError(
            f"k and v: expected equal shapes, got {k.shape} and {v.shape}; a head dimension of V of its own is not supported"
        )
    if q.shape[0] != k.shape[0]:
        raise ValueError(f"q and k: expected equal batches, got {q.shape[0]} and {k.shape[0]}")
    if q.shape[3] != k.shape[3]:
        raise ValueError(f"q and k: expected equal head dimensions, got {q.shape[3]} and {k.shape[3]}")
    if q.shape[heads] % k.shape[heads]:
        raise ValueError(f"q and k: {q.shape[heads]} query heads are no multiple of {k.shape[heads]} key heads")
    if k.dtype != v.dtype:
        raise TypeError(f"k and v: expected equal types, got {k.dtype} and {v.dtype}")
    for other in (k, v):
        if other.device != q.device:
            raise ValueError(f"q and {other.name}: lie on different devices, {q.device} and {other.device}")


def _memory_layout(q: Operand, layout: str) -> str:
    """The library's name for the order in which the rows of q lie, whatever the order of its dimensions."""
    heads, rows = _AXES[layout]
    if q.shape[heads] == 1 or q.shape[rows] == 1:
        return layout
    return "bshd" if q.strides[heads] < q.strides[rows] else "bhsd"


def _problem(q: Operand, k: Operand, layout: str, memory: str, is_causal: bool, scale: Optional[float], lse: bool) -> c.Problem:
    heads, rows = _AXES[layout]
    problem = c.Problem()
    c.library().fsattn_problem_init(ctypes.byref(problem))
    problem.size = ctypes.sizeof(problem)
    problem.batch, problem.head_dim = q.shape[0], q.shape[3]
    problem.heads_q, problem.heads_kv = q.shape[heads], k.shape[heads]
    problem.s_q, problem.s_k = q.shape[rows], k.shape[rows]
    problem.dtype_q = problem.dtype_o = c.DTYPES[q.dtype]
    problem.dtype_kv = c.DTYPES[k.dtype]
    problem.layout, problem.mask = c.LAYOUTS[memory], c.MASKS["causal" if is_causal else "none"]
    problem.lse = lse
    if scale is not None:
        if not math.isfinite(scale) or scale <= 0:
            raise ValueError(f"scale: expected a positive number, got {scale}")
        problem.scale = scale
    return problem


def _tensor(x: Operand, layout: str) -> c.Tensor:
    heads, rows = _AXES[layout]
    return c.Tensor(x.address, x.strides[0], x.strides[heads], x.strides[rows])


def _find(context: Context, problem: c.Problem, accuracy: Optional[Accuracy]) -> c.Plan:
    """A plan for the order in which the operands lie, else one for the other order: kernels take strides, so both are right.
    `problem` gets the order that was found."""
    other = c.Problem.from_buffer_copy(problem)
    other.layout = 1 - problem.layout
    plan = context.find(problem, other, accuracy=accuracy)
    problem.layout = plan.problem.layout
    return plan


def _prepare(q: Any, k: Any, v: Any, layout: str) -> Tuple[Operand, Operand, Operand]:
    if layout not in _AXES:
        raise ValueError(f"layout: expected 'bhsd' or 'bshd', got {layout!r}")
    operands = operand("q", q), operand("k", k), operand("v", v)
    if is_torch(q) != is_torch(k) or is_torch(q) != is_torch(v):
        raise TypeError("q, k, v: expected three NumPy arrays or three PyTorch tensors")
    _check_shapes(*operands, layout)
    return operands


def _describe(
    q: Any,
    k: Any,
    v: Any,
    layout: str,
    is_causal: bool,
    scale: Optional[float],
    return_lse: bool,
    context: Optional[Context],
) -> Tuple[Tuple[Operand, Operand, Operand], Context, c.Problem]:
    """The operands of a call, the context that serves them, and the problem that they pose."""
    operands = _prepare(q, k, v, layout)
    device = operands[0].device
    if context is None:
        context = default_context(device)
    elif context.device != device:
        way = ", whose memory no kernel of it can read" if device == "host" else ""
        raise ValueError(f"context: is for {context.device}, the operands lie on {device}{way}")
    memory = _memory_layout(operands[0], layout)
    return operands, context, _problem(operands[0], operands[1], layout, memory, is_causal, scale, return_lse)


def attention(
    q: Any,
    k: Any,
    v: Any,
    *,
    layout: str = "bhsd",
    is_causal: bool = False,
    scale: Optional[float] = None,
    accuracy: Optional[Accuracy] = None,
    return_lse: bool = False,
    out: Any = None,
    context: Optional[Context] = None,
) -> Any:
    """Attention forward: softmax(scale * Q K^T) V for each head, with the best kernel that the context's caches have.

    q, k, v: NumPy arrays (float32, float16, or ml_dtypes.bfloat16) or PyTorch tensors of the same type and device, of shape
    [batch, heads, rows, head_dim] ("bhsd") or [batch, rows, heads, head_dim] ("bshd", by `layout`); with 3 or 2 dimensions
    batch, then heads are one. K and V may have fewer heads (GQA, MQA), by a divisor. Strides are free as long as head_dim is
    contiguous; nothing is copied.

    is_causal: bottom-right aligned, query i sees keys 0 .. i + s_k - s_q. For equally many queries and keys this is what PyTorch
    does, for others it is not.
    scale: None is 1 / sqrt(head_dim).
    accuracy: None takes the fastest of what was tuned.
    return_lse: also return the log-sum-exp, float32 [batch, heads, rows], natural logarithm.
    out: where the output goes, of q's shape and type, overlapping no operand; None makes a new one.
    context: None takes `default_context` of the operands' device.

    On a GPU the work is enqueued on PyTorch's current stream. Raises ValueError, TypeError or NotImplementedError for operands
    that are not supported, FsattnError when no kernel serves them (`explain` says why).
    """
    operands, context, problem = _describe(q, k, v, layout, is_causal, scale, return_lse, context)
    return _run(context, _find(context, problem, accuracy), q, operands, layout, return_lse, out, None)


def _run(
    context: Context,
    plan: c.Plan,
    q: Any,
    operands: Tuple[Operand, Operand, Operand],
    layout: str,
    return_lse: bool,
    out: Any,
    packed: Optional[c.Packed],
) -> Any:
    """One call of the library: with K and V as they are, or packed."""
    head_axis, row_axis = _AXES[layout]
    if out is None:
        out = empty_like(q, tuple(q.shape))
    made = operand("out", out)
    if made.shape != operands[0].shape or made.dtype != operands[0].dtype or made.device != operands[0].device:
        raise ValueError(
            f"out: expected shape {tuple(q.shape)} of {operands[0].dtype} on {operands[0].device}, "
            f"got {tuple(out.shape)} of {made.dtype} on {made.device}"
        )
    if not is_torch(out) and not out.flags.writeable:
        raise ValueError("out: is read-only")
    arguments = c.Arguments(ctypes.sizeof(c.Arguments))
    arguments.q = _tensor(operands[0], layout)
    if packed is None:
        arguments.k, arguments.v = (_tensor(x, layout) for x in operands[1:])
    arguments.o = _tensor(made, layout)
    lse = None
    if return_lse:
        shape = operands[0].shape
        lse = empty_float32(q, (shape[0], shape[head_axis], shape[row_axis]))
        arguments.lse = operand("lse", lse).address
    arguments.stream = stream_of(q, operands[0].device)
    err, lib = c.Err(), c.library()
    if packed is None:
        status = lib.fsattn_run(context._open(), ctypes.byref(plan), ctypes.byref(arguments), ctypes.byref(err))
    else:
        status = lib.fsattn_run_packed(
            context._open(), ctypes.byref(plan), ctypes.byref(packed), ctypes.byref(arguments), ctypes.byref(err)
        )
    c.check(status, err)
    return (out, lse) if return_lse else out


class Packed:
    """K and V, quantized once by `pack` and read by any number of calls with other queries."""

    def __init__(self, context: Context, k: Any, v: Any, struct: c.Packed, memory: Any, options: Dict[str, Any]) -> None:
        self._context, self._k, self._v = context, k, v  # the library may read K and V in every call
        self._struct, self._memory, self._options = struct, memory, options

    @property
    def layout(self) -> str:
        """How they lie, in the library's words; "plain": as they were."""
        return self._struct.layout.decode()

    @property
    def bytes(self) -> int:
        """Memory that this holds besides K and V."""
        return self._struct.bytes

    def attention(self, q: Any, *, accuracy: Optional[Accuracy] = None, return_lse: bool = False, out: Any = None) -> Any:
        """As fsattn.attention of q with the K and V, layout, mask, scale and context that were given to `pack`. FsattnError names
        both layouts when the kernel for these queries reads another."""
        layout = self._options["layout"]
        operands, context, problem = _describe(
            q, self._k, self._v, layout, self._options["is_causal"], self._options["scale"], return_lse, self._context
        )
        return _run(context, _find(context, problem, accuracy), q, operands, layout, return_lse, out, self._struct)


def pack(
    q: Any,
    k: Any,
    v: Any,
    *,
    layout: str = "bhsd",
    is_causal: bool = False,
    scale: Optional[float] = None,
    accuracy: Optional[Accuracy] = None,
    context: Optional[Context] = None,
) -> Packed:
    """Quantizes K and V once, for queries like q (of which only shape, type and place count).

        packed = fsattn.pack(q, k, v)
        o = packed.attention(q)

    K and V must stay as they are as long as it is used. On a GPU the work is enqueued on PyTorch's current stream, and calls must
    come behind it; on the host nothing is quantized and calls cost what `attention` costs.
    """
    operands, context, problem = _describe(q, k, v, layout, is_causal, scale, False, context)
    plan = _find(context, problem, accuracy)
    arguments, packed, err = c.Arguments(ctypes.sizeof(c.Arguments)), c.Packed(ctypes.sizeof(c.Packed)), c.Err()
    arguments.k, arguments.v = (_tensor(x, layout) for x in operands[1:])
    arguments.stream = stream_of(q, operands[0].device)
    packed.bytes, memory = context._packed_bytes(plan), None
    if packed.bytes:
        memory, packed.memory = device_bytes(q, packed.bytes, 256)
    c.check(
        c.library().fsattn_pack(
            context._open(), ctypes.byref(plan), ctypes.byref(arguments), ctypes.byref(packed), ctypes.byref(err)
        ),
        err,
    )
    return Packed(context, k, v, packed, memory, {"layout": layout, "is_causal": is_causal, "scale": scale})


def explain(
    q: Any,
    k: Any,
    v: Any,
    *,
    layout: str = "bhsd",
    is_causal: bool = False,
    scale: Optional[float] = None,
    accuracy: Optional[Accuracy] = None,
    return_lse: bool = False,
    context: Optional[Context] = None,
) -> str:
    """Says in words which kernel `attention` would choose for these operands and why, and what it passes over. Runs nothing."""
    _, context, problem = _describe(q, k, v, layout, is_causal, scale, return_lse, context)
    try:
        _find(context, problem, accuracy)
    except c.FsattnError:
        pass
    return context._explain(problem, accuracy)


def plan_info(
    q: Any,
    k: Any,
    v: Any,
    *,
    layout: str = "bhsd",
    is_causal: bool = False,
    scale: Optional[float] = None,
    accuracy: Optional[Accuracy] = None,
    return_lse: bool = False,
    context: Optional[Context] = None,
) -> PlanInfo:
    """The plan that `attention` would choose for these operands. Runs nothing."""
    _, context, problem = _describe(q, k, v, layout, is_causal, scale, return_lse, context)
    return context.info(_find(context, problem, accuracy))


def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: Optional[float] = None,
    enable_gqa: bool = False,
) -> Any:
    """`torch.nn.functional.scaled_dot_product_attention` with the same arguments, for what the kernels support.

    [batch, heads, rows, head_dim] (or fewer leading dimensions), no attn_mask, no dropout, forward only, as many queries as keys
    when causal (PyTorch aligns its causal mask top left), equally many heads unless enable_gqa. Everything else raises
    NotImplementedError or ValueError with the argument's name, never a different result.
    """
    if attn_mask is not None:
        raise NotImplementedError(
            "attn_mask: masks given as tensors are not supported, only is_causal=True: leave it out or use PyTorch for this call"
        )
    if dropout_p != 0.0:
        raise NotImplementedError(f"dropout_p: is {dropout_p}, fsattn has no dropout: expected 0.0")
    q, k = operand("query", query), operand("key", key)
    if is_causal and q.shape[2] != k.shape[2]:
        raise NotImplementedError(
            f"is_causal: with {q.shape[2]} queries and {k.shape[2]} keys PyTorch aligns the mask top left, fsattn bottom right: "
            "fsattn.attention(..., is_causal=True) computes the latter"
        )
    if q.shape[1] != k.shape[1] and not enable_gqa:
        raise ValueError(f"enable_gqa: is False, with {q.shape[1]} query heads and {k.shape[1]} key heads")
    return attention(query, key, value, is_causal=is_causal, scale=scale)
