"""Damaged pictures and pictures of no table: ``python -m tests.fuzz_photos run SCENE [--pictures N] [--scenes N]``.

Each is made from its number alone and read in a process of its own kind: the reader lives in a worker that may take 20
seconds of processor time for one picture. A worker that dies, hangs, or gives neither an observation nor the
sentence of an error is a failure, and so is one that needs too much memory. ``SCENE`` is a folder with a photo and its
documents. ``one SCENE KIND NUMBER`` reads a single one, to look at a failure.
"""

from __future__ import annotations

import json
import resource
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

import click
import cv2

from assistant import documents
from assistant.errors import SightlineError
from tests.damaged_photos import Picture, mutated, shows_the_table, without_markers
from vision.photo.decoding import decode_photo
from vision.reading import TableReader
from vision.tiles.prints import Print, load_prints

Kind = Literal["mutated", "scene"]

ROOT = Path(__file__).resolve().parents[1]

PROCESSOR_S = 20
"""A picture that takes longer counts as hanging. Processor time ignores a busy machine."""

ASLEEP_S = 60.0
"""A worker that is silent for this long without using the processor hangs, too."""

MEMORY_MB = 1_400
"""A search for tiles all over a table that has none takes 1,250 MB, and a picture of 50 megapixels 500 MB."""


PEAK = Path("/proc/self/clear_refs")
"""Writing a 5 there makes the kernel count the peak of this process's memory anew."""


def peak_mb() -> float:
    """Return the most memory since then."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


@dataclass
class Tally:
    """The results for the pictures."""

    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    peak_mb: float = 0.0
    slowest_s: float = 0.0

    def take(self, kind: Kind, number: int, answer: dict[str, Any]) -> None:
        """Count one answer of a worker."""
        self.outcomes[f"{kind}: {answer['outcome']}"] += 1
        self.peak_mb = max(self.peak_mb, answer["peak_mb"])
        self.slowest_s = max(self.slowest_s, answer["seconds"])
        if answer["peak_mb"] > MEMORY_MB:
            self.failures.append(f"{kind} {number}: {answer['peak_mb']:.0f} MB")
        if kind == "scene" and answer["outcome"] == "observation":
            self.failures.append(f"{kind} {number}: a table was seen where there is none")
        if kind == "scene" and answer["outcome"] == "other tiles":
            self.failures.append(f"{kind} {number}: tiles were seen that are not there")


class Noted(Sequence[Picture]):
    """The pictures of prints; ``ids`` holds the requested ones."""

    def __init__(self, prints: Sequence[Print]) -> None:
        self._prints = prints
        self.ids: set[str] = set()

    def __len__(self) -> int:
        return len(self._prints)

    def __getitem__(self, index: Any) -> Any:
        self.ids.add(self._prints[index].side.id)
        return self._prints[index].image


class Reader:
    """Reads the pictures of one scene's table and reports each result."""

    def __init__(self, scene: Path) -> None:
        self._prints = load_prints(scene / "tiles")
        self._reader = TableReader(
            self._prints,
            documents.roster_from_json((scene / "roster.json").read_bytes()),
            documents.table_from_json((scene / "table.json").read_bytes()),
            documents.camera_from_json((scene / "camera.json").read_bytes()),
        )
        self._photo = decode_photo((scene / "photo.jpg").read_bytes())
        self._own = {tile["id"] for tile in json.loads((scene / "truth.json").read_bytes())["tiles"]}

    def answer(self, kind: Kind, number: int) -> dict[str, Any]:
        """Return a batch's entry for the picture: a readable observation, or an error's sentence."""
        data = self.picture(kind, number)
        PEAK.write_text("5")
        start = time.process_time()
        try:
            observation = self._reader.read(decode_photo(data)).observation
            written = documents.to_json(documents.observation_document(observation))
            assert documents.observation_from_json(written.encode()).board == observation.board
            outcome = "observation"
            if shown := self._shown(kind, number):
                outcome = "its tiles" if {tile.id for tile in observation.tiles} <= shown else "other tiles"
        except SightlineError as problem:
            outcome = type(problem).__name__
        return {"outcome": outcome, "seconds": time.process_time() - start, "peak_mb": peak_mb()}

    def _shown(self, kind: Kind, number: int) -> set[str]:
        """Return the tiles on a picture without markers, which the reader needs for a table."""
        if kind == "mutated":
            return set()
        noted = Noted(self._prints.prints)
        without_markers(self._photo, noted, number)
        return noted.ids | (self._own if shows_the_table(number) else set())

    def picture(self, kind: Kind, number: int) -> bytes:
        """Return the bytes of a picture."""
        if kind == "mutated":
            return mutated(self._photo, number)
        return without_markers(self._photo, [tile.image for tile in self._prints.prints], number)


class Worker:
    """A process that reads pictures; a new one replaces it when it dies or hangs."""

    def __init__(self, scene: Path) -> None:
        self._scene = scene
        self._process: subprocess.Popen[str] | None = None
        self._told: IO[str] = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115

    def ask(self, kind: Kind, number: int) -> dict[str, Any] | str:
        """Return the worker's answer, or how it ended."""
        process = self._process = self._process or self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{kind} {number}\n")
        process.stdin.flush()
        with selectors.DefaultSelector() as waiting:
            waiting.register(process.stdout, selectors.EVENT_READ)
            is_asleep = False
            while not is_asleep and not waiting.select(ASLEEP_S):
                is_asleep = not _wants_processor(process.pid)
        line = "" if is_asleep else process.stdout.readline()
        if line:
            answer: dict[str, Any] = json.loads(line)
            return answer
        return self._ended(process, is_asleep=is_asleep)

    def close(self) -> None:
        """End the worker."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._told.close()

    def _started(self) -> subprocess.Popen[str]:
        self._told.seek(0)
        self._told.truncate()
        command = [sys.executable, "-m", "tests.fuzz_photos", "work", str(self._scene.resolve())]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=self._told, text=True, cwd=ROOT)

    def _ended(self, process: subprocess.Popen[str], *, is_asleep: bool) -> str:
        if is_asleep:
            process.kill()
        status = process.wait()
        hangs = is_asleep or status == -signal.SIGXCPU
        self._process = None
        self._told.seek(0)
        last = self._told.read().strip().splitlines()[-1:] or ["nothing said"]
        return f"{'hangs' if hangs else f'ended with {status}'}: {last[0]}"


def _wants_processor(pid: int) -> bool:
    """Return whether a process is running or waiting for its turn, however long others keep it from it."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] == "R"


@click.group()
def main() -> None:
    """Read damaged pictures and pictures of no table."""


@main.command()
@click.argument("scene", type=click.Path(path_type=Path, exists=True))
@click.option("--pictures", default=10_000, show_default=True, help="Damaged pictures.")
@click.option("--scenes", default=1_000, show_default=True, help="Pictures without markers.")
@click.option("--first", default=0, show_default=True, help="Number of the first of each.")
def run(scene: Path, pictures: int, scenes: int, first: int) -> None:
    """Read them all and report the results; exit with 1 if anything failed."""
    tally, worker, start = Tally(), Worker(scene), time.monotonic()
    for done, (kind, number) in enumerate(_numbers(pictures, scenes, first), start=1):
        answer = worker.ask(kind, number)
        if isinstance(answer, str):
            tally.failures.append(f"{kind} {number}: {answer}")
            click.echo(tally.failures[-1])
        else:
            tally.take(kind, number, answer)
        if done % 250 == 0:
            click.echo(f"{done} pictures, {time.monotonic() - start:.0f} s, failures: {len(tally.failures)}")
    worker.close()
    for outcome, count in sorted(tally.outcomes.items()):
        click.echo(f"{count:6} {outcome}")
    click.echo(f"slowest {tally.slowest_s:.1f} s of processor time, memory at most {tally.peak_mb:.0f} MB")
    click.echo(f"failures: {len(tally.failures)}" + "".join(f"\n  {failure}" for failure in tally.failures))
    sys.exit(1 if tally.failures else 0)


def _numbers(pictures: int, scenes: int, first: int) -> Iterator[tuple[Kind, int]]:
    for number in range(first, first + pictures):
        yield "mutated", number
    for number in range(first, first + scenes):
        yield "scene", number


@main.command()
@click.argument("scene", type=click.Path(path_type=Path, exists=True))
def work(scene: Path) -> None:
    """Answer lines of a kind and a number on standard input, each within its share of processor time."""
    cv2.setNumThreads(1)
    reader = Reader(scene)
    for line in sys.stdin:
        kind, number = line.split()
        allowed_s = int(time.process_time()) + PROCESSOR_S
        resource.setrlimit(resource.RLIMIT_CPU, (allowed_s, resource.RLIM_INFINITY))
        click.echo(json.dumps(reader.answer("mutated" if kind == "mutated" else "scene", int(number))))


@main.command()
@click.argument("scene", type=click.Path(path_type=Path, exists=True))
@click.argument("kind", type=click.Choice(["mutated", "scene"]))
@click.argument("number", type=int)
@click.option("--keep", type=click.Path(path_type=Path), help="Write the picture there.")
def one(scene: Path, kind: Kind, number: int, keep: Path | None) -> None:
    """Read a single picture."""
    reader = Reader(scene)
    if keep is not None:
        keep.write_bytes(reader.picture(kind, number))
    click.echo(json.dumps(reader.answer(kind, number)))


if __name__ == "__main__":
    main()
