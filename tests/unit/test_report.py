"""The report: one file that holds what a run says, for any game, whatever its names are."""

from __future__ import annotations

import base64
import hashlib
import io
import math
import re
import shlex
import warnings
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from experiments import pages, plots, provenance, report, seen, stats
from experiments.config import load_setup
from experiments.ledger import Run, make_folder, open_run, start_run
from experiments.plan import make_plan
from experiments.runner import execute
from simcore.game import Role
from tests.conftest import TOY
from tests.toys import odd_layer

Write = Callable[..., Path]
VOID = {"meta", "img", "br", "hr", "link", "input", "source"}
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
        return [decoded(attributes["src"]) for tag, attributes in self.tags if tag == "img"]

    def twins(self) -> list[str]:
        """The SVG texts of their twins for phones."""
        return [decoded(attributes["srcset"]) for tag, attributes in self.tags if tag == "source"]


def decoded(address: str) -> str:
    """The text in a data address."""
    return base64.b64decode(address.split(",", 1)[1]).decode()


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
        assert tag not in ("link", "iframe", "object")
        assert not {name for name in attributes if name.startswith("on") or name == "style"}, "nothing inline"
        for name in ("src", "srcset", "href"):
            assert attributes.get(name, "data:").startswith("data:"), "nothing from elsewhere"
    assert not re.search(r"url\(|@import|https?://", re.sub(r"base64,[^\"]*", "", text))


def test_its_policy_allows_its_own_style_and_script_and_nothing_else(fight: Run) -> None:
    text = page_of(fight.folder)
    (policy,) = (a["content"] for tag, a in Page(text).tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; img-src data:;") and "unsafe" not in policy
    for tag in ("style", "script"):
        (content,) = re.findall(f"<{tag}>(.*?)</{tag}>", text, flags=re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_the_same_run_has_the_same_report(fight: Run) -> None:
    first = report.write(fight, fight.folder).read_bytes()
    again = open_run(fight.folder)
    assert report.write(again, fight.folder).read_bytes() == first
    again.close()


def test_each_role_has_its_answer_in_one_line(fight: Run) -> None:
    page, summary = read(fight), stats.summary(fight)
    for row in stats.verdicts(fight, seen.titled(summary, fight.tables.roles)).itertuples():
        interval = f"share {100 * row.value:.1f}% ({100 * row.low:.1f} to {100 * row.high:.1f})"
        assert re.search(rf"{re.escape(row.role)} {row.word} {re.escape(interval)}[^%]* numbers assumed", page.text)
    for side in ("runners", "hounds"):
        titles = {role.slug: role.title for role in fight.tables.roles[side]}
        rows = summary[(summary.cell == "field") & (summary.side == side) & (summary.measure == "share")]
        assert f"{titles[rows.loc[rows.value.idxmax()].role]} is the strongest over" in page.text
        assert f"{titles[rows.loc[rows.value.idxmin()].role]} is the weakest" in page.text
    assert page.text.count("Bots: regular as runner, regular as hound. Pack: Toys.") == 2, "once a side"
    assert "The results speak of the pack, not of the published box." in page.text


def test_undecided_roles_are_told_how_many_games_are_missing() -> None:
    def told(word: str, more: float) -> str:
        return report._more(pd.Series({"word": word, "more": more}))

    assert told("balanced", 0.0) == ""
    assert told("undecided", 12_345.6).endswith("about 13,000 more games")
    assert told("undecided", 1.0).endswith("about 1 more games")
    assert "may never tell" in told("undecided", math.nan)
    assert "may never tell" in told("undecided", 1e15)


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
    page = read(fight)
    pictures, twins = page.pictures(), page.twins()
    assert (len(pictures), len(twins)) == (5, 4), "two forests, a heat map, two of endings; all but the map for phones"
    assert all(picture.startswith("<svg") for picture in pictures + twins)
    assert sum("Pup" in picture and "Swift" in picture for picture in pictures) == 1
    assert any("rout" in picture for picture in pictures)


def test_pictures_say_what_was_found(fight: Run) -> None:
    page, summary = read(fight), seen.titled(stats.summary(fight), fight.tables.roles)
    for side in ("runners", "hounds"):
        rows = plots.field(summary, side, "share")
        ends = [f"{100 * row.value:.1f}% ({row.role})" for row in (rows.iloc[0], rows.iloc[-1])]
        assert f"Shares of the {side}: from {ends[0]} to {ends[1]}" in page.text
    pairs = plots.matrix(summary, "runners", "hounds", "share").stack()
    assert f"to {' against '.join(pairs.idxmax())} ({100 * pairs.max():.1f}%)" in page.text


def test_seats_are_shown_where_rivals_share_a_side(fight: Run, duel: Run) -> None:
    assert "Each side has one seat" in read(fight).text
    page = read(duel)
    assert page.text.count("With two seats the neighbour is the other seat") == 1
    assert any("seat 1" in picture and "seat 2" in picture for picture in page.pictures())


def test_neighbours_are_shown_from_three_seats_on(config: Write, tmp_path: Path) -> None:
    page = read(played(config(game="toy.ring", games=6000), tmp_path / "all"))
    assert "The best seat is right after Swift (+" in page.text, "that is the rule of this toy"
    assert any("share right after it" in picture for picture in page.pictures())
    path = config(game="toy.ring", games=600, more="[run]\nrotate = 'cyclic'\n")
    told = read(played(path, tmp_path / "cyclic")).text
    assert "only where all orders of a lineup are played" in told and "right after" not in told


def test_length_and_endings_are_told_in_words(fight: Run) -> None:
    text, rows = read(fight).text, stats.summary(fight)
    whole = rows[(rows.cell == "field") & (rows.side == "")].set_index("measure").value
    assert f"A game lasts {whole['rounds']:.2f}" in text
    top = max(fight.game.endings, key=lambda ending: whole[f"ending:{ending.name}"])
    assert f"{100 * whole[f'ending:{top.name}']:.1f}% of the games end by \u201c{top.name}\u201d: {top.about}" in text
    wins = [plots.field(rows, side, "win_rate") for side in ("runners", "hounds")]
    won = [float((part.value * part.games).sum() / fight.games) for part in wins]
    assert f"the runners won {100 * won[0]:.1f}%, the hounds won {100 * won[1]:.1f}% and" in text
    assert f"{100 * (1 - sum(won)):.1f}% had no one winner" in text
    assert 1 - sum(won) == pytest.approx(whole["draw_rate"] + whole["ending:shared"])


def test_duels_have_a_matrix_of_rivals(duel: Run) -> None:
    page = read(duel)
    assert "one runner against one rival" in page.text
    assert "is the strongest over all others" in page.text
    assert "(-%)" not in page.text, "nobody meets himself"
    assert "Swift against Steady" in page.text and "Steady against Swift" in page.text


def test_tables_carry_the_numbers_they_are_sorted_by(fight: Run) -> None:
    summary = stats.summary(fight)
    numbers = [float(a["data-v"]) for tag, a in read(fight).tags if tag == "td" and a.get("data-v")]
    for measure in ("share", "win_rate"):
        cells = summary[(summary.side == "runners") & (summary.measure == measure)].value
        assert all(min(abs(value - number) for number in numbers) < 1e-6 for value in cells)
    heads = [attributes for tag, attributes in read(fight).tags if tag == "th" and attributes.get("scope") == "col"]
    assert {head["data-sort"] for head in heads} == {"number", "text"}


def test_more_cells_than_fit_are_left_out_and_counted(duel: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "LINES_SHOWN", 4)
    page = Page(report.page(duel, stats.summary(duel)))
    assert "The first 2 of 3 cells are here; the others are left out." in page.text
    assert [cell.id in page.text for cell in duel.plan.cells] == [True, True, False]


def test_a_full_table_of_cells_leaves_the_page_small(fight: Run) -> None:
    rows = report._cells(seen.Seen(fight, seen.titled(stats.summary(fight), fight.tables.roles)))["table"].rows
    text = page_of(fight.folder)
    line = max(len(line.encode()) for line in text.splitlines() if f">{rows[0].cells[-1].value}<" in line)
    assert line * report.LINES_SHOWN < 1_000_000


def test_every_measure_is_explained(fight: Run) -> None:
    text, rows = read(fight).text, stats.summary(fight)
    shown = rows[rows.value > 0].measure.unique()
    for measure, about in stats.measures(fight.game).items():
        if not measure.startswith(("ending:", "won:", "place:")):
            assert about[1:] in text or measure not in shown, measure
    for ending in ("won", "draw", "rout"):
        assert next(e.about for e in fight.game.endings if e.name == ending)[1:] in text


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
    assert " ".join(provenance.config_text(fight).split()) in text


def test_the_printed_config_makes_the_same_run(fight: Run, tmp_path: Path) -> None:
    blocks = re.findall(r"<pre data-copy><code>.*?</code></pre>", page_of(fight.folder), flags=re.DOTALL)
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
    assert [tag for tag, _ in page.tags].count("script") == 1, "the page's own"
    assert '<b>&"Co"</b>' in page.text, "a role of the pack is called so"


@pytest.fixture
def odd(config: Write, tmp_path: Path) -> Path:
    """A config of duels among runners with names that are easily lost or broken."""
    (tmp_path / "odd.toml").write_text(odd_layer(), encoding="utf-8")
    path = config(game="toy.duel", games=60)
    layered = path.read_text("utf-8").replace("[games]", 'pack = ["reference", "odd.toml"]\n[games]')
    path.write_text(layered, encoding="utf-8")
    return path


def test_odd_names_come_through_report_and_csv(odd: Path, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = played(odd, tmp_path / "results")
        page = read(run)
    roles = run.tables.roles["runners"]
    assert {"NA", "None"} <= {role.slug for role in roles}
    for role in roles:
        assert page.text.count(role.title) > len(roles), "its answer, its tables, its cells"
    assert [tag for tag, _ in page.tags].count("script") == 1
    read_back = pd.read_csv(io.StringIO(stats.to_csv(stats.summary(run))), keep_default_na=False)
    assert {role.slug for role in roles} <= set(read_back.role)
    assert set(read_back[read_back.cell != "field"].lineup) == {cell.name for cell in run.plan.cells}


def test_titles_that_two_roles_share_keep_their_slugs() -> None:
    roles = (Role("a", "Rat"), Role("b", "Rat"), Role("c", "Cat"))
    assert stats.titles(roles) == {"a": "Rat (a)", "b": "Rat (b)", "c": "Cat"}
    table = pd.DataFrame({"side": ["x", "x", ""], "role": ["a", "c", ""]})
    assert seen.titled(table, {"x": roles}).role.tolist() == ["Rat (a)", "Cat", ""]


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
    assert "outgrew a table" not in read(fight).text.split("The answer")[0]
    summary.loc[summary.measure == "overflow_rate", "value"] = 0.001
    summary.loc[summary.measure == "capped_rate", "value"] = 0.2
    head = Page(report.page(fight, summary)).text.split("The answer")[0]
    assert "outgrew a table" in head and "20.0% of the games were stopped" in head


def test_large_pictures_become_png(fight: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "SVG_LIMIT", 1000)
    text = report.page(fight, stats.summary(fight))
    assert "data:image/png;base64," in text and "data:image/svg+xml" not in text


def test_means_are_short_and_never_minus_zero() -> None:
    assert (pages.mean_of(float("nan")).value, pages.mean_of(float("nan")).data) == ("-", "")
    assert pages.mean_of(0.0, -0.0001, 0.0001) == pages.Value("0.000", "0.000 to 0.000", 0.0)
    assert pages.mean_of(1.5, 1.4, 1.6) == pages.Value("1.50", "1.40 to 1.60", 1.5)
    assert pages.mean_of(1234.5, 1234.0, 1235.0).value == "1234"


def command_of(name: str, folder: Path, sets: tuple[str, ...] = (), games: int | None = None) -> str:
    """The one command in the report of a run that has just begun."""
    plan = make_plan(load_setup(name, sets, games))
    run = start_run(plan, Path(name).stem, make_folder(plan, Path(name).stem, folder))
    command = provenance.again(run)["command"]
    run.close()
    return command


def test_a_shipped_config_is_played_again_by_its_name_and_what_was_changed(tmp_path: Path) -> None:
    sets = ("bots.knight=strong", "enemy.hell_raiders.health=3", 'lineup.knights=["mel_gearson"]')
    command = command_of("knight_fights", tmp_path, sets, 1234)
    words = shlex.split(command)
    assert words[:3] == ["wastelab", "run", "knight_fights"]
    assert words[3:5] == ["--games", "1234"]
    assert words[5::2] == ["--set"] * len(sets) and set(words[6::2]) >= {sets[1], sets[2], 'bots.knight="strong"'}
    again = make_plan(load_setup("knight_fights", words[6::2], 1234))
    assert again.id == make_plan(load_setup("knight_fights", sets, 1234)).id
    assert command_of("knight_fights", tmp_path / "plain") == "wastelab run knight_fights"


def test_an_own_config_is_played_again_from_the_page(config: Write, tmp_path: Path, fight: Run) -> None:
    path = config(games=50)
    path = path.rename(path.with_name("knight_fights.toml"))
    assert command_of(str(path), tmp_path) == "wastelab run knight_fights.toml", "named so, but another one"
    saved = next(attributes for tag, attributes in read(fight).tags if "download" in attributes)
    assert (saved["download"], decoded(saved["href"])) == ("toy.toml", provenance.config_text(fight))
