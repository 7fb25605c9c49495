"""libfsattn through ctypes: the structs and functions of fsattn.h, nothing else.

ctypes, not an extension module: the C interface is small and stable (every struct opens with its size, the library has one
version script), so there is nothing to compile, one package serves every Python, and installing it needs no compiler. A call
costs some microseconds; a kernel costs more.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from ctypes import POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_float, c_int, c_int64, c_size_t, c_uint64, c_void_p
from typing import Any, Optional

OK = 0
MISS_COMPILE = 1
DTYPES = {"float32": 0, "bfloat16": 1, "float16": 2}
LAYOUTS = {"bshd": 0, "bhsd": 1}
MASKS = {"none": 0, "causal": 1}
TRUSTS = {"owner": 0, "signed": 1, "owner_and_signed": 2}
GRADES = {"any": 0, "f32": 1, "bf16": 2, "mxfp8": 3, "mxfp6": 4, "mxfp4": 5}
SOURCES = ("tuned", "nearest", "default", "interval")
PROVENANCES = ("measured", "modelled")
PROBLEM_TEXT_BYTES = 256


class Err(Structure):
    _fields_ = [("code", c_int), ("message", c_char * 1024), ("hint", c_char * 512)]


Warn = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Err))


class Problem(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("batch", c_int64),
        ("heads_q", c_int64),
        ("heads_kv", c_int64),
        ("s_q", c_int64),
        ("s_k", c_int64),
        ("head_dim", c_int64),
        ("dtype_q", c_int),
        ("dtype_kv", c_int),
        ("dtype_o", c_int),
        ("layout", c_int),
        ("mask", c_int),
        ("lse", c_bool),
        ("scale", c_float),
    ]


class Options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("device", c_char_p),
        ("library", c_char_p),
        ("ordinal", c_int),
        ("threads", c_int),
        ("caches", POINTER(c_char_p)),
        ("cache_count", c_size_t),
        ("skip_bad_caches", c_bool),
        ("trust", c_int),
        ("warn", Warn),
        ("warn_data", c_void_p),
        ("signers", POINTER(c_char_p)),
        ("signer_count", c_size_t),
        ("miss_log", c_char_p),
        ("on_miss", c_int),
        ("tuner", POINTER(c_char_p)),
        ("compiled_folder", c_char_p),
        ("compiler", POINTER(c_char_p)),
        ("shipped_caches", c_bool),
    ]


class MissInfo(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("noted", c_uint64),
        ("queued", c_uint64),
        ("compiled", c_uint64),
        ("failed", c_uint64),
    ]


class Accuracy(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("maximum_error", c_double),
        ("maximum_relative_error", c_double),
        ("minimum_cosine", c_double),
        ("grade", c_int),
    ]


class Plan(Structure):
    _fields_ = [
        ("entry", c_void_p),
        ("problem", Problem),
        ("source", c_int),
        ("distance", c_double),
        ("reserved", c_uint64 * 4),
    ]


class PlanInfo(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("source", c_int),
        ("distance", c_double),
        ("provenance", c_int),
        ("time_ns", c_double),
        ("time_spread_ns", c_double),
        ("maximum_error", c_double),
        ("relative_error", c_double),
        ("cosine", c_double),
        ("template_name", c_char_p),
        ("configuration", c_char_p),
        ("isa", c_char_p),
        ("cache", c_char_p),
        ("tuned_problem", c_char_p),
        ("workspace_bytes", c_size_t),
        ("prepared", c_bool),
        ("packed_bytes", c_size_t),
        ("interval_regret", c_double),
        ("interval_beyond", c_double),
    ]


class Tensor(Structure):
    _fields_ = [("data", c_void_p), ("stride_b", c_int64), ("stride_h", c_int64), ("stride_s", c_int64)]


class Arguments(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("q", Tensor),
        ("k", Tensor),
        ("v", Tensor),
        ("o", Tensor),
        ("lse", c_void_p),
        ("stream", c_void_p),
        ("workspace", c_void_p),
        ("workspace_bytes", c_size_t),
    ]


class Packed(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("memory", c_void_p),
        ("bytes", c_size_t),
        ("problem", Problem),
        ("k", Tensor),
        ("v", Tensor),
        ("layout", c_char * 96),
        ("reserved", c_uint64 * 4),
    ]


def _prototypes(library: ctypes.CDLL) -> None:
    """One row for each function that is used: its result and its arguments."""
    err, context, problem, plan = POINTER(Err), c_void_p, POINTER(Problem), POINTER(Plan)
    rows: dict[str, tuple[Any, list[Any]]] = {
        "fsattn_problem_init": (None, [problem]),
        "fsattn_problem_text": (None, [problem, c_char * PROBLEM_TEXT_BYTES]),
        "fsattn_options_init": (None, [POINTER(Options)]),
        "fsattn_status_name": (c_char_p, [c_int]),
        "fsattn_open": (c_int, [POINTER(Options), POINTER(c_void_p), err]),
        "fsattn_close": (None, [context]),
        "fsattn_cache_add": (c_int, [context, c_char_p, err]),
        "fsattn_problem_at": (c_int, [context, c_size_t, problem, err]),
        "fsattn_miss_info_get": (c_int, [context, POINTER(MissInfo), err]),
        "fsattn_plan_find": (c_int, [context, problem, POINTER(Accuracy), plan, err]),
        "fsattn_plan_find_first": (c_int, [context, POINTER(problem), c_size_t, POINTER(Accuracy), plan, err]),
        "fsattn_prepare": (c_int, [context, plan, err]),
        "fsattn_run": (c_int, [context, plan, POINTER(Arguments), err]),
        "fsattn_pack": (c_int, [context, plan, POINTER(Arguments), POINTER(Packed), err]),
        "fsattn_run_packed": (c_int, [context, plan, POINTER(Packed), POINTER(Arguments), err]),
        "fsattn_plan_info_get": (c_int, [context, plan, POINTER(PlanInfo), err]),
        "fsattn_explain": (
            c_int,
            [context, problem, POINTER(Accuracy), c_char_p, c_size_t, POINTER(c_size_t), err],
        ),
    }
    for name, (result, arguments) in rows.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments


_loaded: Optional[ctypes.CDLL] = None


def library() -> ctypes.CDLL:
    """The library, loaded at the first use: $FSATTN_LIBRARY, else libfsattn.so.0 where the loader finds it."""
    global _loaded
    if _loaded is None:
        path = os.environ.get("FSATTN_LIBRARY") or ctypes.util.find_library("fsattn") or "libfsattn.so.0"
        try:
            made = ctypes.CDLL(path)
        except OSError as error:
            raise ImportError(
                f"libfsattn cannot be loaded ({error}): install it (cmake --install build --component fsattn; ldconfig), "
                "or set FSATTN_LIBRARY to the path of libfsattn.so"
            ) from error
        try:
            _prototypes(made)
        except AttributeError as error:
            raise ImportError(
                f"{path} is not the libfsattn of this package ({error}): install both from one source, or set FSATTN_LIBRARY to the "
                "path of that libfsattn.so"
            ) from error
        _loaded = made
    return _loaded


class FsattnError(RuntimeError):
    """A call of libfsattn failed. `status` is its name ("NOT_FOUND"), `hint` says what to do about it and may be empty."""

    def __init__(self, status: str, message: str, hint: str) -> None:
        super().__init__(f"{message} ({hint})" if hint else message)
        self.status = status
        self.message = message
        self.hint = hint


def check(status: int, err: Err) -> None:
    """Raises FsattnError unless the status is OK."""
    if status != OK:
        name = library().fsattn_status_name(status).decode()
        raise FsattnError(name, err.message.decode(errors="replace"), err.hint.decode(errors="replace"))
