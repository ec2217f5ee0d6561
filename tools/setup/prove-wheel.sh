#!/bin/bash
# Installs the wheel in a Debian with only its base system and Python, without a
# compiler, linker or LLVM; tunes, compiles and runs a network there; and removes the
# wheel. Requires root, debootstrap and a package index (for NumPy), so it is not part
# of the test suites.
#
#   prove-wheel.sh <wheel> <bullseye, bookworm or trixie> <directory> [<site-packages>]
#
# A new directory gets the base system, an existing one is used again. The last
# argument is a directory with torch and torch-mlir for the Python of that Debian; with
# it torch.compile and models of PyTorch are compiled as well.
set -euo pipefail
wheel=$(readlink -f "$1")
suite=$2
root=$3
torch=${4:-}
here=$(readlink -f "$(dirname "$0")/../..")

if [ ! -e "$root" ]; then
  debootstrap --variant=minbase --include=python3,python3-venv "$suite" "$root" > "$root.log" 2>&1 ||
    { tail -5 "$root.log" >&2; exit 1; }
fi
mount --bind /proc "$root/proc"
trap 'umount "$root/proc" "$root/opt/torch" 2>/dev/null || true' EXIT

inside() {
  chroot "$root" /usr/bin/env -i PATH=/opt/venv/bin:/usr/bin:/bin HOME=/root \
    PIP_DISABLE_PIP_VERSION_CHECK=1 "$@"
}
failures=0
check() { # <what> <text to find> <command...>
  local what=$1 text=$2 start=$EPOCHREALTIME code=0
  shift 2
  inside "$@" > "$root/tmp/out" 2>&1 || code=$?
  local seconds
  seconds=$(python3 -c "print('%.1f s' % ($EPOCHREALTIME - $start))")
  if [ "$code" = 0 ] && { [ -z "$text" ] || grep -q -- "$text" "$root/tmp/out"; }; then
    echo "right: $what ($seconds)"
  else
    echo "WRONG: $what: exit code $code, expected 0 and '$text'"
    tail -5 "$root/tmp/out"
    failures=$((failures + 1))
  fi
}
files() { # Python's caches of packages that stay are no remains.
  inside find /opt/venv /usr -not -name '*.pyc' -not -name __pycache__ | sort
}

rm -rf "$root/opt/venv" "$root/opt/wheels" "$root/root/proof"
mkdir -p "$root/opt/wheels" "$root/root/proof"
cp "$wheel" "$root/opt/wheels"
python3 -m pip wheel -q --no-deps -w "$root/opt/wheels" "$here/python"
version=$(inside python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
python3 -m pip download -q --no-deps --only-binary=:all: -d "$root/opt/wheels" \
  --python-version "$version" --platform manylinux2014_x86_64 \
  --platform manylinux_2_28_x86_64 numpy
cp "$here/examples/mlp.mlir" "$here/examples/matmul_1024.mlir" "$root/root/proof"

. "$root/etc/os-release"
echo "$(basename "$wheel"), $(stat -c %s "$wheel") bytes, in $PRETTY_NAME, Python $version," \
  "glibc $(inside ldd --version | sed -n '1s/.* //p')"
if inside sh -c 'command -v cc gcc clang ld ld.lld as mlir-opt' ||
  inside dpkg-query -W 2>/dev/null | grep -iE '^(lib)?(llvm|mlir|clang|lld|gcc-[0-9]*$|sqlite3-dev)'; then
  echo "WRONG: the root is not empty"
  failures=$((failures + 1))
fi

inside python3 -m venv /opt/venv
inside pip install -q --no-index --find-links /opt/wheels numpy
files > "$root.before"
check "installs" "" pip install --no-index --find-links /opt/wheels pruner-mlir
check "finds all libraries" "^none is missing" sh -c \
  '! ldd /opt/venv/lib/python3*/site-packages/pruner/_native/*/* 2> /dev/null | grep "not found" && echo none is missing'
check "tunes by commands" "the network takes" sh -c 'cd /root/proof && pruner-opt mlp.mlir \
  --pruner-tune="trials=30 threads=1 db=mlp.db" -o tuned.mlir'
check "compiles" "" pruner-translate /root/proof/tuned.mlir --to=library -o /root/proof/net.so
check "prints versions" "^LLVM 22" pruner version
check "compiles by one command" "wrote" pruner compile /root/proof/mlp.mlir --trials=8 --threads=1 -o /root/proof/one.so
check "explains" "task_matmul" pruner explain /root/proof/mlp.db
check "lists records" "matmul" pruner-db list /root/proof/mlp.db
check "generates PTX" "target sm_90a" pruner-opt /root/proof/matmul_1024.mlir \
  "--pruner-tune=target=nvidia:sm_90a trials=2 strategy=draft-only model=none"
cat > "$root/root/proof/use.py" <<'END'
import sys

import numpy
import pruner


def reference(x, w0, b0, w1, b1, w2, b2):
    h = numpy.maximum(x @ w0 + b0, 0)
    return numpy.maximum(h @ w1 + b1, 0) @ w2 + b2


def compare(path):
    net = pruner.load(path)
    random = numpy.random.default_rng(1)
    inputs = [random.uniform(-1, 1, each.shape).astype(numpy.float32) for each in net.inputs]
    expected = reference(*(each.astype(numpy.float64) for each in inputs))
    error = abs(net(*inputs) - expected).max() / abs(expected).max()
    assert error < 1e-5, error
    print("largest relative error", error)


compare("/root/proof/net.so")
compare("/root/proof/one.so")
if sys.argv[1:]:  # Without the tools.
    sys.exit()
module = pruner.Module.open("/root/proof/mlp.mlir")
assert module.tune(trials=6, threads=1, db="/root/proof/python.db", finals=False)
module.lower(threads=1)
module.compile("/root/proof/python.so")
compare("/root/proof/python.so")
END
check "agrees with NumPy; tunes and compiles in Python" "largest" python /root/proof/use.py
if [ -n "$torch" ]; then
  mkdir -p "$root/opt/torch"
  mount --bind "$torch" "$root/opt/torch"
  site=$(inside python -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
  echo /opt/torch > "$root$site/torch.pth"
  cat > "$root/root/proof/compile.py" <<'END'
import torch

torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(784, 512), torch.nn.ReLU(), torch.nn.Linear(512, 10)).eval()
compiled = torch.compile(model, backend="pruner", dynamic=False, options={"strict": True})
with torch.no_grad():
    x = torch.rand(64, 784)
    y = compiled(x)
    torch.testing.assert_close(y, model(x))
from pruner.torch_backend import graphs
print("graphs:", [(graph.reason, graph.path) for graph in graphs])
torch.export.save(torch.export.export(model, (x,)), "/root/proof/model.pt2")
END
  cat > "$root/root/proof/models.py" <<'END'
import numpy
import pruner
import torch

x = torch.rand(64, 784)
program = torch.export.load("/root/proof/model.pt2")
expected = program.module()(x).detach().numpy()
for net in (pruner.compile(program, threads=1), pruner.load("/root/proof/model.so")):
    error = abs(net(x.numpy()) - expected).max() / abs(expected).max()
    assert error < 1e-5, error
print("both agree")
END
  check "torch.compile" "graphs: \[('', '/root/.cache" python /root/proof/compile.py
  check "compiles a model of PyTorch" "wrote" pruner compile /root/proof/model.pt2 \
    --trials=0 --threads=1 -o /root/proof/model.so
  check "pruner.compile, and the same model as a library" "both agree" python /root/proof/models.py
  rm "$root$site/torch.pth"
fi
check "the loader beside it" "" pip install --no-index --find-links /opt/wheels pruner-loader
check "agrees again" "largest" python /root/proof/use.py
check "uninstalls" "" pip uninstall -y pruner-mlir
check "the loader alone" "largest" python /root/proof/use.py load
check "uninstalls the loader" "" pip uninstall -y pruner-loader
files > "$root.after"
if diff "$root.before" "$root.after"; then
  echo "right: no file is left"
else
  echo "WRONG: the files above are left or missing"
  failures=$((failures + 1))
fi
echo "$failures failures"
[ "$failures" -eq 0 ]
