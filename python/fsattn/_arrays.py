"""What an operand is: a NumPy array or a PyTorch tensor, seen as an address, a shape, strides and a type.

Neither library is imported here unless one of its objects is given. Nothing is ever copied: an operand that the kernels cannot
read where it lies is refused with the call that makes one they can.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Optional, Tuple

from ._library import DTYPES


@dataclass(frozen=True)
class Operand:
    """One operand. Strides count elements; `shape` and `strides` have four members, leading ones of 1 were added."""

    name: str
    address: int
    shape: Tuple[int, int, int, int]
    strides: Tuple[int, int, int, int]
    dtype: str
    device: str  # "host", or "hip:N" for the Nth GPU


def is_torch(array: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, torch.Tensor)


def is_numpy(array: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(array, numpy.ndarray)


def _torch_device(array: Any, name: str) -> str:
    import torch

    if array.device.type == "cpu":
        return "host"
    if array.device.type == "cuda" and torch.version.hip:
        return f"hip:{array.device.index or 0}"
    raise TypeError(f"{name}: expected a tensor on the processor or on an AMD GPU, got one on {array.device}")


def _four(name: str, shape: Tuple[int, ...], strides: Tuple[int, ...]) -> Tuple[Any, Any]:
    if not 2 <= len(shape) <= 4:
        raise ValueError(
            f"{name}: expected 2, 3 or 4 dimensions ([[batch,] heads,] rows, head_dim), got {len(shape)}: "
            f"reshape it to [batch, heads, rows, head_dim]"
        )
    if any(extent < 1 for extent in shape):
        raise ValueError(f"{name}: is empty, its shape is {tuple(shape)}")
    missing = 4 - len(shape)
    return (1,) * missing + tuple(shape), (0,) * missing + tuple(strides)


def _torch_memory(name: str, tensor: Any) -> Tuple[str, int]:
    """The type and the address of a tensor whose memory says what its elements are."""
    import torch

    if tensor.layout != torch.strided or tensor.is_nested:
        kind = "a nested one" if tensor.is_nested else f"layout {tensor.layout}"
        way = "make one call for each of .unbind()" if tensor.is_nested else "call .to_dense()"
        raise TypeError(f"{name}: expected a dense tensor, got {kind}: {way}")
    if tensor.requires_grad and torch.is_grad_enabled():
        raise NotImplementedError(
            f"{name}: requires a gradient, and fsattn computes attention forward only: call it under torch.no_grad(), "
            "or with .detach()"
        )
    if tensor.is_neg():
        raise ValueError(f"{name}: is the negative of what its memory holds: call .resolve_neg()")
    try:
        address = tensor.data_ptr()
    except RuntimeError:
        address = 0
    if address == 0 and tensor.numel() and tensor.device.type != "meta":
        raise TypeError(
            f"{name}: has no memory, as tensors that torch.compile or torch.func trace: keep this call out of what they trace"
        )
    return str(tensor.dtype).replace("torch.", ""), address


def operand(name: str, array: Any) -> Operand:
    """The array as an operand. TypeError or ValueError names it and what is wrong with it."""
    if is_torch(array):
        dtype, address = _torch_memory(name, array)
        strides, device = tuple(array.stride()), _torch_device(array, name)
    elif is_numpy(array):
        if not array.dtype.isnative:
            raise TypeError(f"{name}: has the other byte order: call .astype({array.dtype.newbyteorder('=')})")
        if any(stride % array.itemsize for stride in array.strides):
            raise ValueError(f"{name}: its strides are no multiples of its elements: call numpy.ascontiguousarray")
        dtype, address = array.dtype.name, array.ctypes.data
        strides, device = tuple(stride // array.itemsize for stride in array.strides), "host"
    else:
        raise TypeError(f"{name}: expected a numpy.ndarray or a torch.Tensor, got {type(array).__name__}")
    if dtype not in DTYPES:
        raise TypeError(f"{name}: expected {', '.join(DTYPES)}, got {dtype}")
    shape, strides = _four(name, tuple(array.shape), strides)
    # A dimension of one element has any stride: the one that cannot be wrong.
    strides = tuple(0 if extent == 1 and i < 3 else stride for i, (extent, stride) in enumerate(zip(shape, strides)))
    if any(stride < 0 for stride in strides):
        raise ValueError(f"{name}: has a negative stride: make a copy")
    if shape[3] > 1 and strides[3] != 1:
        raise ValueError(
            f"{name}: head_dim must be contiguous, its stride is {strides[3]}: "
            + ("call .contiguous()" if is_torch(array) else "call numpy.ascontiguousarray")
        )
    if not any(strides[:3]) and any(extent > 1 for extent in shape[:3]):
        raise ValueError(f"{name}: is one row repeated, which the library would take for a dense operand: make a copy")
    return Operand(name, address, shape, strides, dtype, device)


def empty_like(array: Any, swapped: bool) -> Any:
    """A new array of the same kind, shape, type and place; with `swapped`, heads and rows lie in memory in the order that their
    dimensions do not have."""
    shape = tuple(array.shape)
    if swapped:
        shape = shape[:-3] + (shape[-2], shape[-3], shape[-1])
    if is_torch(array):
        made = array.new_empty(shape)
    else:
        import numpy

        made = numpy.empty(shape, dtype=array.dtype)
    return made.swapaxes(-3, -2) if swapped else made


def written(array: Any) -> None:
    """Tells PyTorch that the tensor has other numbers now, for gradients of what had used it before."""
    if is_torch(array):
        import torch

        torch.autograd.graph.increment_version(array)


def empty_float32(array: Any, shape: Tuple[int, ...]) -> Any:
    if is_torch(array):
        import torch

        return torch.empty(shape, dtype=torch.float32, device=array.device)
    import numpy

    return numpy.empty(shape, dtype=numpy.float32)


def device_bytes(array: Any, count: int, alignment: int) -> Tuple[Any, int]:
    """Memory where the tensor lies, kept by what is returned first; its aligned address."""
    import torch

    made = torch.empty(count + alignment - 1, dtype=torch.uint8, device=array.device)
    return made, -(-made.data_ptr() // alignment) * alignment


def stream_of(array: Any, device: str) -> Optional[int]:
    """The caller's current stream on that device; None on the host."""
    if device == "host":
        return None
    import torch

    return torch.cuda.current_stream(array.device).cuda_stream
