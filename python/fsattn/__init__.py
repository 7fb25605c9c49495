"""fsattn: tuned quantized attention kernels for NumPy arrays and PyTorch tensors.

    import fsattn
    o = fsattn.attention(q, k, v, is_causal=True)                   # [batch, heads, rows, head_dim]
    o = fsattn.scaled_dot_product_attention(query, key, value)      # in place of PyTorch's
    print(fsattn.explain(q, k, v))                                  # which kernel, and why

Kernels come from cache files that fsattn-tune makes: `Context(["my.fsc"])`, $FSATTN_CACHES, or the user's data folder.
"""

from ._attention import Packed, attention, explain, pack, plan_info, scaled_dot_product_attention
from ._context import (
    Accuracy,
    Context,
    MissInfo,
    PlanInfo,
    Schedule,
    default_caches,
    default_context,
    set_default_context,
)
from ._library import FsattnError

__all__ = [
    "Accuracy",
    "Context",
    "FsattnError",
    "MissInfo",
    "Packed",
    "PlanInfo",
    "Schedule",
    "attention",
    "default_caches",
    "default_context",
    "explain",
    "pack",
    "plan_info",
    "scaled_dot_product_attention",
    "set_default_context",
]
__version__ = "0.1.0"
