"""The report: one file that holds what a run says, for any game, whatever its names are."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from experiments import report, stats
from experiments.config import load_setup
from experiments.ledger import Run, make_folder, open_run, start_run
from experiments.plan import make_plan
from experiments.runner import execute
from simcore.game import Role
from tests.conftest import TOY

Write = Callable[..., Path]
VOID = {"meta", "img", "br", "hr", "link", "input"}
STRANGE = "<script>alert(1)</script> \"A\" & 'B' {{ 7 * 7 }} \U0001f600"


class Page(HTMLParser):
    """Reads a page strictly: every tag closed in order, ids unique; keeps texts, tags and attributes."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == [], f"never closed: {self.open}"
        ids = [attributes["id"] for _, attributes in self.tags if "id" in attributes]
        assert len(ids) == len(set(ids))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"an attribute twice in {tag}"
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, f"{tag} closes what isn't open"

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "script"):
            self.texts.append(data)

    @property
    def text(self) -> str:
        """What a reader reads, spaces made one."""
        return " ".join(" ".join(self.texts).split())

    def pictures(self) -> list[str]:
        """The embedded pictures' SVG texts."""
        sources = [attributes["src"] for tag, attributes in self.tags if tag == "img"]
        return [base64.b64decode(source.split(",", 1)[1]).decode() for source in sources]


def played(config: Path, out: Path) -> Run:
    """A config's finished run."""
    plan = make_plan(load_setup(config))
    run = start_run(plan, config.stem, make_folder(plan, config.stem, out))
    assert execute(run, 1)
    return run


@pytest.fixture(scope="module")
def fight(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A small finished run of toy fights."""
    return shared("toy.fight", tmp_path_factory)


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A small finished run of toy duels."""
    return shared("toy.duel", tmp_path_factory)


def shared(game: str, factory: pytest.TempPathFactory) -> Run:
    """A run of 400 games a cell that several tests look at."""
    folder = factory.mktemp("shared")
    path = folder / "toy.toml"
    path.write_text(TOY.format(game=game, games=400, chunk=64, seed=1), encoding="utf-8")
    return played(path, folder / "results")


@cache
def page_of(folder: Path) -> str:
    """The report of a finished run, made once."""
    run = open_run(folder)
    text = report.page(run, stats.summary(run))
    run.close()
    return text


def read(run: Run) -> Page:
    """The report of a run, read."""
    return Page(page_of(run.folder))


def test_write_makes_one_small_file_that_asks_for_nothing(fight: Run) -> None:
    path = report.write(fight, fight.folder)
    assert path == fight.folder / "report.html"
    assert sorted(file.name for file in fight.folder.glob("report*")) == ["report.html"]
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert len(text.encode()) < 2_000_000
    for tag, attributes in Page(text).tags:
        assert tag not in ("script", "link", "iframe", "object")
        assert attributes.get("src", "data:image/").startswith("data:image/"), "no picture from elsewhere"
    assert not re.search(r"url\(|@import|https?://", re.sub(r"base64,[^\"]*", "", text))


def test_the_same_run_has_the_same_report(fight: Run) -> None:
    first = report.write(fight, fight.folder).read_bytes()
    again = open_run(fight.folder)
    assert report.write(again, fight.folder).read_bytes() == first
    again.close()


def test_the_short_answer_names_the_ends_of_each_side(fight: Run) -> None:
    text, summary = read(fight).text, stats.summary(fight)
    for side in ("runners", "hounds"):
        titles = {role.slug: role.title for role in fight.tables.roles[side]}
        rows = summary[(summary.cell == "field") & (summary.side == side) & (summary.measure == "share")]
        best, worst = rows.loc[rows.value.idxmax()], rows.loc[rows.value.idxmin()]
        interval = f"{100 * best.value:.1f}% ({100 * best.low:.1f} to {100 * best.high:.1f})"
        assert f"{titles[best.role]} is the strongest over" in text
        assert f"a share of {interval}" in text
        assert f"{titles[worst.role]} is the weakest" in text
    assert "regular as runner, regular as hound" in text
    assert "The results speak of the pack, not of the published box." in text


def test_roles_that_overlap_with_an_end_are_named(fight: Run) -> None:
    summary = stats.summary(fight)
    shares = (summary.cell == "field") & (summary.measure == "share")
    summary.loc[shares, ["value", "low", "high"]] = [0.5, 0.4, 0.6]
    assert "can't be told from" in Page(report.page(fight, summary)).text
    summary.loc[shares, "value"] = np.linspace(0.1, 0.9, shares.sum())
    summary.loc[shares, "low"] = summary.loc[shares, "high"] = summary.loc[shares, "value"]
    assert "can't be told from" not in Page(report.page(fight, summary)).text


def test_assumed_numbers_are_counted_for_the_pack_and_each_role(fight: Run) -> None:
    page, pack = read(fight), fight.pack
    assumed, every = pack.assumed_share()
    assert f"{assumed} of {every} numbers" in page.text
    for kind in ("runner", "hound"):
        for slug in pack.cards[kind]:
            part, whole = pack.assumed_share(kind, slug)
            assert f"{part} of {whole}" in page.text


def test_pictures_show_strength_pairings_and_endings(fight: Run) -> None:
    pictures = read(fight).pictures()
    assert len(pictures) in (5, 6), "two forests, one or two heat maps, two of endings"
    assert all(picture.startswith("<svg") for picture in pictures)
    assert sum("Pup" in picture and "Swift" in picture for picture in pictures) >= 1
    assert any("rout" in picture for picture in pictures)


def test_seats_are_shown_where_rivals_share_a_side(fight: Run, duel: Run) -> None:
    assert "Does the seat matter?" not in read(fight).text
    page = read(duel)
    assert "Does the seat matter?" in page.text
    assert any("seat 1" in picture and "seat 2" in picture for picture in page.pictures())


def test_duels_have_a_matrix_of_rivals(duel: Run) -> None:
    page = read(duel)
    assert "one runner against one rival" in page.text
    assert "is the strongest over all others" in page.text
    assert "Swift against Steady" in page.text and "Steady against Swift" in page.text


def test_every_measure_is_explained(fight: Run) -> None:
    text = read(fight).text
    for measure, about in stats.measures(fight.game).items():
        if not measure.startswith("ending:"):
            assert about[1:] in text, measure
    for ending in ("won", "draw", "rout"):
        assert next(e.about for e in fight.game.endings if e.name == ending) in text


def test_every_cell_has_a_line(fight: Run) -> None:
    page = read(fight)
    for cell in fight.plan.cells:
        assert cell.id in page.text
    assert "None against Pup" in page.text


def test_it_says_how_it_was_made(fight: Run) -> None:
    text = read(fight).text
    assert "wastelab run toy.toml" in text
    assert fight.pack.digest[:12] in text
    assert f"{fight.games:,} in {len(fight.plan.cells)} cells" in text
    for name, version in fight.manifest["versions"].items():
        assert f"{name} {version}" in text
    assert " ".join(report.config_text(fight).split()) in text


def test_the_printed_config_makes_the_same_run(fight: Run, tmp_path: Path) -> None:
    blocks = re.findall(r"<pre><code>.*?</code></pre>", page_of(fight.folder), flags=re.DOTALL)
    again = tmp_path / "again" / "toy.toml"
    again.parent.mkdir()
    again.write_text("".join(Page(blocks[-1]).texts), encoding="utf-8")
    assert make_plan(load_setup(again)).id == fight.plan.id


def test_strange_titles_stay_text(config: Write, tmp_path: Path) -> None:
    path = config(games=50)
    quoted = STRANGE.replace('"', '\\"')
    path.write_text(path.read_text("utf-8").replace("Who throws best?", quoted), encoding="utf-8")
    page = read(played(path, tmp_path / "results"))
    assert page.text.count(STRANGE) >= 2, "in the heading and in the config"
    assert not any(tag in ("script", "b") for tag, _ in page.tags)
    assert '<b>&"Co"</b>' in page.text, "a role of the pack is called so"


def test_titles_that_two_roles_share_keep_their_slugs() -> None:
    roles = (Role("a", "Rat"), Role("b", "Rat"), Role("c", "Cat"))
    assert report.titles(roles) == {"a": "Rat (a)", "b": "Rat (b)", "c": "Cat"}
    table = pd.DataFrame({"side": ["x", "x", ""], "role": ["a", "c", ""]})
    assert report.titled(table, {"x": roles}).role.tolist() == ["Rat (a)", "Cat", ""]


def test_a_run_without_games_says_so(config: Write, tmp_path: Path) -> None:
    path = config(games=300)
    plan = make_plan(load_setup(path))
    run = start_run(plan, path.stem, make_folder(plan, path.stem, tmp_path / "results"))
    page = read(run)
    assert "This run is not finished: 0 of" in page.text
    assert "No games of the runners have been played." in page.text
    assert "nan" not in page.text.lower()


@pytest.mark.parametrize("game", ["toy.fight", "toy.duel"])
def test_one_game_a_cell_is_enough(game: str, config: Write, tmp_path: Path) -> None:
    page = read(played(config(game=game, games=1), tmp_path / "results"))
    assert "nan" not in page.text.lower()


def test_faults_of_the_program_are_shouted(fight: Run) -> None:
    summary = stats.summary(fight)
    assert "outgrew a table" not in read(fight).text.split("The short answer")[0]
    summary.loc[summary.measure == "overflow_rate", "value"] = 0.001
    summary.loc[summary.measure == "capped_rate", "value"] = 0.2
    head = Page(report.page(fight, summary)).text.split("The short answer")[0]
    assert "outgrew a table" in head and "20.0% of the games were stopped" in head


def test_large_pictures_become_png(fight: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "SVG_LIMIT", 1000)
    text = report.page(fight, stats.summary(fight))
    assert "data:image/png;base64," in text and "data:image/svg+xml" not in text


def test_means_are_short_and_never_minus_zero() -> None:
    assert report._mean(float("nan")) == report.Value("-")
    assert report._mean(0.0, -0.001, 0.001) == report.Value("0.00", "0.00 to 0.00")
    assert report._mean(1234.5, 1234.0, 1235.0).value == "1234"


def test_it_is_quick(fight: Run) -> None:
    summary, began = stats.summary(fight), time.process_time()
    report.page(fight, summary)
    assert time.process_time() - began < 5
