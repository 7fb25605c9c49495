"""Contexts: a device with the cache files it serves from, what is asked of a plan, and what is told of one."""

from __future__ import annotations

import ctypes
import glob
import os
import threading
import warnings
from dataclasses import dataclass
from typing import Any, Dict, Optional, Sequence, Union

from . import _library as c


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
        if isinstance(caches, (str, bytes, os.PathLike)):
            raise TypeError(f"caches: expected a list of paths, got one: [{caches!r}]")
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
        self._handle, self._process, self._cache_count = handle, os.getpid(), len(caches)

    def close(self) -> None:
        """Releases everything; no call may be running. The context cannot be used afterwards."""
        if self._handle is not None and self._process == os.getpid():
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
        if self._process != os.getpid():
            raise ValueError(
                "the context was opened before this process was forked, and its threads are not here: open one in this process"
            )
        return self._handle

    def add_cache(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Adds a cache file below those already there."""
        err = c.Err()
        c.check(c.library().fsattn_cache_add(self._open(), os.fsencode(path), ctypes.byref(err)), err)
        self._cache_count += 1

    def misses(self) -> MissInfo:
        """What became of problems that nothing tuned served; without miss_log, tuner and compiler nothing is counted."""
        err, info = c.Err(), c.MissInfo()
        info.size = ctypes.sizeof(info)
        c.check(c.library().fsattn_miss_info_get(self._open(), ctypes.byref(info), ctypes.byref(err)), err)
        return MissInfo(info.noted, info.queued, info.compiled, info.failed)

    def find(self, *problems: c.Problem, accuracy: Optional[Accuracy] = None) -> c.Plan:
        """A plan for the first of several descriptions of the same work that has one; of a miss one is noted."""
        err, plan, wanted = c.Err(), c.Plan(), _wanted(accuracy)
        asked = (ctypes.POINTER(c.Problem) * len(problems))(*(ctypes.pointer(problem) for problem in problems))
        status = c.library().fsattn_plan_find_first(
            self._open(), asked, len(problems), wanted, ctypes.byref(plan), ctypes.byref(err)
        )
        if status != c.OK and not self._cache_count:
            err.hint = (
                f"no cache file was given: make one with fsattn-tune, and name it in $FSATTN_CACHES, put it into {data_folder()}, "
                "or open a fsattn.Context([path])"
            ).encode()[:511]
        c.check(status, err)
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
        err, needed, wanted = c.Err(), ctypes.c_size_t(), _wanted(accuracy)
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


def _wanted(accuracy: Optional[Accuracy]) -> Any:
    """The demand for C; None when there is none."""
    if accuracy is None:
        return None
    if not isinstance(accuracy, Accuracy):
        raise TypeError(f"accuracy: expected a fsattn.Accuracy, got {accuracy!r}: fsattn.Accuracy(grade=\"bf16\"), for example")
    return ctypes.byref(accuracy._struct())


def _command(name: str, words: Sequence[str]) -> Any:
    """The words for C; None when there are none."""
    if isinstance(words, str):
        raise TypeError(f"{name}: expected a list of words, got a string: [{words!r}] is a program without arguments")
    return (ctypes.c_char_p * (len(words) + 1))(*(os.fsencode(word) for word in words), None) if words else None


def _warn(_data: Any, err: Any) -> None:
    warnings.warn(err.contents.message.decode(errors="replace"), RuntimeWarning, stacklevel=3)  # whoever opens the context


def data_folder() -> str:
    """Where the user's cache files are: fsattn/ of $XDG_DATA_HOME or ~/.local/share."""
    return os.path.join(os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share"), "fsattn")


def default_caches() -> list[str]:
    """The cache files of contexts that nobody configured, highest priority first: those named in $FSATTN_CACHES (separated by
    colons), then every .fsc in fsattn/ of the user's data folder ($XDG_DATA_HOME or ~/.local/share), in order of name."""
    named = [path for path in os.environ.get("FSATTN_CACHES", "").split(":") if path]
    found = sorted(glob.glob(os.path.join(glob.escape(data_folder()), "*.fsc")))
    return named + [path for path in found if path not in named]


_opened: Dict[str, Context] = {}
_given: Dict[str, Context] = {}
_lock = threading.Lock()


def _forked() -> None:
    """In the child: another thread of the parent may have held the lock, and what it had opened does not work here."""
    global _lock
    _lock = threading.Lock()
    _opened.clear()


os.register_at_fork(after_in_child=_forked)


def default_context(device: str = "host") -> Context:
    """The context that `attention` uses when none is given: one for each device, opened at the first use with the files of
    `default_caches`, then those that were installed with the library; files that cannot be used are skipped with a warning."""
    with _lock:
        if device in _given:
            return _given[device]
        if device not in _opened:
            name, _, ordinal = device.partition(":")
            _opened[device] = Context(
                default_caches(), device=name, ordinal=int(ordinal or 0), skip_bad_caches=True, shipped_caches=True
            )
        return _opened[device]


def set_default_context(context: Optional[Context], device: str = "host") -> None:
    """Makes `context` the one that `attention` uses for that device; None opens a new one at the next use."""
    if context is not None and not isinstance(context, Context):
        raise TypeError(f"context: expected a fsattn.Context, got {type(context).__name__}")
    with _lock:
        _opened.pop(device, None)
        _given.pop(device, None)
        if context is not None:
            _given[device] = context
