"""A tuned module as a program on the device: kernels launched in order."""

import re

CALL = re.compile(r"^\s*(%\w+) = (?:func\.)?call @(\w+)\(([^)]*)\) : "
                  r"\(([^)]*)\) -> (tensor<[^>]*>)\s*$")
RESHAPE = re.compile(r"^\s*(%\w+) = tensor\.(?:collapse|expand)_shape (%\w+) ")
RETURN = re.compile(r"^\s*(?:func\.)?return (%\w+) : ")


def parse_calls(text):
    """Return the body of @main as [(function, operand names, result name, type)].
    Raises ValueError if it contains anything else. Reshapes give the same bytes
    another name."""
    match = re.search(r"func\.func @main\((.*?)\) -> .*?\{\n(.*?)\n  \}", text, re.S)
    if not match:
        raise ValueError("no function @main")
    calls, result, same = [], None, {}
    for line in match.group(2).splitlines():
        line = re.sub(r" \{[^}]*\} :", " :", line)
        call, reshape, done = CALL.match(line), RESHAPE.match(line), RETURN.match(line)
        if call:
            names = [same.get(n.strip(), n.strip()) for n in call.group(3).split(",")]
            calls.append((call.group(2), names, call.group(1), call.group(5)))
        elif reshape:
            name, operand = reshape.groups()
            same[name] = same.get(operand, operand)
        elif done:
            result = same.get(done.group(1), done.group(1))
        elif line.strip():
            raise ValueError("outside of its kernels: " + line.strip()[:100])
    if result is None or not calls or result != calls[-1][2]:
        raise ValueError("its result is not that of its last kernel")
    return calls


def tensor_bytes(text):
    """Return bytes: tensor<4x5xf32> -> 80."""
    *shape, dtype = text[len("tensor<"):-1].split("x")
    bits = int(dtype.lstrip("bfi"))
    size = max(1, bits // 8)
    for extent in shape:
        size *= int(extent)
    return size


class Program:
    """An operation's kernels in order, with buffers between them."""

    def __init__(self, driver, timing, calls, kernels):
        self.driver, self.timing = driver, timing
        self.calls, self.kernels = calls, kernels
        self.between = {}
        for _, _, result, kind in calls[:-1]:
            self.between[result] = driver.allocate(tensor_bytes(kind))

    def __call__(self, data):
        where = dict(self.between)
        for n, pointer in enumerate(data["pointers"]):
            where["%%arg%d" % n] = pointer
        where[self.calls[-1][2]] = data["result"]
        stream = self.timing.current()
        for (_, names, result, _), kernel in zip(self.calls, self.kernels):
            kernel.launch([where[n] for n in names] + [where[result]], stream)

    def free(self):
        for pointer in self.between.values():
            self.driver.free(pointer)
        self.between = {}
