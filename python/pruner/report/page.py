#===- page.py - HTML page of a report -------------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Renders a report as a self-contained HTML file."""

import statistics
from html import escape

from . import plots

CSS = """
body { font: 15px/1.45 sans-serif; color: #1a1a1a; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2.2rem; border-bottom: 1px solid #ccc }
h3 { font-size: 1rem; margin-bottom: .2rem }
table { border-collapse: collapse; font-size: 12.5px; width: 100% }
th, td { padding: .15rem .5rem; text-align: right; border-bottom: 1px solid #eee; white-space: nowrap }
th:first-child, td:first-child { text-align: left }
thead th { position: sticky; top: 0; background: #fff }
code { font-size: 12px; white-space: pre-wrap } svg { max-width: 100%; height: auto }
.note { color: #555; font-size: 13px } .warning { background: #fdf0e2; padding: .4rem .8rem }
details code { display: block; margin: .2rem 0 .4rem 1rem }
"""


def seconds(value):
    """Return a time with three digits and a unit."""
    if value is None:
        return "-"
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)):
        if value >= scale:
            break
    number = value / scale
    return f"{number:.{2 if number < 9.995 else 1 if number < 99.95 else 0}f} {unit}"


def rank_correlation(pairs):
    """Return Spearman's rank correlation. Ties get the mean of their ranks. None for
    fewer than four pairs, or if one side is constant."""
    if len(pairs) < 4:
        return None
    sides = [_ranks(side) for side in zip(*pairs)]
    if any(min(side) == max(side) for side in sides):
        return None
    means = [statistics.fmean(side) for side in sides]
    products = [(a - means[0]) * (b - means[1]) for a, b in zip(*sides)]
    spread = [sum((x - mean) ** 2 for x in side) for side, mean in zip(sides, means)]
    return sum(products) / (spread[0] * spread[1]) ** 0.5


def _ranks(values):
    order = sorted(range(len(values)), key=lambda n: values[n])
    ranks, start = [0.0] * len(values), 0
    for end in range(1, len(order) + 1):
        if end == len(order) or values[order[end]] != values[order[start]]:
            for n in order[start:end]:
                ranks[n] = (start + end - 1) / 2
            start = end
    return ranks


def model_ranks(task):
    """Return how well the analytical and the learned model order the task's trials."""
    measured = [trial for trial in task.trials if trial.seconds]
    return (rank_correlation([(t.predicted, t.seconds) for t in measured if t.predicted]),
            rank_correlation([(-t.score, t.seconds) for t in measured if t.score]))


def _cell(value, form="{:.2f}"):
    return "-" if value is None else form.format(value)


def _task_rows(environment):
    tasks = sorted(environment.tasks.values(),
                   key=lambda task: -(task.calls or 1) * (task.best or 0))
    total = sum((task.calls or 1) * task.best for task in tasks if task.best)
    for task in tasks:
        best, (drafted, learned) = task.best, model_ranks(task)
        yield "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in (
            task.short_name, _cell(task.calls, "{:g}"), str(len(task.trials)),
            str(len(task.failed)), seconds(task.default), seconds(task.final),
            seconds(task.network), _cell(task.spread, "{:.0%}"),
            _cell(task.default and best and task.default / best),
            _cell(best and task.flops and task.flops / best * 1e-9, "{:.1f}"),
            _cell(best and (task.calls or 1) * best / total, "{:.1%}"),
            _cell(drafted), _cell(learned))) + "</tr>"


COLUMNS = ("task", "calls", "trials", "failed", "untuned", "alone", "in the network", "spread",
           "speed-up", "GFLOP/s", "share", "draft", "model")
NOTES = {
    "progress": "The sum over tasks of the best verified time per call so far, times its "
                "number of calls if a profile has it. Starts when each task has a time.",
    "progress_by_task": "Measured times and the best so far, relative to the best trial, by "
                        "trials of the task; crosses are failures. Above 3 nothing is drawn.",
    "time_by_task": "Bars: time in the network if measured, otherwise in isolation.",
    "roofline": "The best of each task. Operations and bytes are those of the task as it is "
                "written: each tensor read or written once.",
    "predicted": "All trials. Only the order within a task decides what is measured.",
    "failures": "By status and reason; numbers in reasons are replaced by N.",
}
TITLES = {"progress": "Progress", "progress_by_task": "Progress by task",
          "time_by_task": "Time by task", "roofline": "Roofline",
          "predicted": "Predicted and measured", "failures": "Failures"}


def figures(environment, machine=None, network=None):
    """Return {name: SVG text} of all plots that have data."""
    made = {"progress": plots.progress(environment),
            "time_by_task": plots.time_by_task(environment, network),
            "progress_by_task": plots.progress_by_task(environment),
            "roofline": plots.roofline(environment, machine),
            "predicted": plots.predicted(environment),
            "failures": plots.failures(environment)}
    return {name: plots.svg(figure) for name, figure in made.items() if figure}


def _failures(environment):
    """Return one example for each reason."""
    examples = {}
    for task in environment.tasks.values():
        for trial in task.failed:
            examples.setdefault(plots.reason_of(trial), (task, trial))
    for name, (task, trial) in sorted(examples.items()):
        yield (f"<details><summary>{escape(name)}</summary><p class=note>{escape(task.name)}"
               f"</p><code>{escape(trial.reason)}</code><code>{escape(trial.schedule)}</code>"
               "</details>")


def _environment(environment, drawn, network):
    count = sum(len(task.trials) for task in environment.tasks.values())
    failed = sum(len(task.failed) for task in environment.tasks.values())
    strategies = ", ".join(f"{number} by {name}"
                           for name, number in sorted(environment.strategies.items()))
    yield f"<h2>{escape(environment.title)}</h2>"
    yield (f"<p>{len(environment.tasks)} tasks, {count} trials ({escape(strategies)}), "
           f"{failed} failed; {environment.first} to {environment.last} UTC; "
           f"{escape(', '.join(sorted(environment.toolchains)))}.")
    if network:
        yield f" A run of the network takes {seconds(network[0])}."
    yield "</p>"
    for name, text in drawn.items():
        yield f"<h3>{TITLES[name]}</h3><p class=note>{NOTES[name]}</p>{text}"
    yield from _failures(environment)
    yield ("<h3>Tasks</h3><p class=note>Seconds of one call. Spread: of the best one's samples, "
           "(maximum - minimum) / median. Draft and model: Spearman's correlation of "
           "the analytical and the learned model's predictions with the times of the task's trials."
           "</p><table><thead><tr>")
    yield "".join(f"<th>{name}</th>" for name in COLUMNS) + "</tr></thead><tbody>"
    yield from _task_rows(environment)
    yield "</tbody></table><h3>Schedules</h3>"
    for task in sorted(environment.tasks.values(), key=lambda task: task.name):
        if task.schedule:
            yield (f"<details><summary>{escape(task.short_name)}</summary>"
                   f"<code>{escape(task.schedule)}</code></details>")


def render(name, parts, warnings):
    """Return the page. `parts` are (environment, its figures, the result of
    read_profile)."""
    lines = ["<!DOCTYPE html>", '<html lang="en"><head><meta charset="utf-8">',
             f"<title>{escape(name)}</title><style>{CSS}</style></head><body>",
             f"<h1>Tuning of {escape(name)}</h1>"]
    lines += [f"<p class=warning>{escape(warning)}</p>" for warning in warnings]
    for part in parts:
        lines += _environment(*part)
    return "\n".join(lines + ["</body></html>", ""])
