"""Every game as a row: Parquet files beside the ledger, for a run that keeps its games.

A file holds the games of one batch, and is whole or not there: it is made where the games are played, put in its
place in one step, and written down in the ledger, with its checksum, in the transaction that has the tallies of its
games. Columns are those of LABELS, which say what a game belongs to, and the outcome's own (`names`).
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from experiments.config import Setup
from experiments.ledger import Run, unpack
from experiments.plan import Cell
from experiments.shards import FOLDER, Span, read
from simcore.game import Game, Tables, Tally
from simcore.kernels import blank

Ints = npt.NDArray[np.int64]

LABELS = ("cell", "lineup", "bots", "settings", "variant", "game")
"""What a game belongs to, as in summary.csv; `game` is the game's number in its cell, from 0."""


MOST_ROWS, MOST_TEXT, MOST_PARTS = 200_000, 16_000_000, 100_000
"""What a file may hold: rows, bytes of text, and parts of a list in what it says of itself."""


class Kept(NamedTuple):
    """Outcomes of games first, first + 1, ... of a cell."""

    cell: Cell
    first: int
    outcomes: Any


def names(game: Game) -> list[str]:
    """The outcome's columns in memory order: `ending`, `rounds`, ..., then as in `seat1.role`, `seat1.place`."""
    return [column.name if seat is None else f"seat{seat + 1}.{column.name}" for seat, column in game.columns()]


def to_parquet(setup: Setup, kept: Sequence[Kept]) -> bytes:
    """Games as the bytes of a Parquet file, with zstd."""
    many = [len(one.outcomes) for one in kept]
    labels = [
        (one.cell.id, one.cell.name, *setup.told(one.cell.point, one.cell.variant), one.cell.variant) for one in kept
    ]
    columns = {name: _repeated(texts, many) for name, texts in zip(LABELS, zip(*labels, strict=True), strict=False)}
    columns["game"] = _numbered((one.first, one.first + len(one.outcomes)) for one in kept)
    numbers = np.concatenate([one.outcomes.view(np.int64).reshape(len(one.outcomes), -1) for one in kept])
    worded = _worded(setup.game, setup.tables)
    for place, name in enumerate(names(setup.game)):
        column = np.ascontiguousarray(numbers[:, place])
        columns[name] = _words(column, worded[name]) if name in worded else column
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file, compression="zstd")
    return file.getvalue()


def from_parquet(setup: Setup, data: bytes, spans: Sequence[Span]) -> list[Any]:
    """The outcomes of each of some spans, which a file must hold in order and nothing else. Raises ValueError
    where it doesn't.
    """
    many = [span.stop - span.first for span in spans]
    if not 0 < sum(many) <= MOST_ROWS:
        raise ValueError(f"is noted to hold {sum(many):,} games, where a file has {MOST_ROWS:,} at most")
    try:
        limits = {"thrift_string_size_limit": MOST_TEXT, "thrift_container_size_limit": MOST_PARTS}
        with pq.ParquetFile(io.BytesIO(data), **limits) as file:
            if odd := _odd(setup, file, sum(many)):
                raise ValueError(odd)
            table = file.read().combine_chunks()
    except (pa.ArrowException, OSError) as error:
        raise ValueError(" ".join(str(error).split())[:200]) from None
    if any(table[name].null_count for name in table.column_names if pa.types.is_int64(table[name].type)):
        raise ValueError("a number is missing in it")
    cells, games = np.repeat([span.cell for span in spans], many), _numbered((span.first, span.stop) for span in spans)
    if not (np.array_equal(table["cell"].to_pylist(), cells) and np.array_equal(table["game"].to_numpy(), games)):
        raise ValueError("its games are not those that it is noted to have")
    outcomes = blank(setup.game.outcome, len(table))
    numbers, worded = outcomes.view(np.int64).reshape(len(table), -1), _worded(setup.game, setup.tables)
    for place, name in enumerate(names(setup.game)):
        numbers[:, place] = _codes(table[name], worded[name]) if name in worded else table[name].to_numpy()
    return np.split(outcomes, np.cumsum(many)[:-1])


def _odd(setup: Setup, file: Any, rows: int) -> str:
    """What is other in a Parquet file, before its columns are read, than in one of ours with so many rows; "" if
    nothing.
    """
    texts, worded = pa.dictionary(pa.int32(), pa.string()), _worded(setup.game, setup.tables)
    types = {name: pa.int64() if name == "game" else texts for name in LABELS}
    types |= {name: texts if name in worded else pa.int64() for name in names(setup.game)}
    if not file.schema_arrow.equals(pa.schema(list(types.items()))):
        return "its columns are not those of a game"
    if file.metadata.num_rows != rows:
        return "its games are not those that it is noted to have"
    sizes = [file.metadata.row_group(at).total_byte_size for at in range(file.metadata.num_row_groups)]
    most = MOST_TEXT + 16 * rows * len(types)
    return f"unpacks to more than {most:,} bytes" if min(sizes, default=0) < 0 or sum(sizes) > most else ""


def rows_wrong(run: Run) -> Iterator[str]:
    """Whatever is wrong with the files of a run that keeps its games, in words: each is read whole, and its games are
    counted again, which must give the very tallies in the ledger.
    """
    cells = {cell.id: cell for cell in run.plan.cells}
    for shard in run.ledger.shards():
        try:
            parts = from_parquet(run.plan.setup, read(run.folder, shard), shard.spans)
        except ValueError as error:
            yield f"{FOLDER}/{shard.name} {error}"
            continue
        for span, outcomes in zip(shard.spans, parts, strict=True):
            if not _counted(run, cells[span.cell], span, outcomes):
                yield f"{FOLDER}/{shard.name}: games {span.first} to {span.stop} of {span.cell} don't give their tally"


def _counted(run: Run, cell: Cell, span: Span, outcomes: Any) -> bool:
    """Whether the outcomes of a span give the tally that the ledger has."""
    (chunk,) = run.ledger.chunks(span.cell, span.first, span.first + 1)
    tally = Tally.empty(run.game, run.plan.seatings)
    tally.note(run.game, run.plan.seats(cell), span.first, outcomes)
    kept, _ = unpack(run.game, run.plan.seatings, chunk, run.plan.paired(cell))
    return chunk.stop == span.stop and tally.to_bytes() == kept.to_bytes()


def _worded(game: Game, tables: Tables) -> dict[str, list[str]]:
    """The columns that hold words, and the words in the order of their codes; an empty seat has no role."""
    found = {"ending": [ending.name for ending in game.endings]}
    for seat in range(game.players):
        found[f"seat{seat + 1}.role"] = [role.slug for role in tables.roles[game.side_of(seat).key]]
    return found


def _words(codes: Ints, words: Sequence[str]) -> Any:
    """A column of words by their codes; a code of -1 is none."""
    return pa.DictionaryArray.from_arrays(
        pa.array(codes.astype(np.int32), mask=codes < 0), pa.array(words, pa.string())
    )


def _codes(column: Any, words: Sequence[str]) -> Ints:
    """The codes of a column of words."""
    found = pc.fill_null(pc.index_in(column.cast(pa.string()), pa.array(words, pa.string())), -1)
    return np.asarray(found, np.int64)


def _repeated(texts: Sequence[str], many: Sequence[int]) -> Any:
    """A column that has each text so many times."""
    words = list(dict.fromkeys(texts))
    return _words(np.repeat([words.index(text) for text in texts], many), words)


def _numbered(parts: Iterable[tuple[int, int]]) -> Ints:
    """The numbers of the games of some ranges."""
    return np.concatenate([np.arange(first, stop) for first, stop in parts])
