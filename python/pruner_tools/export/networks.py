#===- networks.py - construction of models by name ------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds a module with example inputs from the name of a model.

    NAME                            one of CATALOG
    torchvision:NAME[,key=value]    a builder or a class of torchvision.models
    transformers:NAME[,key=value]   a model type of transformers, by config
    path/to/file.py:function        returns (module, example inputs)

Nothing is downloaded. Weights are random and depend on the seed only.
"""

import ast
import dataclasses
import importlib
import importlib.util
import inspect
import math
import os
import pathlib
import re
import sys

from . import ExportError


@dataclasses.dataclass
class Network:
    """A module, its example inputs (a tuple, or a dictionary by keyword), and the names
    of the results to keep (None: all)."""

    module: object
    inputs: object
    results: list = None


@dataclasses.dataclass
class Options:
    """Options of the example inputs. `size` is the side of an image; `shapes` are (name
    or None, sizes, dtype) and replace the default inputs."""

    batch: int = 1
    sequence: int = 128
    size: int = None
    seed: int = 0
    shapes: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Entry:
    """A network of the catalog: a description and how to build it."""

    about: str
    spec: str
    size: int = None
    results: list = None


# The ten networks that the Pruner paper tunes, with its sizes.
CATALOG = {
    "resnet50": Entry("ResNet-50, 224x224", "torchvision:resnet50"),
    "wide_resnet50_2": Entry("Wide ResNet-50-2, 224x224", "torchvision:wide_resnet50_2"),
    "inception_v3": Entry(
        "Inception v3, 299x299", "torchvision:inception_v3,init_weights=False"
    ),
    "densenet121": Entry("DenseNet-121, 224x224", "torchvision:densenet121"),
    "mobilenet_v2": Entry("MobileNet v2, 224x224", "torchvision:mobilenet_v2"),
    "vit": Entry(
        "ViT, 256x256 in patches of 32, 6 layers of 1024, 16 heads",
        "torchvision:VisionTransformer,image_size=256,patch_size=32,num_layers=6,"
        "num_heads=16,hidden_dim=1024,mlp_dim=2048",
    ),
    "deeplabv3_resnet50": Entry(
        "DeepLab v3 on ResNet-50, 224x224",
        "torchvision:deeplabv3_resnet50",
        size=224,
        results=["out"],
    ),
    "detr": Entry(
        "DETR on ResNet-50, 256x256, 100 queries",
        "transformers:detr,model=DetrForObjectDetection",
        size=256,
        results=["logits", "pred_boxes"],
    ),
    "bert_base": Entry("BERT base, 12 layers of 768", "transformers:bert-base"),
    "bert_tiny": Entry("BERT, 6 layers of 512, 8 heads", "transformers:bert-tiny"),
}

# Names of transformers models, as a model type and its sizes.
PRESETS = {
    "bert-base": ("bert", {}),
    "bert-tiny": (
        "bert",
        {
            "num_hidden_layers": 6,
            "hidden_size": 512,
            "num_attention_heads": 8,
            "intermediate_size": 2048,
        },
    ),
}


def need(package):
    """Import `package`, or raise an error that says how to install it."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        # The file is a part of the sources, not of the wheel.
        is_source = (pathlib.Path(__file__).parents[2] / "requirements-export.txt").exists()
        needed = ("-r python/requirements-export.txt" if is_source
                  else package.partition(".")[0].replace("_", "-"))
        raise ExportError(f"{package} cannot be imported ({error}); install what the "
                          f"exporter needs: pip install {needed}") from error


def parse_spec(spec):
    """Parse 'family:name,key=value' into (family, name, {key: value}).

    Values are Python literals, including tuples and lists; a bare word is a string."""
    family, _, rest = spec.partition(":")
    name, _, pairs = rest.partition(",")
    if not name:
        raise ExportError(f"'{spec}' does not name a model")
    try:
        call = ast.parse(f"f({pairs})", mode="eval").body
        if call.args or any(keyword.arg is None for keyword in call.keywords):
            raise ValueError("expected key=value")
        keywords = {
            keyword.arg: keyword.value.id
            if isinstance(keyword.value, ast.Name)
            else ast.literal_eval(keyword.value)
            for keyword in call.keywords
        }
    except (ValueError, SyntaxError, AttributeError) as error:
        raise ExportError(
            f"'{pairs}' in '{spec}': expected key=value,key=value"
        ) from error
    return family, name, keywords


def default_name(spec):
    """Return a file name for `spec`: torchvision:resnet18 -> resnet18."""
    path, _, last = spec.rpartition(":")
    if path.endswith(".py"):
        last = os.path.splitext(os.path.basename(path))[0]
    return re.sub(r"\W+", "_", last.partition(",")[0])


def evaluate(module):
    """Switch a module to evaluation. A graph that torch.export has captured, such as one
    of PT2E, has no other mode than the one that it was captured in."""
    try:
        module.eval()
    except NotImplementedError:
        pass


def build(spec, options, results=None):
    """Return the network that `spec` names, in evaluation mode, for `options`."""
    torch = need("torch")
    torch.manual_seed(options.seed)
    family = spec.partition(":")[0]
    if ":" not in spec:
        if spec not in CATALOG:
            raise ExportError(
                f"no network '{spec}' in the list ({', '.join(CATALOG)}); write "
                "torchvision:NAME, transformers:NAME or FILE.py:FUNCTION for others"
            )
        entry = CATALOG[spec]
        options = dataclasses.replace(options, size=options.size or entry.size)
        network = build(entry.spec, options, results or entry.results)
    elif family == "torchvision":
        network = _torchvision(*parse_spec(spec)[1:], options)
    elif family == "transformers":
        network = _transformers(*parse_spec(spec)[1:], options)
    elif spec.rpartition(":")[0].endswith(".py"):
        network = _user(*spec.rpartition(":")[::2])
    else:
        raise ExportError(
            f"'{spec}': expected torchvision:NAME, transformers:NAME or FILE.py:FUNCTION"
        )
    evaluate(network.module)
    network.results = results or network.results
    return network


def _user(path, function):
    """Return the network of a user's function. Its weights are kept."""
    if not os.path.exists(path):
        raise ExportError(f"no such file: {path}")
    spec = importlib.util.spec_from_file_location("pruner_exported_model", path)
    module = importlib.util.module_from_spec(spec)
    # The file may import its neighbors. The end of the path keeps them from shadowing
    # other modules.
    sys.path.append(os.path.dirname(os.path.abspath(path)))
    spec.loader.exec_module(module)
    make = getattr(module, function, None)
    if not callable(make):
        raise ExportError(f"{path} has no function '{function}'")
    made = make()
    torch = need("torch")
    if (
        not isinstance(made, tuple)
        or len(made) != 2
        or not isinstance(made[0], torch.nn.Module)
    ):
        raise ExportError(
            f"{function} of {path} must return (torch.nn.Module, example inputs)"
        )
    inputs = made[1]
    if not isinstance(inputs, (tuple, dict)):
        inputs = tuple(inputs) if isinstance(inputs, list) else (inputs,)
    return Network(made[0], inputs)


def _torchvision(name, keywords, options):
    """Build with a registered builder, or a class, of torchvision.models."""
    models = need("torchvision").models
    size = options.size or keywords.get("image_size")
    if name in models.list_models():
        builder = models.get_model_builder(name)
        parameters = inspect.signature(builder).parameters
        for weights in ("weights", "weights_backbone"):
            if weights in parameters:
                keywords.setdefault(weights, None)
        size = size or _native_size(models, name)
    else:
        builder = getattr(models, name, None)
        if not callable(builder):
            raise ExportError(
                f"torchvision {need('torchvision').__version__} has no model '{name}'"
            )
    module = _call(builder, name, keywords)
    inputs = _given(options, None) or (_image(options.batch, 3, size or 224),)
    _vary_constants(module)
    return Network(module, inputs)


def _native_size(models, name):
    """Return the side of the images that the published weights of `name` expect."""
    weights = getattr(models.get_model_weights(name), "DEFAULT", None)
    crop = getattr(weights.transforms(), "crop_size", None) if weights else None
    return crop[0] if crop else None


def _transformers(name, keywords, options):
    """Return a model of transformers, built from its config with random weights.

    Keywords are fields of the config, except `model` (a model class other than the
    default one of the type) and `attn` (eager, or sdpa)."""
    transformers = need("transformers")
    kind, sizes = PRESETS.get(name, (name, {}))
    chosen = keywords.pop("model", None)
    attention = keywords.pop("attn", "eager")
    keywords = {**sizes, **keywords}
    if kind == "detr":
        # An explicit backbone. The default one belongs to another package and would be
        # downloaded.
        keywords.setdefault("use_timm_backbone", False)
        keywords.setdefault(
            "backbone_config", transformers.ResNetConfig(out_features=["stage4"])
        )
    try:
        config = transformers.AutoConfig.for_model(kind, **keywords)
    except (ValueError, TypeError, KeyError) as error:
        raise ExportError(f"no config for transformers:{name}: {str(error)[:120]}") from error
    if hasattr(config, "use_cache"):
        config.use_cache = False
    if chosen is None:
        module = _call(
            transformers.AutoModel.from_config,
            name,
            {"attn_implementation": attention},
            config,
        )
    else:
        model_class = getattr(transformers, chosen, None)
        if model_class is None:
            raise ExportError(
                f"transformers {transformers.__version__} has no class '{chosen}'"
            )
        config._attn_implementation = attention
        module = _call(model_class, name, {}, config)
    _vary_constants(module)
    return Network(module, _model_inputs(name, module, config, options))


def _model_inputs(name, module, config, options):
    """Return example inputs by keyword, for the inputs that the model declares."""
    torch = need("torch")
    accepted = inspect.signature(module.forward).parameters
    vocabulary = getattr(config, "vocab_size", None)
    if options.shapes:
        return _given(options, vocabulary)
    main, batch, length = module.main_input_name, options.batch, options.sequence
    if main == "pixel_values":
        side = options.size or getattr(config, "image_size", None) or 224
        side = side[0] if isinstance(side, (list, tuple)) else side
        return {main: _image(batch, getattr(config, "num_channels", 3), side)}
    if main != "input_ids" or vocabulary is None:
        raise ExportError(
            f"cannot choose an example input '{main}' of transformers:{name}; "
            f"give --input {main}=SHAPExTYPE"
        )

    def tokens():
        return torch.randint(0, vocabulary, (batch, length))

    inputs = {"input_ids": tokens()}
    if "token_type_ids" in accepted:
        # Some padding and two segments, so that a wrong use of either changes the
        # results.
        inputs["attention_mask"] = (
            (torch.arange(length) < length - length // 8).long().expand(batch, -1).clone()
        )
        inputs["token_type_ids"] = (
            (torch.arange(length) >= length // 2).long().expand(batch, -1).clone()
        )
    if getattr(config, "is_encoder_decoder", False) and "decoder_input_ids" in accepted:
        inputs["decoder_input_ids"] = tokens()
    return inputs


def _given(options, vocabulary):
    """Return random inputs with the shapes in `options`: a dictionary if they have
    names."""
    torch = need("torch")
    made = []
    for name, shape, dtype in options.shapes:
        if dtype.is_floating_point:
            made.append((name, torch.randn(shape).to(dtype)))
        elif dtype == torch.bool:
            made.append((name, torch.rand(shape) < 0.5))
        else:
            made.append((name, torch.randint(0, vocabulary or 2, shape).to(dtype)))
    if any(name is not None for name, _ in made):
        if any(name is None for name, _ in made):
            raise ExportError("either all --input or none must have a name")
        return dict(made)
    return tuple(tensor for _, tensor in made)


def _image(batch, channels, side):
    return need("torch").randn(batch, channels, side, side)


def _call(builder, name, keywords, *positional):
    """Call builder(*positional, **keywords). Convert its errors to `ExportError`."""
    try:
        return builder(*positional, **keywords)
    except (TypeError, ValueError, ImportError, OSError) as error:
        raise ExportError(f"building {name} failed: {error}") from error


def _vary_constants(module):
    """Randomize the tensors that a new network initializes to a constant.

    These are biases of 0, scales of 1, running statistics of 0 and 1. A program that
    used a wrong one of them would otherwise compute the same result. The global
    generator must be seeded."""
    torch = need("torch")
    buffers = ("weight", "bias", "running_mean", "running_var")
    tensors = [*module.named_parameters()] + [
        (name, buffer)
        for name, buffer in module.named_buffers()
        if name.rpartition(".")[2] in buffers
    ]
    with torch.no_grad():
        for name, tensor in tensors:
            if not tensor.is_floating_point() or tensor.numel() < 2:
                continue
            value = tensor.flatten()[0].item()
            if math.isnan(value) or bool((tensor != value).any()):
                continue
            if name.endswith("running_var"):
                tensor.uniform_(0.5, 1.5)
            else:
                tensor.normal_(value, 0.1 * abs(value) or 0.02)
