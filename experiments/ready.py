"""Whether what a run needs beside the cores of this machine is there: extras, and a cluster that answers."""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Self

from experiments.config import Config
from simcore.game import GAMES
from simcore.packs import Mistake, Mistakes, shown

ADDRESS = r"(tcp|tls)://([^\s/:@?#\[\]]+|\[[0-9A-Fa-f:.%]+\]):\d{1,5}"
NAMED = "--cluster tcp://HOST:PORT or tls://HOST:PORT, or WASTELAB_CLUSTER"
NONE = "none"
HERE = f"{NAMED}; or --cluster {NONE}, to play on this machine"


@dataclass(frozen=True)
class Scheduler:
    """The scheduler of a cluster, as the command line or the environment names it: no file may, as a scheduler can run
    code on whoever connects to it.

    address: tcp://HOST:PORT, tls://HOST:PORT, or "none" to play on this machine whatever a config asks for. ca, cert,
    key: files for tls, the authority's certificate, ours and our key.
    """

    address: str
    ca: str = ""
    cert: str = ""
    key: str = ""

    @classmethod
    def named(cls, address: str | None, ca: str | None, cert: str | None, key: str | None) -> Self | None:
        """Check what was named; None where nothing was. Raises Mistakes."""
        found = cls((address or "").strip(), ca or "", cert or "", key or "")
        if found == cls(""):
            return None
        if wrong := list(found._wrong()):
            raise Mistakes(wrong)
        return found

    @property
    def here(self) -> bool:
        """Whether it is none, so that this machine plays."""
        return self.address == NONE

    @property
    def encrypted(self) -> bool:
        """Whether it is reached by TLS."""
        return self.address.startswith("tls:")

    @property
    def options(self) -> list[str]:
        """The options of a command that name it."""
        return ["--cluster", self.address, *(word for pair in self._files() if pair[1] for word in pair)]

    def _files(self) -> list[tuple[str, str]]:
        return [("--cluster-ca", self.ca), ("--cluster-cert", self.cert), ("--cluster-key", self.key)]

    def _wrong(self) -> Iterator[Mistake]:
        given = [name for name, file in self._files() if file]
        if self.here:
            return
        if not self.address:
            yield Mistake(", ".join(given), "given without a cluster", "--cluster tls://HOST:PORT as well")
        elif not re.fullmatch(ADDRESS, self.address):
            allowed = f"tcp://HOST:PORT, tls://HOST:PORT, or {NONE}"
            yield Mistake("--cluster or WASTELAB_CLUSTER", f"is {shown(self.address)}", allowed)
        elif not self.encrypted and given:
            yield Mistake("--cluster", f"is {shown(self.address)}, beside {', '.join(given)}", "tls://HOST:PORT")
        elif self.encrypted and (missing := [name for name, file in self._files() if not file]):
            yield Mistake(", ".join(missing), "missing", "the files by which a tls:// cluster knows us, and we it")
        elif self.encrypted:
            yield from self._unreadable()

    def _unreadable(self) -> Iterator[Mistake]:
        """Files of TLS that are not there, or are not what they should be."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        try:
            context.load_verify_locations(self.ca)
        except (OSError, ValueError) as error:
            yield Mistake("--cluster-ca", f"{shown(self.ca)} {_reason(error)}", "a file of certificates, in PEM")
        try:
            context.load_cert_chain(self.cert, self.key, password=_no_password)
        except (OSError, ValueError) as error:
            both = f"{shown(self.cert)}, {shown(self.key)} {_reason(error)}"
            yield Mistake("--cluster-cert, --cluster-key", both, "a certificate and its key, in PEM")


def _reason(error: Exception) -> str:
    """Why a file of TLS can't be used, in words."""
    if isinstance(error, ssl.SSLError):
        return "can't be used: " + (error.reason or "no certificate or key").lower().replace("_", " ")
    return f"can't be used: {getattr(error, 'strerror', None) or error}"


def _no_password() -> str:
    """Give no password: it would be asked for in a terminal, and Dask can't ask."""
    raise ValueError("the key needs a password")


def must_have_extras(
    config: Config, scheduler: Scheduler | None = None, rows_alone: bool = False, recorded: object = None
) -> None:
    """Mistakes, all at once, where a run asks for what isn't installed or named.

    rows_alone: to read its games, and not to play. recorded: the address that a run of an earlier version has.
    """
    runner, wrong = config.runner, list[Mistake]()
    if runner.backend == "dask" and scheduler is None and not rows_alone:
        unused = f"; {shown(recorded)}, which the run recorded, is not used" if recorded else ""
        wrong.append(Mistake("runner.backend", f'is "dask", but no cluster is named{unused}', HERE))
    if scheduler and not scheduler.here and not find_spec("distributed"):
        wrong.append(Mistake("--cluster", "needs dask, which isn't installed", _install("dask")))
    if runner.keep_games and not find_spec("pyarrow"):
        wrong.append(Mistake("runner.keep_games", "is true, but pyarrow isn't installed", _install("parquet")))
    if wrong:
        raise Mistakes(wrong)


def _install(extra: str) -> str:
    return f"after `pip install 'wastelab[{extra}]'`"


def must_be_ready(config: Config, scheduler: Scheduler | None) -> None:
    """Mistakes, where what a run asks for isn't installed, or a cluster doesn't answer."""
    must_have_extras(config, scheduler)
    must_reach(scheduler, config.game)


def must_reach(scheduler: Scheduler | None, game: str) -> None:
    """Mistakes, where a cluster is named that doesn't answer, or what reaches it isn't installed."""
    if scheduler is None or scheduler.here:
        return
    if not find_spec("distributed"):
        raise Mistakes([Mistake("--cluster", "needs dask, which isn't installed", _install("dask"))])
    from experiments.cluster import reached

    with reached(scheduler, GAMES[game], game, lambda line: None):
        pass
