"""Measured limits of the device: the ceilings of an operation."""

from .peers import allow_tf32


def measure(driver, timing, torch, small=False):
    """Return the copy bandwidth (bytes read and written per second) and, with PyTorch,
    the rate of a large product for each type."""
    size = (1 << 26) if small else (1 << 30)
    a, b = driver.allocate(size), driver.allocate(size)
    best = min(timing.events(lambda: driver.copy(b, a, size, timing.current())) for _ in range(10))
    driver.free(a)
    driver.free(b)
    found = {"copy_bytes_per_second": 2.0 * size / max(best, 1e-9), "matrix_flops": {}}
    if not torch:
        return found
    n = 512 if small else 8192
    for name, dtype, tf32 in (("f32", torch.float32, False), ("tf32", torch.float32, True),
                              ("f16", torch.float16, False), ("bf16", torch.bfloat16, False)):
        allow_tf32(torch, tf32)
        x = torch.rand(n, n, device="cuda").to(dtype)
        y = torch.rand(n, n, device="cuda").to(dtype)
        torch.mm(x, y)
        best = min(timing.events(lambda: torch.mm(x, y)) for _ in range(5))
        found["matrix_flops"][name] = 2.0 * n ** 3 / best
    allow_tf32(torch, False)
    x, y = (torch.randint(-128, 128, (n, n), device="cuda", dtype=torch.int8) for _ in "xy")
    torch._int_mm(x, y)
    best = min(timing.events(lambda: torch._int_mm(x, y)) for _ in range(5))
    found["matrix_flops"]["i8"] = 2.0 * n ** 3 / best
    return found


def bound_seconds(operation, roofs):
    """Return the minimum time that the ceilings permit."""
    rate = roofs["matrix_flops"].get(operation.precision)
    seconds = operation.bytes / roofs["copy_bytes_per_second"]
    return max(seconds, operation.flops / rate) if rate else seconds
