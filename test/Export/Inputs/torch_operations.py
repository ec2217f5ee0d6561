"""Compares torch.compile by Pruner with eager PyTorch for the operations of PyTorch's own
list of samples (OpInfo): one graph for each operation and type.

    torch_operations.py CACHE [--types float32,int64] [--samples 6] [NAME ...]
"""
import argparse
import logging
import warnings

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils import _pytree

from pruner import torch_backend

# Results that depend on memory or random numbers, or are not unique.
SKIPPED = ("empty", "new_empty", "resize_", "as_strided", "sparse", "_jiterator", "rand",
           "normal", "bernoulli", "multinomial", "uniform", "exponential", "geometric",
           "cauchy", "poisson", "dropout", "eig", "svd", "pca_lowrank", "fractional",
           "rrelu", "scaled_dot_product_attention", "logspace")
# With equal elements, any of their places may be the result.
TIES = ("topk", "sort", "kthvalue", "mode", "median", "cummax", "cummin")

parser = argparse.ArgumentParser()
parser.add_argument("cache")
parser.add_argument("names", nargs="*")
parser.add_argument("--types", default="float32,int64")
parser.add_argument("--samples", type=int, default=6)
options = parser.parse_args()
types = [getattr(torch, name) for name in options.types.split(",")]
warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
torch.set_num_threads(1)


def cloned(sample):
    """Return the arguments of a sample with other tensors, which it may write to."""
    return _pytree.tree_map_only(torch.Tensor, lambda tensor: tensor.detach().clone(),
                                 (sample.input, tuple(sample.args), dict(sample.kwargs)))


def samples_of(operation, dtype):
    """Return up to options.samples samples for which eager PyTorch computes tensors and
    numbers, and its results."""
    torch.manual_seed(0)
    samples = list(operation.sample_inputs("cpu", dtype, requires_grad=False))
    found = []
    for sample in samples[::max(1, len(samples) // options.samples)][:options.samples]:
        value, args, kwargs = cloned(sample)
        try:
            result = operation.op(value, *args, **kwargs)
        except Exception:  # Some samples need a device or a library.
            continue
        if all(isinstance(leaf, (torch.Tensor, int, float, bool, type(None)))
               for leaf in _pytree.tree_leaves(result)):
            found.append((sample, result))
    return found


def compiled(operation, samples):
    """Return the results of all samples, from one graph whose inputs are their tensors."""
    torch._dynamo.reset()
    torch_backend.graphs.clear()
    flat = [_pytree.tree_flatten(cloned(sample)) for sample in samples]
    tensors = [[leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
               for leaves, _ in flat]

    def function(tensors):
        results = []
        for (leaves, spec), given in zip(flat, tensors):
            rest = iter(given)
            value, args, kwargs = _pytree.tree_unflatten(
                [next(rest) if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves],
                spec)
            results.append(operation.op(value, *args, **kwargs))
        return results
    return torch.compile(function, backend=torch_backend.compile_graph, dynamic=False,
                         options={"cache": options.cache})(tensors)


def difference(expected, found):
    """Return what differs between two leaves of results, or None."""
    if not isinstance(expected, torch.Tensor):
        return None if expected == found or expected != expected else "value"
    if (expected.dtype, expected.shape) != (found.dtype, found.shape):
        return "type"
    if not expected.dtype.is_floating_point and not expected.dtype.is_complex:
        return None if torch.equal(expected, found) else "value"
    finite = expected[expected.isfinite()].abs()
    bound = {torch.bfloat16: 3e-2, torch.float16: 4e-3}.get(expected.dtype, 2e-5)
    scale = finite.max().item() if finite.numel() else 1
    return None if torch.allclose(expected, found, rtol=bound, atol=bound * scale,
                                  equal_nan=True) else "value"


operations = whole = parts = samples = 0
for operation in op_db:
    name = ".".join(filter(None, (operation.name, operation.variant_test_name)))
    if (options.names and name not in options.names
            or any(word in name for word in SKIPPED)):
        continue
    for dtype in types:
        if not operation.supports_dtype(dtype, "cpu") or (
                not dtype.is_floating_point and any(word in name for word in TIES)):
            continue
        with torch.no_grad():
            given = samples_of(operation, dtype)
            if not given:
                continue
            try:
                results = compiled(operation, [sample for sample, _ in given])
            except Exception as error:
                print(f"{name} {dtype} raised {type(error).__name__}: {error}")
                continue
        wrong = [n for n, ((_, expected), found) in enumerate(zip(given, results))
                 if any(map(difference, _pytree.tree_leaves(expected),
                            _pytree.tree_leaves(found)))]
        if wrong:
            print(f"{name} {dtype} wrong: samples {wrong} of {len(given)}")
        operations += 1
        samples += len(given)
        graphs = torch_backend.graphs
        whole += all(not graph.reason and not graph.eager for graph in graphs)
        parts += any(graph.eager for graph in graphs)
print(f"{operations} operations, {samples} samples, {whole} compiled whole, "
      f"{parts} in parts")
