"""Processor time of an upgrade beside a round trip of ruamel.yaml, which reads the same file and writes it again.

    python tests/speed.py [RUNS]

The files are made here: sections with comments, as products ship them. A round trip merges nothing; it is the least that a
program does which edits a file with ruamel.yaml and keeps its comments. The shortest of some runs counts.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable

import yamlift
from ruamel.yaml import YAML


def config(sections: int, release: int) -> str:
    """A commented default with as many sections; each second one of a later release has a new key."""
    lines = ["# The configuration of the example.", "# See the manual.", ""]
    for number in range(sections):
        lines += [f"# What section {number} is about, in a line or two", f"section_{number}:"]
        lines += [f"  port: {8000 + number}  # it listens there", f'  host: "host-{number}.example"']
        if release > 1 and number % 2:
            lines += ["  # Since the new release", f"  timeout: {number}s"]
        lines += ["  list: [a, b, c]", ""]
    return "\n".join(lines)


def shortest(runs: int, work: Callable[[], object]) -> float:
    """The shortest processor time of a few runs, in milliseconds."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times) * 1000


def round_trip(text: str) -> str:
    yaml = YAML()
    yaml.preserve_quotes = True
    out = io.StringIO()
    yaml.dump(yaml.load(text), out)
    return out.getvalue()


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print(f"{'file':>10} {'upgrade':>12} {'with base':>12} {'ruamel.yaml':>12}")
    for sections in (20, 700, 7000):
        old, new = config(sections, 1), config(sections, 2)
        mine = old.replace(".example", ".lan")
        assert yamlift.upgrade(mine, new, old).text == new.replace(".example", ".lan")
        two = shortest(runs, lambda: yamlift.upgrade(mine, new))
        three = shortest(runs, lambda: yamlift.upgrade(mine, new, old))
        ruamel = shortest(runs, lambda: round_trip(mine))
        print(f"{len(mine):>8} B {two:>9.2f} ms {three:>9.2f} ms {ruamel:>9.2f} ms")


if __name__ == "__main__":
    main()
