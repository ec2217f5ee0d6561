#===- page.py - HTML page of a report -------------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Renders a report as a self-contained HTML file."""

import statistics
from html import escape

from . import plots
from .plots import seconds

CSS = """
:root { color-scheme: light dark; --text: #1a1a1a; --page: #fff; --line: #ccc; --soft: #eee; --note: #555;
  --warn: #fdf0e2 }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e6e6; --page: #16191d; --line: #4a4f55; --soft: #2b3036; --note: #a8adb3; --warn: #4a3518 }
  svg { filter: invert(1) hue-rotate(180deg) }
}
body { font: 15px/1.45 sans-serif; color: var(--text); background: var(--page); max-width: 62rem;
  margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; overflow-wrap: anywhere }
h2 { font-size: 1.2rem; margin-top: 2.2rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
h3 { font-size: 1rem; margin-bottom: .2rem }
table { border-collapse: collapse; font-size: 12.5px; width: 100% }
th, td { padding: .15rem .5rem; text-align: right; border-bottom: 1px solid var(--soft); white-space: nowrap }
th:first-child, td:first-child { text-align: left; position: sticky; left: 0; background: var(--page) }
code { font-size: 12px; white-space: pre-wrap; overflow-wrap: anywhere }
.wide { overflow-x: auto } .wide svg { max-width: 100%; min-width: 40rem; height: auto; display: block }
.note { color: var(--note); font-size: 13px } .warning { background: var(--warn); padding: .4rem .8rem }
details code { display: block; margin: .2rem 0 .4rem 1rem }
#tip { position: fixed; display: none; max-width: min(28rem, calc(100vw - 3rem)); padding: .3rem .6rem; font-size: 12.5px;
  white-space: pre-wrap; overflow-wrap: anywhere; background: var(--text); color: var(--page);
  border-radius: 4px; pointer-events: none }
"""
# Shows the title of a point or bar at once. Without it, browsers show titles after a
# second.
SCRIPT = """
const tip = document.getElementById("tip");
for (const title of document.querySelectorAll("svg title")) {
  const mark = title.parentNode, text = title.textContent;
  title.remove();
  mark.addEventListener("mousemove", event => {
    tip.textContent = text;
    tip.style.display = "block";
    tip.style.left = Math.max(8, Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8)) + "px";
    const below = event.clientY + 16;
    tip.style.top = (below + tip.offsetHeight < innerHeight ? below : event.clientY - tip.offsetHeight - 8) + "px";
  });
  mark.addEventListener("mouseleave", () => tip.style.display = "none");
}
"""


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
           "untuned / best", "GFLOP/s", "share", "draft", "model")
NOTES = {
    "progress": "The sum over tasks of the best verified time per call so far, times its "
                "number of calls if a profile has it. Starts when each task has a time. Dashed: "
                "the untuned tasks, and runs of the network by peers.",
    "progress_by_task": "Measured times and the best so far, relative to the best trial, by "
                        "trials of the task; crosses are failures, the dashed line is the "
                        "untuned task. Above 3 nothing is drawn.",
    "time_by_task": "Bars: time in the network if measured, otherwise in isolation. Thin mark: "
                    "untuned.",
    "roofline": "The best of each task. Operations and bytes are those of the task as it is "
                "written: each tensor read or written once.",
    "predicted": "All trials. Only the order within a task decides what is measured.",
    "failures": "By status and reason; numbers in reasons are replaced by N.",
}
TITLES = {"progress": "Progress", "progress_by_task": "Progress by task",
          "time_by_task": "Time by task", "roofline": "Roofline",
          "predicted": "Predicted and measured", "failures": "Failures"}


def figures(environment, machine=None, network=None, peers=None):
    """Return {name: SVG text} of all plots that have data."""
    made = {"progress": plots.progress(environment, peers),
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


def _baselines(environment, network, peers):
    """Say what the times are compared with."""
    yield ("<p class=note>Point at a mark to see its trial. <i>Untuned</i> is a task without a "
           f"schedule ({escape(environment.untuned)}), which is often far slower than a library. "
           "To judge a time, compare it with those of peers.</p>")
    if peers:
        own = network and network[0]
        yield "<p>A run of the network by peers: " + ", ".join(
            f"{escape(name)} {seconds(value)}" + (f" ({value / own:.2f} of this one's)" if own else "")
            for name, value in sorted(peers.items(), key=lambda pair: pair[1])) + ".</p>"


def _environment(environment, drawn, network, peers=None, machine=None):
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
    yield from _baselines(environment, network, peers)
    for name, text in drawn.items():
        note = NOTES[name]
        if name == "roofline":
            note += (" The line is the peak of the cores in use, and their memory bandwidth. The "
                     "data of a task above it is in a cache, or the machine was busy when its "
                     "peak was measured." if machine else " The peak of the machine is not known; --machine gives it.")
        yield (f"<h3>{TITLES[name]}</h3><p class=note>{note}</p>"
               f"<div class=wide>{text}</div>")
    yield from _failures(environment)
    yield ("<h3>Tasks</h3><p class=note>Seconds of one call. Spread: of the best one's samples, "
           "(maximum - minimum) / median. Draft and model: Spearman's correlation of "
           "the analytical and the learned model's predictions with the times of the task's trials."
           "</p><div class=wide><table><thead><tr>")
    yield "".join(f"<th>{name}</th>" for name in COLUMNS) + "</tr></thead><tbody>"
    yield from _task_rows(environment)
    yield "</tbody></table></div><h3>Schedules</h3>"
    for task in sorted(environment.tasks.values(), key=lambda task: task.name):
        if task.schedule:
            yield (f"<details><summary>{escape(task.short_name)}</summary>"
                   f"<code>{escape(task.schedule)}</code></details>")


def render(name, parts, warnings, refresh=None):
    """Return the page. `parts` are (environment, its figures, the result of
    read_profile) and possibly times of peers and the machine. A browser loads it again
    after `refresh` seconds."""
    lines = ["<!DOCTYPE html>", '<html lang="en"><head><meta charset="utf-8">',
             '<meta name="viewport" content="width=device-width, initial-scale=1">']
    if refresh:
        lines.append(f'<meta http-equiv="refresh" content="{refresh}">')
    lines += [f"<title>{escape(name)}</title><style>{CSS}</style></head><body>",
              f"<h1>Tuning of {escape(name)}</h1>"]
    if refresh:
        lines.append(f"<p class=note>This page is loaded again every {refresh} "
                     "seconds.</p>")
    lines += [f"<p class=warning>{escape(warning)}</p>" for warning in warnings]
    for part in parts:
        lines += _environment(*part)
    lines.append(f'<div id="tip"></div><script>{SCRIPT}</script>')
    return "\n".join(lines + ["</body></html>", ""])
