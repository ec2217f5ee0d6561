#===- quantized.py - networks of bytes, for networks.py -------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantizes a network to 8 bits as each peer recommends: with static activations, which
are calibrated on the same random inputs.

    by_pt2e      PyTorch: torchao's PT2E for x86, which Inductor and Pruner compile
    by_onnx      ONNX Runtime: quantize_static with QuantizeLinear and DequantizeLinear
    by_nncf      OpenVINO: NNCF's quantization after training
"""

import os
import pathlib

# Inputs on which the ranges of activations are observed.
SAMPLES = 4


def samples(tensors, count=SAMPLES):
    """Return random inputs like `tensors`: other normal numbers, and the elements of
    integer tensors, such as tokens and masks, in another order."""
    import torch

    generator = torch.Generator().manual_seed(1)

    def like(tensor):
        if tensor.is_floating_point():
            return torch.randn(tensor.shape, generator=generator, dtype=tensor.dtype)
        order = torch.randperm(tensor.numel(), generator=generator)
        return tensor.flatten()[order].reshape(tensor.shape)

    return [tuple(map(like, tensors)) for _ in range(count)]


def name_calls(exported):
    """Give each call of a module a name of its own. torchao takes all operations with
    the same class and name for parts of one, and rejects a ReLU that is called twice."""
    for node in exported.graph.nodes:
        stack = node.meta.get("nn_module_stack")
        if stack:
            node.meta["nn_module_stack"] = {
                call: (call, module) for call, (_, module) in stack.items()}


def by_pt2e(module, tensors):
    """Return a module with operations that quantize and dequantize: unsigned activations
    by tensor, signed weights by channel."""
    import torch
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e
    from torchao.quantization.pt2e.quantizer import x86_inductor_quantizer as x86

    quantizer = x86.X86InductorQuantizer().set_global(
        x86.get_default_x86_inductor_quantization_config())
    with torch.no_grad():
        exported = torch.export.export(module, tuple(tensors)).module()
        name_calls(exported)
        prepared = prepare_pt2e(exported, quantizer)
        for each in samples(tensors):
            prepared(*each)
        return convert_pt2e(prepared)


def by_onnx(path, tensors):
    """Quantize the ONNX model at `path`. Return the path of the result."""
    import onnx
    import onnxruntime
    from onnxruntime import quantization
    from onnxruntime.quantization.shape_inference import quant_pre_process

    base = os.fspath(pathlib.Path(path).with_suffix(""))
    prepared, result = f"{base}.prepared.onnx", f"{base}.quantized.onnx"
    for skips in (False, True):
        # With its weights inside, because those in a file of their own are not found.
        onnx.save(onnx.load(path), prepared)
        quant_pre_process(prepared, prepared, skip_symbolic_shape=True,
                          skip_optimization=skips)
        try:
            session = onnxruntime.InferenceSession(prepared,
                                                   providers=["CPUExecutionProvider"])
            break
        except Exception:  # ONNX Runtime 1.31 cannot read some models that it optimized.
            if skips:
                raise
    names = [each.name for each in session.get_inputs()]
    del session

    class Reader(quantization.CalibrationDataReader):
        def __init__(self):
            self.left = iter(samples(tensors))

        def get_next(self):
            values = next(self.left, None)
            return values and {name: value.numpy()
                               for name, value in zip(names, values, strict=True)}

    quantization.quantize_static(
        prepared, result, Reader(), quant_format=quantization.QuantFormat.QDQ,
        per_channel=True, activation_type=quantization.QuantType.QUInt8,
        weight_type=quantization.QuantType.QInt8)
    return result


def by_nncf(model, tensors):
    """Return an OpenVINO model quantized by NNCF. Networks whose inputs are tokens, or
    that have softmax inside, are quantized as transformers."""
    import nncf

    kinds = [node.get_type_name() for node in model.get_ops()]
    transformer = "Softmax" in kinds or "ScaledDotProductAttention" in kinds
    data = nncf.Dataset([[value.numpy() for value in each] for each in samples(tensors)])
    return nncf.quantize(
        model, data, subset_size=SAMPLES,
        model_type=nncf.ModelType.TRANSFORMER if transformer else None)
