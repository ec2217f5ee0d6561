#===- decoding.py - one step of a language model with a cache --------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One decoding step of a language model, for networks.py and pruner_tools.export:

    networks.py benchmarks/Networks/decoding.py:llama_2048

llama_N and gpt2_N compute the next token after N - 1 others, whose keys and values are
inputs, and return the keys and values with those of the new token. The llama has two
layers with the sizes of a model with 8 billion parameters (hidden size 4,096, 32 heads,
groups of four share keys and values) and 1,024 words; gpt2 has four of its 12 layers.
"""

import torch

MODELS = ("llama", "gpt2")


def _model(kind):
    import transformers
    if kind == "gpt2":
        return transformers.GPT2LMHeadModel(transformers.GPT2Config(n_layer=4))
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(
        hidden_size=4096, intermediate_size=14336, num_hidden_layers=2,
        num_attention_heads=32, num_key_value_heads=8, vocab_size=1024))


class Step(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, token, *cache):
        from transformers import DynamicCache
        past = DynamicCache(list(zip(cache[::2], cache[1::2])))
        result = self.model(token, past_key_values=past, use_cache=True)
        layers = result.past_key_values.layers
        return (result.logits, *(each for layer in layers
                                 for each in (layer.keys, layer.values)))


def __getattr__(name):
    kind, _, length = name.partition("_")
    if kind not in MODELS or not length.isdigit():
        raise AttributeError(name)

    def make():
        torch.manual_seed(0)
        model = _model(kind).eval()
        config = model.config
        heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
        shape = 1, heads, int(length) - 1, config.hidden_size // config.num_attention_heads
        cache = [torch.randn(shape) for _ in range(2 * config.num_hidden_layers)]
        token = torch.randint(config.vocab_size, (1, 1))
        return Step(model), (token, *cache)
    return make
