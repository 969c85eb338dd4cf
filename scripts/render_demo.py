"""Draw the picture in the README: `whence demo` is run, and the beginning of what it printed drawn.

    .venv/bin/python scripts/render_demo.py [--out docs/images/demo.svg]

The demo runs in a temporary home, so that nobody's data is touched; only durations differ from run
to run.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.segment import Segment, Segments
from rich.terminal_theme import MONOKAI
from rich.text import Text

WIDTH = 112
"""Columns: the README's picture stays readable on a page of usual width."""
INCLUDED, EXCLUDED = 4, 4
"""Rows of the evidence table that are drawn; a row may take several lines."""
LAST_PANEL = "Evidence"
OUT = Path(__file__).parents[1] / "docs" / "images" / "demo.svg"

_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
SVG = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<title>What whence demo prints</title>
<style>
.{unique_id}-matrix {{
  font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width;
}}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
"""Rich's own frame loads a font from another site; this one takes the reader's."""


def run_demo() -> list[str]:
    """What the demo printed, coloured, one string a line; ends the script when it failed."""
    whence = Path(sys.executable).with_name("whence")
    with tempfile.TemporaryDirectory(prefix="whence-picture-") as folder:
        home = Path(folder)
        home.chmod(0o755)  # as root, PostgreSQL's account must be able to enter it
        environment = {k: v for k, v in os.environ.items() if not k.startswith("WHENCE_")}
        environment |= {
            "WHENCE_HOME": str(home),
            "FORCE_COLOR": "1",
            "TERM": "xterm-256color",
            "COLUMNS": str(WIDTH),
        }
        environment.pop("NO_COLOR", None)
        ran = subprocess.run([whence, "demo"], env=environment, stdout=subprocess.PIPE, check=False)
    if ran.returncode:
        raise SystemExit(f"`whence demo` ended with exit code {ran.returncode}")
    lines = ran.stdout.decode().split("\n")
    return [line.split("\r")[-1].rstrip() for line in lines]


def excerpt(lines: list[str]) -> Iterator[str]:
    """The beginning, with the first rows of the evidence and the panel's end."""
    left = {"in": INCLUDED, "out": EXCLUDED}
    in_last = shown = False
    for line in lines:
        plain = _ESCAPE.sub("", line)
        if not in_last:
            in_last = plain.startswith(f"╭─ {LAST_PANEL}")
            yield line
            continue
        if row := re.match(r"│ │ (in|out)\b", plain):
            left[row[1]] -= 1
            shown = left[row[1]] >= 0
        elif not plain.startswith("│ │"):
            shown = not plain.startswith("│ ...")
        if shown:
            yield line
        if plain.startswith("╰"):
            return


def draw(lines: list[str]) -> str:
    """The lines as an SVG that stands alone."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(Text("$ make demo", style="bold"))
    for line in lines:
        console.print(Segments(_placed(console, line), new_lines=False))
        console.print()
    console.print(Text("... more evidence, demand, what is missing, where to sell", style="dim"))
    return console.export_svg(
        title="whence", theme=MONOKAI, code_format=SVG, unique_id="whence-demo"
    )


def _placed(console: Console, line: str) -> Iterator[Segment]:
    """The line in short pieces: each gets a place of its own in the picture, whatever the font."""
    for segment in console.render(Text.from_ansi(line, no_wrap=True, overflow="ignore", end="")):
        for piece in re.findall(r" +|[^ ]{1,12}", segment.text):
            yield Segment(piece, segment.style)


def main() -> None:
    """Run the demo and write the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT)
    out: Path = parser.parse_args().out
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(draw(list(excerpt(run_demo()))), encoding="utf-8")
    print(f"wrote {out.name}")


if __name__ == "__main__":
    main()
