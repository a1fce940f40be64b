"""A hall under load: simulated tables send events to real desks, through a real Mosquitto, into one PostgreSQL.

Measured is from the moment a table tells an event until it hears that a desk has it on its disk, against the bare
broker in the same run (a message to oneself, beside the load), and the time in which a desk's page answers. All events
sent are counted against the store: none may be missing, none there twice. Last, a table and a desk as
people start them: from the tap on “Call a judge” until the desk's page has the call.

    python -m tests.bench_desk out/bench-desk [--seconds 300] [--tables 500] [--growth 50,100,250,1000]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent / "loaders"))

import hall_builders as halls
import matplotlib
from hall_programs import Program, running_desk, running_table, seconds_to_desk
from matplotlib import pyplot

from assistant.app.tournament.desk_store import DeskStore
from assistant.documents.join import join_text
from tests.hall_swarm import PER_SECOND, Swarm

matplotlib.use("Agg")

DRAIN_S = 60.0
DESKS = 4
WANTED_MS = 50.0
"""Limit in milliseconds until a table hears that a desk has stored its event, in 99 of 100 cases."""


@dataclass
class Figures:
    """The results of one run: times in milliseconds, and the average number of busy cores."""

    tables: int
    seconds: float
    told: int = 0
    lost: int = 0
    doubled: int = 0
    told_again: int = 0
    kept_p50_ms: float = 0.0
    kept_p99_ms: float = 0.0
    bare_p50_ms: float = 0.0
    bare_p99_ms: float = 0.0
    page_p50_ms: float = 0.0
    page_p99_ms: float = 0.0
    broker_cores: float = 0.0
    desk_cores: float = 0.0
    swarm_cores: float = 0.0
    machine_cores: float = 0.0


PROBE = """
import json, sys, time
sys.path.insert(0, {loaders!r})
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from assistant.documents.join import join_from_text
from assistant.hosting.mqtt import BrokerPlace, _context
from assistant.app.tournament.topics import Topics
code = join_from_text(sys.argv[1])
topic = Topics(code.event).of(code.name, "kept")
took = []
client = Client(CallbackAPIVersion.VERSION2, "probe", protocol=MQTTProtocolVersion.MQTTv5)
client.username_pw_set(code.name, code.password)
client.tls_set_context(_context(BrokerPlace(code.host, code.port, code.name, code.password, code.authority_pem)))
client.on_connect = lambda *_: client.subscribe(topic, 1)
client.on_message = lambda _c, _d, m: took.append(1000 * (time.time() - float(m.payload)))
client.connect(code.host, code.port)
client.loop_start()
time.sleep(1)
until = time.time() + float(sys.argv[2])
while time.time() < until:
    client.publish(topic, str(time.time()), 1)
    time.sleep(0.05)
time.sleep(1)
print(json.dumps(took))
"""
"""A message to oneself, twenty times a second, in a process of its own."""


def share(values: list[float], part: float) -> float:
    """Return that quantile, to a tenth."""
    return round(statistics.quantiles(values, n=1000)[round(part * 1000) - 1], 1) if len(values) > 2 else 0.0


class Desk(Program):
    """One of several desks on one store."""

    def __init__(self, folder: Path, name: str, store: str) -> None:
        place = ["--as", name, "--store", store, "--no-broker", "--data", str(folder / name)]
        super().__init__(["desk", str(folder), *place])


class Busy:
    """The number of busy cores per part, from Linux's ``/proc``."""

    def __init__(self, broker: halls.Broker, desks: list[Desk]) -> None:
        assert broker.process is not None
        self._parts = {"broker": [broker.process.pid], "desk": [desk.process.pid for desk in desks]}
        self._parts["swarm"] = [os.getpid()]
        self._began_s, self._began = time.monotonic(), self._ticks()

    def cores(self) -> dict[str, float]:
        """Since it was made, by the names of the figures."""
        spent_s, now = time.monotonic() - self._began_s, self._ticks()
        per_core = spent_s * os.sysconf("SC_CLK_TCK")
        return {f"{name}_cores": round((now[name] - began) / per_core, 2) for name, began in self._began.items()}

    def _ticks(self) -> dict[str, int]:
        found = {name: sum(map(self._of, pids)) for name, pids in self._parts.items()}
        whole = [int(part) for part in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
        return {**found, "machine": sum(whole) - whole[3] - whole[4]}  # without idle and waiting for the disk

    def _of(self, pid: int) -> int:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])


ASKING = """
import json, sys, time
import urllib.request
took = []
until = time.time() + float(sys.argv[3])
while time.time() < until:
    began = time.perf_counter()
    request = urllib.request.Request(sys.argv[1] + "/api/v1/hall", headers={"Cookie": sys.argv[2]})
    urllib.request.urlopen(request, timeout=30).read()
    took.append(1000 * (time.perf_counter() - began))
    time.sleep(0.2)
print(json.dumps(took))
"""
"""A judge's page that asks five times a second, oftener than any does."""


def measure(folder: Path, count: int, seconds: float, store: str) -> Figures:
    """Return one run with ``count`` tables."""
    names = [f"table-{number}" for number in range(count)]
    desks = [f"desk-{number}" for number in range(DESKS)]
    broker = halls.make_broker(folder, [*names, "probe"], desks)
    acl = folder / "acl"
    acl.write_text(f"{acl.read_text()}user probe\ntopic readwrite sightline/open/probe/kept\n")
    broker.start()
    running: list[Desk] = []
    try:
        running += [Desk(folder, name, store) for name in desks]
        time.sleep(3)
        return _under_load(broker, running, names, seconds, store)
    finally:
        for desk in running:
            desk.end()
        broker.stop()


def _under_load(broker: halls.Broker, desks: list[Desk], names: list[str], seconds: float, store: str) -> Figures:
    swarm = Swarm([broker.codes[name] for name in names])
    loaders = str(Path(__file__).parent / "loaders")
    probing = [sys.executable, "-c", PROBE.format(loaders=loaders), join_text(broker.codes["probe"]), str(seconds)]
    cookie = next(handler for handler in desks[0].browser.handlers if hasattr(handler, "cookiejar")).cookiejar
    cookies = "; ".join(f"{one.name}={one.value}" for one in cookie)
    asking = [sys.executable, "-c", ASKING, desks[0].address, cookies, str(seconds)]
    busy = Busy(broker, desks)
    beside = [subprocess.Popen(one, stdout=subprocess.PIPE, text=True) for one in (probing, asking)]
    swarm.run(seconds)
    cores = busy.cores()
    swarm.run(DRAIN_S, tells=False)
    swarm.close()
    bare, page = (json.loads(process.communicate(timeout=120)[0]) for process in beside)
    own = DeskStore(store)
    counts = own.event_counts()
    own.close()
    missing = sum(max(0, table.seq - counts.get(table.name, 0)) for table in swarm.tables)
    extra = sum(max(0, counts.get(table.name, 0) - table.seq) for table in swarm.tables)
    return Figures(
        len(names),
        seconds,
        told=swarm.told,
        lost=missing,
        doubled=extra,
        told_again=swarm.again,
        kept_p50_ms=share(swarm.took_ms, 0.5),
        kept_p99_ms=share(swarm.took_ms, 0.99),
        bare_p50_ms=share(bare, 0.5),
        bare_p99_ms=share(bare, 0.99),
        page_p50_ms=share(page, 0.5),
        page_p99_ms=share(page, 0.99),
        **cores,
    )


def measure_calls(folder: Path, count: int) -> list[float]:
    """Return the times of that many calls from a table's page to a desk's, one after the other, in milliseconds."""
    broker = halls.make_broker(folder / "hall", ["one"])
    broker.start()
    running: list[Program] = []
    try:
        running.append(running_desk(folder / "hall", folder / "desk"))
        running.append(running_table(folder / "hall" / "codes" / "one.txt", folder / "table"))
        desk, table = running
        halls.wait_for(lambda: desk.ask("hall")["tables"][0]["condition"] == "online", 30)
        return [1000 * seconds_to_desk(table, desk, f"call-{number}") for number in range(count)]
    finally:
        for program in running:
            program.end()
        broker.stop()


def draw(rows: list[Figures], path: Path) -> None:
    """The growth as a picture."""
    figure, axes = pyplot.subplots(figsize=(7, 4))
    counts = [row.tables for row in rows]
    for name, label in (("kept", "told until kept"), ("bare", "bare broker"), ("page", "page of a desk")):
        axes.plot(counts, [getattr(row, f"{name}_p99_ms") for row in rows], marker="o", label=f"{label}, p99")
    axes.axhline(WANTED_MS, color="black", linewidth=1, linestyle="--", label=f"{WANTED_MS:.0f} ms")
    axes.set_xlabel(f"tables, {PER_SECOND} events a second each, {DESKS} desks")
    axes.set_ylabel("milliseconds")
    axes.set_yscale("log")
    axes.set_yticks([2, 5, 10, 20, 50], [2, 5, 10, 20, 50])
    axes.minorticks_off()
    axes.set_title("p99 by the number of tables, everything on one machine")
    axes.grid(visible=True, which="both", alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=80)


def main() -> None:
    """Run the load, then the growth, and writes figures and picture."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("out", type=Path)
    asked.add_argument("--seconds", type=float, default=300.0)
    asked.add_argument("--tables", type=int, default=500)
    asked.add_argument("--growth", default="50,100,250,1000")
    asked.add_argument("--growth-seconds", type=float, default=30.0)
    asked.add_argument("--calls", type=int, default=100)
    wanted = asked.parse_args()
    binaries = halls.find_postgres()
    if halls.MOSQUITTO is None or binaries is None:
        sys.exit(halls.NO_MOSQUITTO if halls.MOSQUITTO is None else halls.NO_POSTGRES)
    wanted.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        Path(scratch).chmod(0o755)
        server = halls.make_postgres(Path(scratch) / "postgres", binaries)
        server.start()
        try:
            runs = [(wanted.tables, wanted.seconds)] if wanted.tables else []
            runs += [(int(count), wanted.growth_seconds) for count in filter(None, wanted.growth.split(","))]
            rows: list[Figures] = []
            for number, (count, seconds) in enumerate(runs):
                rows.append(measure(Path(scratch) / f"hall-{number}", count, seconds, server.fresh_url()))
                told: dict[str, Any] = asdict(rows[-1])
                sys.stdout.write(f"{json.dumps(told)}\n")
                sys.stdout.flush()
        finally:
            server.stop()
        if wanted.calls:
            took = measure_calls(Path(scratch) / "calls", wanted.calls)
            calls = {"calls": len(took), "p50_ms": share(took, 0.5), "p99_ms": share(took, 0.99), "most_ms": max(took)}
            sys.stdout.write(f"{json.dumps(calls)}\n")
    (wanted.out / "desk.json").write_text(json.dumps([asdict(row) for row in rows], indent=1))
    if len(rows) > 1:
        draw(sorted(rows, key=lambda row: row.tables), wanted.out / "desk.png")


if __name__ == "__main__":
    main()
