"""The one call: attention forward."""

from __future__ import annotations

import ctypes
import math
import numbers
from typing import Any, Dict, Optional, Tuple

from . import _library as c
from ._arrays import Operand, device_bytes, empty_float32, empty_like, is_torch, operand, stream_of, written
from ._context import Accuracy, Context, PlanInfo, default_context


# Positions of heads and rows among the four dimensions of an operand.
_AXES = {"bhsd": (1, 2), "bshd": (2, 1)}


def _check_shapes(q: Operand, k: Operand, v: Operand, layout: str) -> None:
    heads, rows = _AXES[layout]
    if k.shape != v.shape:
        raise ValueError(
            f"k and v: expected equal shapes, got {k.shape} and {v.shape}; a head dimension of V of its own is not supported"
        )
    if q.shape[0] != k.shape[0]:
        raise ValueError(f"q and k: expected equal batches, got {q.shape[0]} and {k.shape[0]}: expand them")
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
        if not isinstance(scale, numbers.Real):
            raise TypeError(f"scale: expected a number, got {type(scale).__name__}")
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
    elif not isinstance(context, Context):
        raise TypeError(f"context: expected a fsattn.Context, got {context!r}: fsattn.Context([path of a cache file])")
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
    out: where the output goes, of q's shape and type, overlapping no operand; None makes a new one, whose heads and rows lie in
    the order that q's have.
    context: None takes `default_context` of the operands' device.

    On a GPU the work is enqueued on PyTorch's current stream. Forward only: a tensor that requires a gradient is refused unless
    gradients are off (torch.no_grad, torch.inference_mode). Nothing is cast: torch.autocast changes nothing here. torch.compile, torch.func and
    torch.library.opcheck are not supported: the call is no operator of PyTorch's, and tensors that these trace are refused. Raises ValueError, TypeError or NotImplementedError for operands
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
        out = empty_like(q, _memory_layout(operands[0], layout) != layout)
    else:
        written(out)
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
    *,
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
    q, k, _ = operand("query", query), operand("key", key), operand("value", value)
    if is_causal and q.shape[2] != k.shape[2]:
        raise NotImplementedError(
            f"is_causal: with {q.shape[2]} queries and {k.shape[2]} keys PyTorch aligns the mask top left, fsattn bottom right: "
            "fsattn.attention(..., is_causal=True) computes the latter"
        )
    if q.shape[1] != k.shape[1] and not enable_gqa:
        raise ValueError(f"enable_gqa: is False, with {q.shape[1]} query heads and {k.shape[1]} key heads")
    return attention(query, key, value, is_causal=is_causal, scale=scale)
