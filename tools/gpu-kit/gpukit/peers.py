"""PyTorch, Triton and torch.compile: reference results and peers."""

from .kit import say

# Relative error (Frobenius norm) that a correct result may have: a few units in the
# last place of the element type; tf32 keeps ten bits. Integers are exact.
TOLERANCE = {"f32": 1e-5, "f16": 2e-3, "bf16": 1.6e-2, "tf32": 3e-3, "i8": 0.0}


def load_torch(options):
    """Return (torch with an initialized context, the reason if there is none)."""
    if options.no_torch:
        return None, "not requested"
    try:
        import torch
    except Exception as error:
        return None, "no PyTorch in this Python: %s" % error
    if not torch.cuda.is_available():
        return None, "PyTorch %s finds no CUDA device" % torch.__version__
    torch.backends.cudnn.benchmark = True
    torch.cuda.init()
    torch.zeros(1, device="cuda")
    return torch, None


def load_triton():
    """Return the product in Triton; None without Triton."""
    try:
        from . import triton_peer
    except Exception as error:
        say("without Triton: %s" % error)
        return None
    return triton_peer


def allow_tf32(torch, allowed):
    torch.backends.cuda.matmul.allow_tf32 = allowed
    torch.backends.cudnn.allow_tf32 = allowed


def error_of(got, want):
    want = want.double()
    norm = want.norm().item()
    difference = (got.double() - want).norm().item()
    if difference != difference:
        return float("inf")
    return difference / norm if norm else difference


def reference(torch, operation, tensors):
    """Compute in f64 if that is affordable, else in f32 without TF32."""
    wide = torch.float64 if operation.flops < 3e11 else torch.float32
    allow_tf32(torch, False)
    return operation.function()(*[t.to(wide) for t in tensors])


def contenders(torch, operation, compiled, triton):
    """Return {name: (call(data), whether it has the same precision)}; a call stores its
    result in the data."""
    found, compute, tf32 = {}, operation.function(), operation.precision == "tf32"
    if operation.precision == "i8":
        compute = torch._int_mm  # PyTorch's only product of bytes.

    def keeping(function, tf32=tf32):
        def call(data):
            allow_tf32(torch, tf32)
            data["kept"] = function(*data["tensors"])
        return call

    found["torch"] = (keeping(compute), True)
    if operation.flops > 0 and operation.precision == "f32":
        found["torch-tf32"] = (keeping(compute, True), False)
    if compiled:
        allow_tf32(torch, tf32)
        found["torch.compile"] = (keeping(torch.compile(
            lambda *t: compute(*t), mode="max-autotune-no-cudagraphs", dynamic=False)), True)
    if triton and operation.kind == "mm":
        found["triton"] = (keeping(lambda x, y: triton.matmul(x, y, tf32)), True)
    return found
