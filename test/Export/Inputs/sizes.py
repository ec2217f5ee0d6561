"""Attention over a sequence with a causal mask, an embedding, a norm and a mean."""

import sys

import torch


class Attention(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words = torch.nn.Embedding(10, 16)
        self.query = torch.nn.Linear(16, 16)
        self.norm = torch.nn.LayerNorm(16)

    def forward(self, x, tokens):
        x = x + self.words(tokens)
        attended = torch.nn.functional.scaled_dot_product_attention(
            self.query(x), x, x, is_causal=True)
        result = self.norm(attended)
        return result, result.mean(1), x[:, -1]


def attention():
    torch.manual_seed(0)
    return Attention(), (torch.randn(2, 6, 16), torch.randint(0, 10, (2, 6)))


if __name__ == "__main__":
    import pruner

    net = pruner.load(sys.argv[1]).bind_file(sys.argv[2])
    module = attention()[0].eval()
    for size in range(1, 16):
        x, tokens = torch.randn(2, size, 16), torch.randint(0, 10, (2, size))
        with torch.no_grad():
            expected = module(x, tokens)
        for got, wanted in zip(net(x.numpy(), tokens.numpy()), expected):
            assert got.shape == wanted.shape, (size, got.shape)
            assert abs(got - wanted.numpy()).max() < 1e-5, size
    print("as PyTorch computes it")
