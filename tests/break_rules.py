"""Break each rule once, and see that its own tests fail: mutation testing, by the list in tests/faults.csv.

    python -m tests.break_rules                     every planted fault
    python -m tests.break_rules --sample 40 --seed 7   a random sample
    python -m tests.break_rules M10-02 'mech: threes miss'   by rule, by chapter's prefix, or by name
    python -m tests.break_rules --file mech         faults planted in files whose path contains "mech"

Each fault is planted in a process of its own, forked from one that has imported the libraries, and the rules run
uncompiled. For each fault one of these is printed:

- `caught`: for each rule that it breaks, one of the own tests fails. Only `--verbose` prints these.
- `survived`: for some rule, every own test passes all the same. That test cannot fail.
- `misplaced`: the fault fits nowhere, changes nothing, is refused by the pack's checks, or breaks the code.

Exit code 1 unless all are caught. See tests/faults.py for how a fault is written down.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import resource
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

TIMEOUT = 20
"""Seconds of CPU after which a fault counts as caught: a game that no longer ends is noticed."""


@dataclass(frozen=True)
class Verdict:
    """What came of a planted fault: `caught`, `survived` or `misplaced`, and why."""

    word: str
    why: str = ""


def own_tests() -> dict[str, list[str]]:
    """Read the tests that tests/rules.csv names for each rule."""
    with (TOP / "tests" / "rules.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row["test"].split() for row in csv.DictReader(file)}


def tests_of(fault: Fault, own: Mapping[str, list[str]]) -> list[list[str]]:
    """Give the groups of tests in each of which one must fail: a group for each rule, or the named test."""
    unknown = [rule for rule in fault.rule.split() if not own.get(rule)]
    if unknown:
        raise ValueError(f"{fault.name}: no tests are listed for {', '.join(unknown)}")
    return [own[rule] for rule in fault.rule.split()] or [[fault.test]]


# ---------------------------------------------------------------- one fault


def plant(fault: Fault, groups: Sequence[Sequence[str]]) -> Verdict:
    """Plant a fault in this process, for good, and run the tests that should notice."""
    from tests import faults

    try:
        rules = faults.Rules(fault)
        if fault.where == faults.PACK:
            faults.check_pack_fault(fault, rules)
    except (ValueError, SyntaxError) as error:
        return Verdict("misplaced", str(error))
    faults.use(rules)
    seen = run({test for group in groups for test in group})
    if isinstance(seen, str):
        return Verdict("misplaced", seen)
    for group in groups:
        results = [word for test in group for node, word in seen.items() if node.split("[")[0] == test.split("[")[0]]
        if not results:
            return Verdict("misplaced", f"no test ran of {' '.join(group)}")
        if "failed" not in results:
            broken = next((word for word in results if word != "passed"), "")
            if broken:
                return Verdict("misplaced", f"the code breaks: {broken}")
            return Verdict("survived", " ".join(group))
    return Verdict("caught")


def run(tests: set[str]) -> dict[str, str] | str:
    """Run tests in this process: for each, `passed`, `failed`, or the error that is no failed check."""
    import pytest

    from tests.faults import CAUGHT

    class Watch:
        def __init__(self) -> None:
            self.seen: dict[str, str] = {}
            self.refused = ""

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
            yield
            if call.excinfo is None:
                self.seen.setdefault(item.nodeid, "passed")
            elif call.excinfo.errisinstance(CAUGHT):
                self.seen[item.nodeid] = "failed"
            elif not call.excinfo.errisinstance(pytest.skip.Exception):
                self.seen[item.nodeid] = call.excinfo.exconly()[:200]

        def pytest_collectreport(self, report: pytest.CollectReport) -> None:
            if report.failed:
                self.refused = str(report.longrepr).strip().splitlines()[-1][:300]

    watch = Watch()
    plain = [
        "-o",
        "addopts=",
        "--assert=plain",
        "--tb=no",
        *(word for plugin in ("xdist", "cacheprovider", "benchmark") for word in ("-p", f"no:{plugin}")),
    ]
    pytest.main([*plain, *sorted(tests)], plugins=[watch])
    return watch.refused or watch.seen


def _child(pipe: Connection, fault: Fault, groups: Sequence[Sequence[str]]) -> None:
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    most = int(time.process_time()) + TIMEOUT
    resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
    try:
        pipe.send(plant(fault, groups))
    except Exception as error:  # whatever it is, the parent prints it
        pipe.send(Verdict("misplaced", f"{type(error).__name__}: {error}"))


def judge(fault: Fault, groups: Sequence[Sequence[str]]) -> Verdict:
    """Plant a fault in a process of its own."""
    context = get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(there, fault, groups))
    process.start()
    there.close()
    try:
        return here.recv()  # type: ignore[no-any-return]
    except EOFError:
        process.join()
        endless = process.exitcode == -signal.SIGXCPU
        return Verdict("caught", "the tests no longer end") if endless else Verdict("misplaced", "the process died")
    finally:
        process.kill()
        process.join()


# ---------------------------------------------------------------- many


def chosen(faults: Sequence[Fault], args: argparse.Namespace) -> list[Fault]:
    """Choose the faults that the command line asks for."""
    found = [fault for fault in faults if args.file in fault.where]
    if args.names:
        found = [fault for fault in found if any(wanted(fault, name) for name in args.names)]
    if args.sample:
        found = random.Random(args.seed).sample(found, min(args.sample, len(found)))
    return found


def wanted(fault: Fault, name: str) -> bool:
    """Whether a fault has a name, or breaks a rule whose id begins so."""
    return fault.name == name or any(rule.startswith(name) for rule in fault.rule.split())


def main() -> int:
    """Plant the chosen faults and print what came of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.break_rules", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="RULE|NAME")
    parser.add_argument("--list", type=Path, default=TOP / "tests" / "faults.csv", help="another list of faults")
    parser.add_argument("--file", default="", help="only faults planted in files whose path contains this")
    parser.add_argument("--sample", type=int, default=0, help="so many of them, at random")
    parser.add_argument("--seed", type=int, default=0, help="which sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--verbose", action="store_true", help="print what was caught, too")
    args = parser.parse_args()
    begun, own, faults = time.monotonic(), own_tests(), chosen(read_faults(args.list), args)
    counts = {"caught": 0, "survived": 0, "misplaced": 0}
    with ThreadPoolExecutor(args.jobs) as pool:
        for fault, verdict in zip(faults, pool.map(lambda fault: judged(fault, own), faults), strict=True):
            counts[verdict.word] += 1
            if verdict.word != "caught" or args.verbose:
                print(f"{verdict.word}: {fault.rule or '-'}: {fault.name}: {verdict.why}", flush=True)
    words = ", ".join(f"{many} {word}" for word, many in counts.items())
    print(f"{len(faults)} faults: {words}, in {time.monotonic() - begun:.0f} s")
    return 0 if faults and counts["caught"] == len(faults) else 1


def warm() -> None:
    """Do once what every child would do again: load the sound rules, read their packs, and see who imports what."""
    for name in all_modules():
        users(name)
    for game in sound()["game"].GAMES:
        sound().pack(game)


def judged(fault: Fault, own: Mapping[str, list[str]]) -> Verdict:
    """Judge a fault of the list."""
    try:
        return judge(fault, tests_of(fault, own))
    except ValueError as error:
        return Verdict("misplaced", str(error))


os.environ["NUMBA_DISABLE_JIT"] = "1"

from tests.faults import TOP, Fault, all_modules, read_faults, sound, users  # noqa: E402  numba reads the setting when it is imported

if __name__ == "__main__":
    import pytest

    warm()
    sys.exit(main())
