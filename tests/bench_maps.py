"""Count pairs of spaces separated by a map's walls that its board sees: `make bench-maps MAPS_ARGS="--count 20"`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "loaders"))

import drawn_maps as drawn
from map_leaks import seen_through


def main() -> None:
    """Print a line for each kind of map, and one for all."""
    wanted = argparse.ArgumentParser()
    wanted.add_argument("--count", type=int, default=10)
    wanted.add_argument("--first", type=int, default=0)
    told = wanted.parse_args()
    total = [0, 0]
    for kind in drawn.KINDS:
        for form in ("uvtt", "foundry"):
            counts = [seen_through(drawn.drawn(kind, n), form, n) for n in range(told.first, told.first + told.count)]
            blocked, seen = (sum(part) for part in zip(*counts, strict=True))
            total = [total[0] + blocked, total[1] + seen]
            sys.stdout.write(
                f"{kind:9} {form:8} parted {blocked:6}  seen {seen:4}  {100 * seen / max(1, blocked):.2f} %\n"
            )
    sys.stdout.write(f"all       {'':8} parted {total[0]:6}  seen {total[1]:4}  {100 * total[1] / total[0]:.2f} %\n")


if __name__ == "__main__":
    main()
