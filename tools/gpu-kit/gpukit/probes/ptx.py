"""PTX text of the kernels that the probes launch.

Every kernel is the entry `probe` with four parameters of 64 bits: `out` and `data` are
addresses, `count` is a number, and `magic` is 0. What a kernel computes is stored if
`magic` has another value, so that the assembler cannot drop the computation."""

# Architectures, and the first version of PTX that has each of them.
TARGETS = ((70, "6.0"), (75, "6.3"), (80, "7.0"), (86, "7.1"), (87, "7.4"), (89, "7.8"),
           (90, "7.8"), (100, "8.6"), (120, "8.7"))
ENTRY = "probe"
WARP = 32


class Kernel:
    """The text of a kernel. `per` is the number of measured operations of a warp in an
    iteration of the timed loop. `expect` maps patterns of machine instructions to their
    numbers in that loop."""

    def __init__(self, text, threads, per=1, expect=None):
        self.text, self.threads, self.per = text, threads, per
        self.expect = expect or {}

    def keep(self, *lines):
        """Add lines after the timed loop. They put results into registers that are
        stored."""
        mark = "bar.sync 0;\n@%p31"
        assert self.text.count(mark) == 1
        self.text = self.text.replace(mark, "bar.sync 0;\n%s\n@%%p31" % "\n".join(lines))
        return self


def number_of(arch):
    """Return 90 for "sm_90a"."""
    return int("".join(c for c in arch if c.isdigit()))


def target_of(number):
    """Return (architecture, version of PTX): the newest that is not newer than `number`.
    The driver translates it to the device."""
    known = [entry for entry in TARGETS if entry[0] <= number]
    if not known:
        raise ValueError("no PTX for sm_%d; the oldest is sm_%d" % (number, TARGETS[0][0]))
    return known[-1]


def _text(number, threads, lines, shared, local):
    target, version = target_of(number)
    memory = []
    if shared:
        memory.append(".shared .align 128 .b8 pool[%d];" % shared)
    if local:
        memory.append(".local .align 16 .b8 stack[%d];" % local)
    return "\n".join([
        ".version " + version, ".target sm_%d" % target, ".address_size 64",
        ".visible .entry %s(.param .u64 out_p, .param .u64 data_p, .param .u64 count_p, "
        ".param .u64 magic_p)" % ENTRY,
        ".maxntid %d, 1, 1" % threads, "{",
        ".reg .pred %p<32>;", ".reg .b16 %h<64>;", ".reg .b32 %r<1024>;", ".reg .f32 %f<1024>;",
        ".reg .b64 %d<1024>;", ".reg .b32 %thread, %warp, %lane, %block, %warps, %blocks, %n;",
        ".reg .b64 %out, %data, %count, %magic, %start, %end, %place;",
        ".reg .f32 %x, %y;"] + memory + [
        "ld.param.u64 %out, [out_p];", "ld.param.u64 %data, [data_p];",
        "ld.param.u64 %count, [count_p];", "ld.param.u64 %magic, [magic_p];",
        "cvta.to.global.u64 %out, %out;", "cvta.to.global.u64 %data, %data;",
        "mov.u32 %thread, %tid.x;", "shr.u32 %warp, %thread, 5;", "and.b32 %lane, %thread, 31;",
        "mov.u32 %block, %ctaid.x;", "mov.u32 %blocks, %nctaid.x;", "mov.u32 %warps, %ntid.x;",
        "shr.u32 %warps, %warps, 5;", "setp.ne.u64 %p31, %magic, 0;"] + list(lines) + [
        "ret;", "}", ""])


def _sink(registers):
    """Store each of `registers` if `magic` says so."""
    return ["@%%p31 st.global.b32 [%%out+%d], %s;" % (4 * n, name)
            for n, name in enumerate(registers)]


def loop(body, label="LOOP", counter="%n"):
    """Return `body`, executed as often as `counter` says."""
    return [label + ":", '.pragma "nounroll";'] + list(body) + [
        "add.u32 %s, %s, -1;" % (counter, counter), "setp.ne.u32 %%p30, %s, 0;" % counter,
        "@%p30 bra " + label + ";"]


def timed(number, threads, body, setup=(), sink=(), per=1, expect=None, shared=0, local=0,
          clock="%clock64"):
    """A kernel that times `count` iterations of `body`. Each warp stores the time
    before and after them: out[(block * warps + warp) * 2 + (0, 1)]."""
    lines = list(setup) + ["cvt.u32.u64 %n, %count;", "bar.sync 0;",
                           "mov.u64 %%start, %s;" % clock]
    lines += loop(body) + ["mov.u64 %%end, %s;" % clock, "bar.sync 0;"]
    lines += _sink(sink) + [
        "mad.lo.u32 %r1023, %block, %warps, %warp;", "mul.wide.u32 %place, %r1023, 16;",
        "add.u64 %place, %out, %place;", "setp.ne.u32 %p30, %lane, 0;", "@%p30 bra DONE;",
        "st.global.v2.u64 [%place], {%start, %end};", "DONE:"]
    return Kernel(_text(number, threads, lines, shared, local), threads, per, expect)


def plain(number, threads, lines, sink=(), expect=None, shared=0):
    """A kernel that consists of `lines`."""
    return Kernel(_text(number, threads, list(lines) + _sink(sink), shared, 0), threads, 1,
                  expect)


def spin(number):
    """A kernel of one warp that takes `count` cycles."""
    return plain(number, WARP, [
        "mov.u64 %d0, %clock64;", "LOOP:", "mov.u64 %d1, %clock64;", "sub.u64 %d2, %d1, %d0;",
        "setp.lt.u64 %p0, %d2, %count;", "@%p0 bra LOOP;"])


# --- pieces of kernels --------------------------------------------------------


def float_seeds(count):
    """Set %x and %y from `data`, and %f0 to %f<count - 1> to numbers around 1 that
    differ between threads."""
    return ["ld.global.f32 %x, [%data];", "ld.global.f32 %y, [%data+4];",
            "cvt.rn.f32.u32 %f1000, %thread;", "mul.f32 %f1000, %f1000, 0f39800000;"] + [
        "add.f32 %%f%d, %%f1000, 0f3F8%05X;" % (n, 0x1000 * n + 0x1F) for n in range(count)]


def integer_seeds(count):
    """Set %r1000 and %r1001 from `data`, and %r0 to %r<count - 1>."""
    return ["ld.global.u32 %r1000, [%data];", "ld.global.u32 %r1001, [%data+4];"] + [
        "mad.lo.u32 %%r%d, %%thread, %d, %d;" % (n, 0x9E3779B1 ^ (n * 0x10001), 977 * n + 1)
        for n in range(count)]


def lane_offset(register):
    """Set a register of 32 bits to the offset that the table `data` has for the lane."""
    return ["mul.wide.u32 %d1000, %lane, 4;", "add.u64 %d1000, %data, %d1000;",
            "ld.global.u32 %s, [%%d1000];" % register]


def vector(width, first, prefix="%r"):
    """Return the operand of a load or store of `width` bytes."""
    names = ["%s%d" % (prefix, first + n) for n in range(width // 4)]
    return names[0] if len(names) == 1 else "{%s}" % ", ".join(names)


def suffix(width):
    return {4: "u32", 8: "v2.u32", 16: "v4.u32"}[width]


def xor3(to, a, b):
    return "lop3.b32 %s, %s, %s, %s, 0x96;" % (to, to, a, b)
