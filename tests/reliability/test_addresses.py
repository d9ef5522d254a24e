"""FR1: a scheduler can run code on whoever connects to it, so only a command line or the environment names one."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="needs the extra dask")

from experiments.config import restore, shipped_configs
from experiments.ledger import open_run
from tests.cluster import Cluster
from tests.conftest import Write, play_config, tallies
from tests.reliability.commands import finish, start, wastelab
from tests.reliability.test_cluster import hasty

__all__ = ["hasty"]

DASK = "\n[runner]\nbackend = 'dask'\n"


class Trap:
    """A port that counts who connects to it."""

    def __init__(self) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.callers = 0
        threading.Thread(target=self._count, daemon=True).start()

    def _count(self) -> None:
        while True:
            try:
                caller, _ = self.listening.accept()
            except OSError:
                return
            self.callers += 1
            caller.close()

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"tcp://127.0.0.1:{self.listening.getsockname()[1]}"


@pytest.fixture
def trap() -> Iterator[Trap]:
    """A port that must not be connected to; it is shown first that it notices."""
    found = Trap()
    socket.create_connection(found.listening.getsockname()).close()
    while not found.callers:
        pass
    found.callers = 0
    yield found
    found.listening.close()


@pytest.mark.parametrize("backend", ["dask", "threads"])
def test_a_config_names_no_address(config: Write, tmp_path: Path, trap: Trap, backend: str) -> None:
    """FR1: neither the old key in a file nor the same by --set is followed, and the mistake says what to do."""
    old = config(more=f"\n[runner]\nbackend = '{backend}'\naddress = '{trap.address}'\n")
    new = tmp_path / "new.toml"
    new.write_text(old.read_text().replace("address", "# address"))
    for asked in ([old], [new, "--set", f"runner.address={trap.address}"]):
        code, out, told = wastelab("run", *asked, "--out", tmp_path / "results")
        assert code == 2 and out == "" and told.count("mistake: ") == 1
        assert f'runner.address is "{trap.address}"' in told and "--cluster tcp://HOST:PORT" in told
    assert not trap.callers and not (tmp_path / "results").exists()


def test_a_config_that_asks_for_a_cluster_needs_one_named(config: Write, tmp_path: Path) -> None:
    """FR1: `backend = "dask"` alone is a mistake that names --cluster; --cluster none plays it here."""
    path = config(more=DASK)
    code, out, told = wastelab("run", path, "--out", tmp_path / "results")
    assert code == 2 and out == "" and 'runner.backend is "dask", but no cluster is named' in told
    assert "--cluster tcp://HOST:PORT" in told and "WASTELAB_CLUSTER" in told and "--cluster none" in told
    assert not (tmp_path / "results").exists()
    code, _, told = wastelab("run", path, "--out", tmp_path / "results", "--cluster", "none")
    assert code == 0, told


PLANTED = "dask.yaml", "distributed.yaml", ".dask/config.yaml", ".config/dask/dask.yaml", "etc/dask/dask.yaml"


def test_dasks_own_settings_name_no_address(config: Write, tmp_path: Path, trap: Trap) -> None:
    """FR1: neither Dask's files, in the working folder or that of the user, nor its variables bring a scheduler in."""
    path = config(more=DASK)
    for name in PLANTED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"scheduler-address: {trap.address}\n")
    own = f"import os; os.chdir({str(tmp_path)!r}); os.environ.update(HOME={str(tmp_path)!r}"
    before = f"{own}, DASK_SCHEDULER_ADDRESS={trap.address!r})"
    for more, expected in ((), 2), (("--cluster", "tcp://127.0.0.1:9"), 2), (("--cluster", "none"), 0):
        code, _, told = finish(start("run", path, "--out", tmp_path / "results", *more, before=before))
        assert code == expected and "Traceback" not in told, told
    assert not trap.callers


def with_address(folder: Path, address: str) -> dict[str, bytes]:
    """Make a run folder one of an earlier version, which asked for a cluster and has its address, with half of its
    games gone. Give its tallies as they were.
    """
    run = open_run(folder)
    before = tallies(run)
    stored = run.manifest["config"] | {"runner": {"backend": "dask", "address": address, "keep_games": False}}
    run.ledger.change(run.manifest | {"config": stored}, run.plan.cells)
    run.cut({cell.id: 128 for cell in run.plan.cells})
    run.ledger.sit(0.0, run.games - sum(games for _, games in run.ledger.sittings()))
    run.close()
    return before


def test_a_run_that_recorded_an_address_is_not_followed_there(config: Write, tmp_path: Path, trap: Trap) -> None:
    """FR1: a run folder may come from anybody: the address in its ledger is told and never used, for any command; it
    goes on here, or on a cluster that is named.
    """
    config()
    wastelab("run", tmp_path / "toy.toml", "--out", tmp_path)
    (folder,) = tmp_path.glob("toy-*")
    before = with_address(folder, trap.address)
    (tmp_path / "toy.toml").unlink()
    for command in ("verify", "report"):
        assert wastelab(command, folder)[0] == (1 if command == "verify" else 0)
    for more in (), ("--games", "600"), ("--repair",):
        code, out, told = wastelab("resume", folder, *more)
        assert code == 2 and out == "" and "Traceback" not in told
        assert "--cluster tcp://HOST:PORT" in told and f'"{trap.address}", which the run recorded, is not used' in told
    code, _, told = wastelab("resume", folder, "--cluster", "none", "--games", "300")
    run = open_run(folder)
    assert code == 0 and run.finished and tallies(run) == before, told
    assert wastelab("compare", folder, folder)[0] == 0
    assert not trap.callers and '"address"' not in run.config.model_dump_json()


def test_an_old_run_whose_command_line_named_an_address_goes_on(config: Write, tmp_path: Path, trap: Trap) -> None:
    """FR1: where --set brought the address in, the run remembers that change, which is left out when it goes on."""
    run = play_config(config(), tmp_path)
    source = run.manifest["source"] | {"sets": [f"runner.address={trap.address}"]}
    run.ledger.change(run.manifest | {"source": source}, run.plan.cells)
    run.cut({cell.id: 128 for cell in run.plan.cells})
    run.ledger.sit(0.0, run.games - sum(games for _, games in run.ledger.sittings()))
    run.close()
    code, _, told = wastelab("resume", run.folder)
    assert code == 0, told
    assert not trap.callers


def test_what_is_stored_of_a_run_has_no_address(config: Write, tmp_path: Path) -> None:
    run = play_config(config(), tmp_path)
    stored = run.manifest["config"] | {"seed": 1}
    assert "address" not in stored["runner"]
    again = restore(stored | {"runner": stored["runner"] | {"address": "tcp://10.0.0.1:1"}}, run.manifest["pack"])
    assert again.config == restore(stored, run.manifest["pack"]).config
    assert not any("address" in file.read_text() for file in shipped_configs().values())


WRONG = [
    (["--cluster", "10.0.0.1:8786"], '--cluster or WASTELAB_CLUSTER is "10.0.0.1:8786"; allowed: tcp://HOST:PORT'),
    (["--cluster", "inproc://10.0.0.1/1/1"], "allowed: tcp://HOST:PORT, tls://HOST:PORT"),
    (["--cluster", "tcp://a b:1"], "allowed: tcp://HOST:PORT"),
    (["--cluster", "tcp://[::1:1"], "allowed: tcp://HOST:PORT"),
    (["--cluster-ca", "ca.pem"], "--cluster-ca given without a cluster; allowed: --cluster tls://HOST:PORT as well"),
    (["--cluster", "tcp://h:1", "--cluster-key", "k"], "beside --cluster-key; allowed: tls://HOST:PORT"),
    (["--cluster", "tls://h:1", "--cluster-ca", "ca.pem"], "--cluster-cert, --cluster-key missing"),
]


@pytest.mark.parametrize(("asked", "says"), WRONG)
def test_what_names_no_scheduler_is_a_mistake(config: Write, tmp_path: Path, asked: list[str], says: str) -> None:
    for command in ["run", config(), "--out", tmp_path / "results"], ["resume", tmp_path]:
        code, out, told = wastelab(*command, *asked)
        assert code == 2 and out == "" and says in told and told.count("mistake: ") == 1
    assert not (tmp_path / "results").exists()


ANSWERS = {
    "hangs up": b"",
    "is a web server": b"HTTP/1.1 400 Bad Request\r\n\r\n",
    "sends huge sizes": b"\xff" * 1000,
    "stops amid a message": bytes([2, *[0] * 7, 5, *[0] * 7]),
    "says nothing": None,
}


@pytest.mark.parametrize("answer", list(ANSWERS))
def test_what_is_no_scheduler_gets_one_line(config: Write, tmp_path: Path, hasty: None, answer: str) -> None:
    """FR1: whatever listens at an address, a mistake of one line says in time that it is no scheduler."""
    says, callers = ANSWERS[answer], list[socket.socket]()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    callers.append(listening.accept()[0])
                    if says is not None:
                        callers[-1].sendall(says)
                        callers[-1].close()

        threading.Thread(target=serve, daemon=True).start()
        address = f"tcp://127.0.0.1:{listening.getsockname()[1]}"
        code, out, told = wastelab("run", config(), "--cluster", address, "--out", tmp_path / "results")
        assert code == 2 and out == "" and told.count("\n") == 2 and f"no scheduler answers at {address}" in told
        assert callers and not (tmp_path / "results").exists()


# ---------------------------------------------------------------- TLS


def made(*words: object, folder: Path) -> None:
    """Run openssl in a folder."""
    done = subprocess.run(["openssl", *map(str, words)], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def certificates(folder: Path) -> tuple[Path, Path, Path]:
    """An authority of one's own: the files of its certificate, and of a certificate that it signed with its key."""
    folder.mkdir(exist_ok=True)
    new = "req", "-newkey", "rsa:2048", "-nodes", "-subj"
    made(*new, "/CN=authority", "-x509", "-days", 2, "-keyout", "ca.key", "-out", "ca.pem", folder=folder)
    made(*new, "/CN=wastelab", "-keyout", "own.key", "-out", "own.csr", folder=folder)
    signed = "x509", "-req", "-in", "own.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", 2
    made(*signed, "-out", "own.pem", folder=folder)
    return folder / "ca.pem", folder / "own.pem", folder / "own.key"


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler and a worker that speak TLS alone."""
    if not shutil.which("openssl"):
        pytest.skip("needs openssl, to make certificates")
    folder = tmp_path_factory.mktemp("tls")
    found = Cluster(folder, "one", tls=certificates(folder / "own"))
    try:
        found.wait()
        yield found
    finally:
        found.close()


def test_a_cluster_with_certificates_plays(
    secret: Cluster, config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FR1: tls:// and its files, by options or by variables, and never by the config."""
    path = config(game="toy.duel", games=3000)
    assert secret.address.startswith("tls://")
    one = tallies(play_config(path, tmp_path / "here"))
    code, _, told = wastelab("run", path, "--out", tmp_path / "options", *secret.named.options)
    assert code == 0 and f"1 cores play at {secret.address}" in told, told
    for name, value in zip(("", "_CA", "_CERT", "_KEY"), secret.named.options[1::2], strict=True):
        monkeypatch.setenv(f"WASTELAB_CLUSTER{name}", value)
    code, _, told = wastelab("run", path, "--out", tmp_path / "variables")
    assert code == 0 and f"1 cores play at {secret.address}" in told, told
    for kind in ("options", "variables"):
        (folder,) = (tmp_path / kind).iterdir()
        assert tallies(open_run(folder)) == one
        assert not any(str(secret.address).encode() in file.read_bytes() for file in folder.iterdir())


def test_who_has_not_the_right_certificates_gets_one_line(
    secret: Cluster, config: Write, tmp_path: Path, hasty: None
) -> None:
    """FR1: a plain client at a TLS scheduler, TLS by a stranger's certificates, and files that are none."""
    other, (_, cert, key) = certificates(tmp_path / "other"), [Path(file) for file in secret.tls[1::2]]
    empty = tmp_path / "empty.pem"
    empty.touch()
    files = "--cluster-ca", "--cluster-cert", "--cluster-key"
    cases: list[tuple[str, tuple[Path, ...], str]] = [
        (secret.address.replace("tls", "tcp"), (), "no scheduler answers at tcp://"),
        (secret.address, other, "no scheduler answers at tls://"),
        (secret.address, (other[0], cert, key), "no scheduler answers at tls://"),
        (secret.address, (empty, cert, key), "--cluster-ca"),
        (secret.address, (other[0], cert, other[2]), "--cluster-cert, --cluster-key"),
        (secret.address, (other[0], cert, tmp_path / "none"), "No such file"),
    ]
    for address, given, says in cases:
        named = [word for pair in zip(files, given, strict=False) for word in pair]
        code, out, told = wastelab("run", config(), "--cluster", address, *named, "--out", tmp_path / "results")
        assert code == 2 and out == "" and told.count("\n") == 2 and says in told, told
    assert not (tmp_path / "results").exists() and os.path.getsize(empty) == 0
