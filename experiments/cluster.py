"""The workers of a Dask cluster, by joblib's own Dask back end: reached by the address of their scheduler, and asked
for the code and the versions that they would play with before they play.

A worker that has other code, or other versions of what compiles it, is refused by name; the others play. What a
cluster loses is Dask's to play again elsewhere; where that can't be, as when the scheduler is gone, `Lost` says so.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent import futures
from contextlib import closing, contextmanager, suppress
from typing import Any

from distributed import Client, KilledWorker, Security
from distributed.comm.core import connect
from joblib._dask import DaskDistributedBackend
from joblib.externals.loky.process_executor import BrokenProcessPool

from experiments.facts import Facts, facts, must_be_current, unlike
from experiments.ledger import Trouble
from experiments.ready import Scheduler
from simcore.packs import Mistake, Mistakes, one_line

CONNECT_SECONDS = 3.0
WATCH_SECONDS = 0.2
IDLE_SECONDS = 60.0
"""For so long a run waits for a worker where none is left."""


class Lost(Trouble):
    """A cluster that is there no more."""


def lost(why: str, address: str) -> Lost:
    """A cluster that is there no more, in words."""
    return Lost(f"{why} at {address}; what was saved is kept")


def introduce(home: str, game: str, dask_worker: Any = None) -> tuple[str, Facts]:
    """A worker's name and its facts; Dask runs it there."""
    return str(dask_worker.name), facts(home, game)


class BackEnd(DaskDistributedBackend):  # type: ignore[misc]
    """joblib's back end, which also hears of tasks that fail outside of their own code, and of a scheduler that is
    gone; joblib by itself would wait for them for ever.
    """

    def __init__(self, client: Client, address: str, chosen: Sequence[str]) -> None:
        """address: the scheduler's, as it was asked for; chosen: the workers that may play, all of them if none is
        named.
        """
        self.address, self.chosen = address, frozenset(chosen)
        named = {"workers": list(chosen), "allow_other_workers": False} if chosen else {}
        super().__init__(client=client, pure=False, **named)

    def start_call(self) -> None:
        """Begin to listen."""
        self.pending: dict[Any, Callable[[Any], None]] = {}
        super().start_call()
        self.client.loop.add_callback(self._watch)

    def submit(self, func: Any, callback: Any = None) -> Any:
        """Hand a task over; `callback` gets what comes of it, or the error."""
        future = super().submit(func, callback)
        self.pending[future] = callback
        future.add_done_callback(self._hear)
        return future

    def retrieve_result_callback(self, out: Any) -> Any:
        """What came of a task; its error is raised as joblib's other back ends have it."""
        try:
            return super().retrieve_result_callback(out)
        except KilledWorker:
            raise BrokenProcessPool("the workers that played it died, one after another") from None
        except (asyncio.CancelledError, futures.CancelledError):
            raise lost("the scheduler is gone", self.address) from None

    def effective_n_jobs(self, n_jobs: int) -> int:
        """How many cores the workers have; never 1, by which joblib would play here and not there."""
        return max(2, n_jobs)

    def _hear(self, future: Any) -> None:
        callback = self.pending.pop(future, None)
        if callback and future.exception():
            callback(future.exception())

    async def _watch(self) -> None:
        """Give up what is under way once the scheduler, or for too long every worker, is gone."""
        alone = 0.0
        while self._continue:
            await asyncio.sleep(WATCH_SECONDS)
            workers: frozenset[str] = frozenset()
            with suppress(Exception):
                workers = frozenset(await self.client.scheduler.ncores())
            alone = 0.0 if workers & (self.chosen or workers) else alone + WATCH_SECONDS
            if self.client.status != "running":
                self._give_up("the scheduler is gone")
            elif alone >= IDLE_SECONDS:
                self._give_up("no worker is left")

    def _give_up(self, why: str) -> None:
        for future in list(self.pending):
            if not future.done():
                future.set_exception(lost(why, self.address))


class Cluster:
    """An open connection to a scheduler: which of its workers have the code and the versions that are here."""

    def __init__(self, client: Client, address: str, home: str, game: str, say: Callable[[str], None]) -> None:
        """home and game as for `facts`; say: gets a line for each worker that is refused."""
        self.client, self.address, self.home, self.game, self.say = client, address, home, game, say
        self.fit: dict[str, bool] = {}
        self.refused: set[str] = set()

    def cores(self) -> int:
        """How many games can be played at once by the workers that fit; all are asked. Trouble where none fits, or
        where our own code is out of date.
        """
        must_be_current()
        try:
            cores = self.client.ncores()
            told = self.client.run(introduce, self.home, self.game, workers=list(cores), on_error="return")
        except (OSError, asyncio.CancelledError, futures.CancelledError):
            raise lost("the scheduler is gone", self.address) from None
        self.fit = {address: self._fits(address, told.get(address)) for address in cores}
        found = sum(many for address, many in cores.items() if self.fit[address])
        if not found:
            raise Trouble(f"no worker at {self.address} has the code and the versions that are here")
        return found

    def back_end(self) -> BackEnd:
        """joblib's back end for a round of tasks: all workers where all fit, so that those to come are welcome."""
        chosen = [] if all(self.fit.values()) else [address for address, fits in self.fit.items() if fits]
        return BackEnd(self.client, self.address, chosen)

    def _fits(self, address: str, told: Any) -> bool:
        """Whether a worker may play, by what it told of itself; if not, it is refused by name."""
        if isinstance(told, tuple):
            name, theirs = told
            wrong = unlike(facts(self.home, self.game), theirs)
            who = f"{name} ({address})" if name != address else address
        else:
            who, wrong = address, f"{type(told).__name__}: {told}"
        if wrong and address not in self.refused:
            self.refused.add(address)
            self.say(one_line(f"worker {who} is refused: {wrong}"))
        return not wrong


@contextmanager
def reached(scheduler: Scheduler, home: str, game: str, say: Callable[[str], None]) -> Iterator[Cluster]:
    """A cluster for a while. Raises Mistakes where no scheduler answers there, or none that has a worker."""
    with _silent(), closing(_connected(scheduler)) as client:
        yield Cluster(client, scheduler.address, home, game, say)


@contextmanager
def _silent() -> Iterator[None]:
    """Dask's own words are left out: what goes wrong there is told in ours."""
    logs = [
        log
        for name in logging.root.manager.loggerDict
        if (log := logging.getLogger(name)).name.startswith("distributed")
    ]
    before = [log.disabled for log in logs]
    for log in logs:
        log.disabled = True
    try:
        yield
    finally:
        for log, disabled in zip(logs, before, strict=True):
            log.disabled = disabled


def _connected(scheduler: Scheduler) -> Client:
    """A client of a scheduler that has workers."""
    address, security = scheduler.address, _security(scheduler)
    client = None
    with suppress(Exception):  # whatever is there may say anything
        with futures.ThreadPoolExecutor(1) as apart:  # where there may be a loop already, as in a notebook
            apart.submit(asyncio.run, _greet(address, security)).result()
        client = Client(address, timeout=CONNECT_SECONDS, security=security, set_as_default=False, name="wastelab")
    if client is None:
        wrong = f"no scheduler answers at {address} within {CONNECT_SECONDS:.0f} s"
        raise Mistakes([Mistake("--cluster", wrong, _answering(scheduler))])
    try:
        client.wait_for_workers(1, timeout=CONNECT_SECONDS / 2)
    except TimeoutError:
        client.close()
        wrong, allowed = f"no worker is at {address}", f"a scheduler with workers, by `dask worker {address}`"
        raise Mistakes([Mistake("--cluster", wrong, allowed)]) from None
    return client


async def _greet(address: str, security: Security) -> None:
    """Connect and hear a scheduler's greeting, as a client would wait for ever for one that says nothing."""
    async with asyncio.timeout(CONNECT_SECONDS):
        found = await connect(address, timeout=CONNECT_SECONDS, **security.get_connection_args("client"))
        await found.close()


def _answering(scheduler: Scheduler) -> str:
    """What a scheduler must be that would have answered."""
    if scheduler.encrypted:
        return "one that uses TLS, with a certificate of the authority in --cluster-ca, and that accepts --cluster-cert"
    return "an address that `dask scheduler` tells; one that uses TLS is named as tls://HOST:PORT, with certificates"


def _security(scheduler: Scheduler) -> Security:
    """How a scheduler is reached: by what was named alone, whatever Dask's own settings are."""
    files = {"tls_ca_file": scheduler.ca, "tls_client_cert": scheduler.cert, "tls_client_key": scheduler.key}
    return Security(require_encryption=scheduler.encrypted, **{name: file or None for name, file in files.items()})
