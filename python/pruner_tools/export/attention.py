#===- attention.py - attention on narrow types -----------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention on f16 and bf16 as PyTorch's fused kernel for CPUs computes it."""

import math

from .networks import need


def _applies(query, key, value, mask, dropout):
    torch = need("torch")
    tensors = (query, key, value)
    return (not dropout and all(each.dim() == 4 and each.dtype == query.dtype
                                and each.shape[-1] == query.shape[-1] for each in tensors)
            and query.dtype in (torch.float16, torch.bfloat16)
            and (mask is None or mask.dtype == torch.bool or mask.is_floating_point()))


def _masked(scores, mask, causal):
    torch = need("torch")
    if causal:
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
    if mask is None:
        return scores
    if mask.dtype == torch.bool:
        return torch.where(mask, scores, -math.inf)
    return scores + mask.float()


def _attention(query, key, value, mask, dropout, causal, scale):
    """Return the result, and the logarithms of the sums of exponentials. Products of narrow
    factors are added up in f32. The softmax computes in f32, and its weights are rounded to
    the narrow type once. (PyTorch rounds the exponentials before it divides by their sum,
    and the largest one, which is 1, then has no error.) A row that is entirely masked is
    zero. Returns None for attention that PyTorch computes in other steps."""
    torch = need("torch")
    if not _applies(query, key, value, mask, dropout):
        return None
    if key.shape[1] != query.shape[1]:  # Groups of heads share keys and values.
        groups = query.shape[1] // key.shape[1]
        key, value = (each.unsqueeze(2).expand(-1, -1, groups, -1, -1).flatten(1, 2)
                      for each in (key, value))
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = torch.matmul(query.float(), key.float().transpose(-2, -1)) * scale
    scores = _masked(scores, mask, causal)
    weights = torch.ops.aten._safe_softmax(scores, -1).to(query.dtype)
    result = torch.matmul(weights.float(), value.float()).to(query.dtype)
    return result, torch.logsumexp(scores, -1)


def _of_models(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, *,
               scale=None, enable_gqa=False):
    found = _attention(query, key, value, attn_mask, dropout_p, is_causal, scale)
    return found and found[0]


def _of_cpus(query, key, value, dropout_p=0.0, is_causal=False, *, attn_mask=None,
             scale=None):
    return _attention(query, key, value, attn_mask, dropout_p, is_causal, scale)


# The operation of models, and the one that torch.compile chooses for CPUs. Both return None
# for attention that PyTorch computes in other steps.
OPERATIONS = {"scaled_dot_product_attention": _of_models,
              "_scaled_dot_product_flash_attention_for_cpu": _of_cpus}
