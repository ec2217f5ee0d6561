"""The rows of the benchmark: values derived from times, and a table."""

from pruner_tools.results import against_best, geometric_mean, text_table


def finish(row):
    """Add rates, percentages of the ceiling and the ratio to the best peer."""
    for mode in ("warm", "rotated"):
        medians = {n: c[mode]["median"] for n, c in row["contenders"].items()
                   if c["same_precision"]}
        for c in row["contenders"].values():
            seconds = c[mode]["median"]
            c[mode]["flops"] = row["flops"] / seconds if seconds else 0
            c[mode]["bytes_per_second"] = row["bytes"] / seconds if seconds else 0
            c[mode]["percent_of_ceiling"] = 100 * row["bound_seconds"] / seconds if seconds else 0
        versus = against_best(medians.pop("pruner", None), medians)
        if versus:
            row.setdefault("best_peer", {})[mode], row.setdefault("ratio", {})[mode] = versus


def table(rows):
    cells = [["operation (rotated buffers)", "contender", "warm us", "rotated us", "TF|GB/s",
              "ceil %", "ratio"]]
    for row in rows:
        for name, c in row["contenders"].items():
            r = c["rotated"]
            rate = r["flops"] / 1e12 if row["flops"] else r["bytes_per_second"] / 1e9
            ratio = row.get("ratio", {}).get("rotated") if name == "pruner" else None
            cells.append([row["name"], name, "%.2f" % (c["warm"]["median"] * 1e6),
                          "%.2f" % (r["median"] * 1e6), "%.1f" % rate,
                          "%.1f" % r["percent_of_ceiling"], "%.2f" % ratio if ratio else ""])
    lines = text_table(cells, left=2) + [note for row in rows for note in row["notes"]]
    ratios = [row["ratio"]["rotated"] for row in rows if "ratio" in row]
    if ratios:
        lines.append("geometric mean of best peer / pruner over %d operations: %.3f" % (
            len(ratios), geometric_mean(ratios)))
    return "\n".join(lines)
