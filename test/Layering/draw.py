#!/usr/bin/env python3
"""Draws the rooms of check.py by levels, with an arrow from each to those it
includes, without the arrows that others imply.

    draw.py docs/rooms.svg            # draws
    draw.py --check docs/rooms.svg    # fails if that is not what would be drawn
"""
import pathlib
import sys

from check import LEVELS, TREE, included_header, level_of, room_of, sources

ROW, HEIGHT, CHARACTER, PADDING, GAP, LEFT = 84, 30, 7.2, 20, 18, 56
WIDTH = 1180


def find_arrows():
    """Room -> the rooms that its files include."""
    arrows = {}
    for _, room, text in sources(TREE):
        if room is None:
            continue
        mine = arrows.setdefault(room, set())
        for line in text.splitlines():
            if (header := included_header(line)) and (target := room_of(header)):
                mine.add(target)
        mine.discard(room)
    return arrows


def reduce(arrows):
    """Leaves an arrow out where a longer way leads to the same room."""
    def reach(room):
        found = set()
        for target in arrows.get(room, ()):
            found |= {target} | reach(target)
        return found

    return {
        room: {t for t in targets if not any(t in reach(other) for other in targets - {t})}
        for room, targets in arrows.items()
    }


def rows(arrows):
    """The rooms of each level, lowest first; those of Conversion one by one."""
    for names in LEVELS:
        row = []
        for name in names:
            row += sorted(r for r in arrows if r == name or r.startswith("Conversion/") and
                          name == "Conversion")
        yield row


def place(arrows):
    """Room -> (middle, top, width) of its box. A room stands near the middle of
    those that it uses, as far as its neighbours leave it room."""
    boxes = {}
    levels = list(rows(arrows))
    for level, row in enumerate(levels):
        def wish(room):
            below = [boxes[t][0] for t in arrows[room] if t in boxes]
            return sum(below) / len(below) if below else None
        row = sorted(row, key=lambda r: (wish(r) is None, wish(r) or 0, r)) if level else row
        widths = [max(70, CHARACTER * len(r) + PADDING) for r in row]
        free = WIDTH - LEFT - sum(widths)
        gap = min(60, max(GAP, free / (len(row) + 1)))
        x = LEFT + max(GAP, (free - gap * (len(row) - 1)) / 2)
        top = (len(levels) - 1 - level) * ROW + 20
        for room, width in zip(row, widths):
            boxes[room] = (x + width / 2, top, width)
            x += width + gap
    return boxes


def draw():
    arrows = reduce(find_arrows())
    boxes = place(arrows)
    height = len(LEVELS) * ROW
    right = max(x + width / 2 for x, _, width in boxes.values()) + GAP
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right:.0f} {height}" '
        'font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    for level in range(len(LEVELS)):
        top = (len(LEVELS) - 1 - level) * ROW + 20
        if level % 2 == 0:
            out.append(f'<rect x="0" y="{top - 12}" width="100%" height="{HEIGHT + 24}" '
                       'fill="#f4f4f4"/>')
        out.append(f'<text x="14" y="{top + 20}" fill="#888888">{level}</text>')
    for room in sorted(arrows):
        for target in sorted(arrows[room]):
            (x0, y0, _), (x1, y1, _) = boxes[room], boxes[target]
            y0 += HEIGHT
            bend = max(24, (y1 - y0) / 2)
            out.append(f'<path d="M{x0:.0f},{y0} C{x0:.0f},{y0 + bend:.0f} {x1:.0f},{y1 - bend:.0f} '
                       f'{x1:.0f},{y1}" fill="none" stroke="#5b7c99" stroke-width="1" '
                       'stroke-opacity="0.7"/>')
    for room, (x, top, width) in sorted(boxes.items()):
        out.append(f'<rect x="{x - width / 2:.0f}" y="{top}" width="{width:.0f}" height="{HEIGHT}" '
                   'rx="4" fill="#ffffff" stroke="#33475b"/>')
        out.append(f'<text x="{x:.0f}" y="{top + 20}" text-anchor="middle">{room}</text>')
    return "\n".join(out + ["</svg>", ""])


def main():
    check, file = sys.argv[1:-1] == ["--check"], pathlib.Path(sys.argv[-1])
    text = draw()
    if not check:
        file.write_text(text)
    elif not file.exists() or file.read_text() != text:
        print(f"{file} does not show the rooms as they are; run\n  {__file__} {file}",
              file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
