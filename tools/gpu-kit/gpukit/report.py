"""The benchmark's rows: what follows from their times, and as a table."""

import statistics


def finish(row):
    """Rates, percent of the ceiling and the ratio to the best peer."""
    for mode in ("warm", "rotated"):
        rivals = {n: c[mode]["median"] for n, c in row["contenders"].items()
                  if n != "pruner" and c["same_precision"]}
        best = min(rivals, key=rivals.get) if rivals else None
        for name, c in row["contenders"].items():
            seconds = c[mode]["median"]
            c[mode]["flops"] = row["flops"] / seconds if seconds else 0
            c[mode]["bytes_per_second"] = row["bytes"] / seconds if seconds else 0
            c[mode]["percent_of_ceiling"] = 100 * row["bound_seconds"] / seconds if seconds else 0
        ours = row["contenders"].get("pruner")
        if ours and best:
            row.setdefault("best_peer", {})[mode] = best
            row.setdefault("ratio", {})[mode] = rivals[best] / ours[mode]["median"]


def table(rows):
    lines = ["%-34s %-14s %10s %10s %9s %7s %7s" % (
        "operation (rotated buffers)", "contender", "warm us", "rotated us",
        "TF|GB/s", "ceil %", "ratio")]
    for row in rows:
        for name, c in row["contenders"].items():
            r = c["rotated"]
            rate = r["flops"] / 1e12 if row["flops"] else r["bytes_per_second"] / 1e9
            ratio = row.get("ratio", {}).get("rotated") if name == "pruner" else None
            lines.append("%-34s %-14s %10.2f %10.2f %9.1f %7.1f %7s" % (
                row["name"], name, c["warm"]["median"] * 1e6, r["median"] * 1e6, rate,
                r["percent_of_ceiling"], "%.2f" % ratio if ratio else ""))
        for note in row["notes"]:
            lines.append("    " + note)
    ratios = [row["ratio"]["rotated"] for row in rows if "ratio" in row]
    if ratios:
        lines.append("geometric mean of best peer / pruner over %d operations: %.3f" % (
            len(ratios), statistics.geometric_mean(ratios)))
    return "\n".join(lines)
