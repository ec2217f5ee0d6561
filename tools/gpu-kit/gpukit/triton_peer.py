"""A matrix product in Triton, as a user would write it: tiles, groups of blocks that
share operands in the L2 cache, and autotuning over a few configurations."""

import torch
import triton
import triton.language as tl


def _configurations():
    found = []
    for m, n, k, stages, warps in (
        (128, 256, 64, 3, 8), (128, 128, 64, 4, 8), (128, 128, 32, 4, 4),
        (64, 128, 64, 4, 4), (64, 64, 64, 4, 4), (32, 64, 64, 4, 4), (16, 64, 128, 4, 4),
    ):
        found.append(triton.Config({"M_TILE": m, "N_TILE": n, "K_TILE": k},
                                   num_stages=stages, num_warps=warps))
    return found


@triton.autotune(configs=_configurations(), key=["m", "n", "k", "F32"])
@triton.jit
def _product(a, b, c, m, n, k, F32: tl.constexpr, SUM: tl.constexpr, M_TILE: tl.constexpr,
             N_TILE: tl.constexpr, K_TILE: tl.constexpr):
    group = 8
    block = tl.program_id(0)
    rows, columns = tl.cdiv(m, M_TILE), tl.cdiv(n, N_TILE)
    per_group = group * columns
    first = block // per_group * group
    size = min(rows - first, group)
    row = first + (block % per_group) % size
    column = (block % per_group) // size
    i = row * M_TILE + tl.arange(0, M_TILE)
    j = column * N_TILE + tl.arange(0, N_TILE)
    total = tl.zeros((M_TILE, N_TILE), dtype=SUM)
    for start in range(0, k, K_TILE):
        p = start + tl.arange(0, K_TILE)
        x = tl.load(a + i[:, None] * k + p[None, :],
                    mask=(i[:, None] < m) & (p[None, :] < k), other=0.0)
        y = tl.load(b + p[:, None] * n + j[None, :],
                    mask=(p[:, None] < k) & (j[None, :] < n), other=0.0)
        if F32 != "":
            total = tl.dot(x, y, total, input_precision=F32)
        else:
            total = tl.dot(x, y, total, out_dtype=SUM)
    tl.store(c + i[:, None] * n + j[None, :], total.to(c.dtype.element_ty),
             mask=(i[:, None] < m) & (j[None, :] < n))


def matmul(x, y, tf32=False):
    """Multiply x (M x K) by y (K x N), both contiguous; bytes with sums in i32. Factors
    in f32 are rounded to TF32 if it is permitted."""
    (m, k), n = x.shape, y.shape[1]
    dtype = torch.int32 if x.dtype == torch.int8 else x.dtype
    out = torch.empty((m, n), device=x.device, dtype=dtype)

    def grid(meta):
        return (triton.cdiv(m, meta["M_TILE"]) * triton.cdiv(n, meta["N_TILE"]),)

    precision = "tf32" if tf32 else "ieee"
    _product[grid](x, y, out, m, n, k, F32=precision if x.dtype == torch.float32 else "",
                   SUM=tl.int32 if x.dtype == torch.int8 else tl.float32)
    return out
