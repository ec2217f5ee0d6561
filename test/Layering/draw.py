#!/usr/bin/env python3
"""Draws the components by levels, colored by group, with an arrow from each to
those that it includes, without the arrows that others imply.

    draw.py docs/design/components.svg            # draws
    draw.py --check docs/design/components.svg    # fails if it would draw another picture
"""
import pathlib
import sys

from components import (COMPONENTS, GROUPS, LEVELS, TREE, component_of_header,
                        included_header, sources)

ROW, HEIGHT, CHARACTER, PADDING, GAP, LEFT = 84, 30, 7.2, 20, 18, 56
WIDTH = 1180


def find_arrows():
    """Component -> the components that its files include."""
    arrows = {}
    for _, component, text in sources(TREE):
        if component is None:
            continue
        mine = arrows.setdefault(component, set())
        for line in text.splitlines():
            if (header := included_header(line)) and (target := component_of_header(header)):
                mine.add(target)
        mine.discard(component)
    return arrows


def reduce(arrows):
    """Leaves an arrow out where a longer way leads to the same component."""
    def reach(component):
        found = set()
        for target in arrows.get(component, ()):
            found |= {target} | reach(target)
        return found

    return {
        component: {t for t in targets if not any(t in reach(other) for other in targets - {t})}
        for component, targets in arrows.items()
    }


def place(arrows):
    """Component -> (middle, top, width) of its box. A component is near the
    middle of those that it uses, as far as its neighbors allow."""
    boxes = {}
    for level, row in enumerate(LEVELS):
        def wish(component):
            below = [boxes[t][0] for t in arrows[component] if t in boxes]
            return sum(below) / len(below) if below else None
        row = sorted(row, key=lambda r: (wish(r) is None, wish(r) or 0, r)) if level else row
        widths = [max(70, CHARACTER * len(r) + PADDING) for r in row]
        free = WIDTH - LEFT - sum(widths)
        gap = min(60, max(GAP, free / (len(row) + 1)))
        x = LEFT + max(GAP, (free - gap * (len(row) - 1)) / 2)
        top = (len(LEVELS) - 1 - level) * ROW + 20
        for component, width in zip(row, widths):
            boxes[component] = (x + width / 2, top, width)
            x += width + gap
    return boxes


def draw():
    arrows = reduce(find_arrows())
    boxes = place(arrows)
    height = len(LEVELS) * ROW
    right = max(x + width / 2 for x, _, width in boxes.values()) + GAP
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right:.0f} {height + 36}" '
        'font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    for level in range(len(LEVELS)):
        top = (len(LEVELS) - 1 - level) * ROW + 20
        if level % 2 == 0:
            out.append(f'<rect x="0" y="{top - 12}" width="100%" height="{HEIGHT + 24}" '
                       'fill="#f4f4f4"/>')
        out.append(f'<text x="14" y="{top + 20}" fill="#888888">{level}</text>')
    for component in sorted(arrows):
        for target in sorted(arrows[component]):
            (x0, y0, _), (x1, y1, _) = boxes[component], boxes[target]
            y0 += HEIGHT
            bend = max(24, (y1 - y0) / 2)
            out.append(f'<path d="M{x0:.0f},{y0} C{x0:.0f},{y0 + bend:.0f} {x1:.0f},{y1 - bend:.0f} '
                       f'{x1:.0f},{y1}" fill="none" stroke="#5b7c99" stroke-width="1" '
                       'stroke-opacity="0.7"/>')
    for component, (x, top, width) in sorted(boxes.items()):
        out.append(f'<rect x="{x - width / 2:.0f}" y="{top}" width="{width:.0f}" height="{HEIGHT}" '
                   f'rx="4" fill="{GROUPS[COMPONENTS[component]["group"]]}" stroke="#33475b"/>')
        out.append(f'<text x="{x:.0f}" y="{top + 20}" text-anchor="middle">{component}</text>')
    x = LEFT
    for group, color in GROUPS.items():
        out.append(f'<rect x="{x}" y="{height + 8}" width="16" height="16" rx="3" fill="{color}" '
                   'stroke="#33475b"/>')
        out.append(f'<text x="{x + 22}" y="{height + 21}">{group}</text>')
        x += 110
    return "\n".join(out + ["</svg>", ""])


def main():
    check, file = sys.argv[1:-1] == ["--check"], pathlib.Path(sys.argv[-1])
    text = draw()
    if not check:
        file.write_text(text)
    elif not file.exists() or file.read_text() != text:
        print(f"{file} is not the picture of the components; run\n  {__file__} {file}",
              file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
