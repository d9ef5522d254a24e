"""The tables and pictures that a report is made of."""

from __future__ import annotations

import re
import warnings
from itertools import combinations, product

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from experiments import plots

STRENGTH = {"NA": 0.9, "None": 0.5, 'a < $b$ & "c"': 0.2}
DANGER = {"Pup": 0.1, "Grim": 0.6}


def rows_of(cell: str, side: str, role: str, measure: str, value: float) -> dict[str, object]:
    """A row of a summary, with an interval of 0.02."""
    bounds = {"low": value - 0.01, "high": value + 0.01, "interval": "wilson", "games": 100}
    return {"cell": cell, "side": side, "role": role, "measure": measure, "value": value, **bounds}


@pytest.fixture
def fights() -> pd.DataFrame:
    """Three runners against two hounds: a runner's rate is its strength less half of the hound's danger."""
    rows = []
    for number, (runner, hound) in enumerate(product(STRENGTH, DANGER)):
        rate = STRENGTH[runner] - DANGER[hound] / 4
        rows.append(rows_of(f"c{number}", "runners", runner, "win_rate", rate))
        rows.append(rows_of(f"c{number}", "hounds", hound, "win_rate", 1 - rate))
        rows.append(rows_of(f"c{number}", "", "", "ending:won", 0.75))
        rows.append(rows_of(f"c{number}", "", "", "ending:draw", 0.25 if hound == "Pup" else 0.0))
        rows.append(rows_of(f"c{number}", "", "", "ending:rout", 0.25 if hound == "Grim" else 0.0))
        rows.append(rows_of(f"c{number}", "", "", "ending:capped", 0.0))
    for runner, strength in STRENGTH.items():
        rows.append(rows_of("field", "runners", runner, "win_rate", strength - 0.0875))
        own = {"ending:won": 0.75, "won:won": 0.5, "ending:shared": 0.0, "won:shared": 0.0, "ending:draw": 0.25}
        rows += [rows_of("field", "runners", runner, measure, value) for measure, value in own.items()]
    for hound, won in {"Pup": 0.0, "Grim": 0.75}.items():
        own = {"ending:draw": 0.25, "ending:won": 0.75, "won:won": won, "place:1": won, "place:3": 1 - won}
        own |= {"place:2": 0.0, "ending:capped": 0.0}
        rows += [rows_of("field", "hounds", hound, measure, value) for measure, value in own.items()]
    return pd.DataFrame(rows).sample(frac=1, random_state=1)


def test_field_is_sorted_and_of_one_measure(fights: pd.DataFrame) -> None:
    found = plots.field(fights, "runners", "win_rate")
    assert list(found.role) == ["NA", "None", 'a < $b$ & "c"']
    assert found.value.tolist() == pytest.approx([0.8125, 0.4125, 0.1125])
    assert plots.field(fights, "runners", "rounds").empty
    assert plots.field(fights, "hounds", "win_rate").empty


def test_matrix_of_two_sides_has_each_pairing_in_order_of_strength(fights: pd.DataFrame) -> None:
    table = plots.matrix(fights, "runners", "hounds", "win_rate")
    assert list(table.index) == ["NA", "None", 'a < $b$ & "c"']
    assert list(table.columns) == ["Pup", "Grim"], "the easiest opponent first"
    for runner, hound in product(STRENGTH, DANGER):
        assert table.loc[runner, hound] == pytest.approx(STRENGTH[runner] - DANGER[hound] / 4)


def test_matrix_of_rivals_has_the_rate_of_the_row_against_the_column() -> None:
    rows = []
    for number, (one, other) in enumerate(combinations(STRENGTH, 2)):
        rate = 0.5 + STRENGTH[one] - STRENGTH[other]
        rows += [
            rows_of(f"c{number}", "runners", one, "share", rate),
            rows_of(f"c{number}", "runners", other, "share", 1 - rate),
        ]
    table = plots.matrix(pd.DataFrame(rows), "runners", "runners", "share")
    assert list(table.index) == list(table.columns) == list(STRENGTH)
    assert table.loc["NA", "None"] == pytest.approx(0.9)
    assert table.loc["None", "NA"] == pytest.approx(0.1)
    assert np.isnan(np.diag(table.to_numpy())).all()


def test_endings_say_who_wins_and_sum_to_one(fights: pd.DataFrame) -> None:
    runners, hounds = plots.endings(fights, "runners"), plots.endings(fights, "hounds")
    parts = [("won", "won"), ("draw", "nobody"), ("won", "lost")]
    assert runners.columns.to_list() == hounds.columns.to_list() == parts, "what never happens has no column"
    assert runners.sum(axis=1).tolist() == pytest.approx([1.0] * 3)
    assert runners.loc["NA"].to_list() == pytest.approx([0.5, 0.25, 0.25])
    assert hounds.loc["Pup"].to_list() == pytest.approx([0, 0.25, 0.75])
    assert hounds.loc["Grim"].to_list() == pytest.approx([0.75, 0.25, 0])


def test_places_are_those_that_somebody_takes_in_order(fights: pd.DataFrame) -> None:
    table = plots.places(fights, "hounds")
    assert table.columns.to_list() == [1, 3]
    assert table.loc["Grim"].to_list() == pytest.approx([0.75, 0.25])
    assert plots.places(fights, "runners").empty


def texts(figure: Figure) -> list[str]:
    """The texts of a picture's SVG."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", plots.to_svg(figure))


def test_heat_map_prints_every_number_and_the_means() -> None:
    table = pd.DataFrame([[0.10, 0.20], [0.31, np.nan], [0.55, 0.77]], list("abc"), ["x", "y"])
    shown = texts(plots.heat_map(table, 0.5, "row", "column"))
    assert {"10", "20", "31", "55", "77", "-"} <= set(shown)
    assert {"15", "66", "32", "48", "39"} <= set(shown), "means of rows, of columns and of all"
    assert {"a", "b", "c", "x", "y", "mean"} <= set(shown)


def test_heat_map_is_white_at_the_centre_and_dark_at_the_ends() -> None:
    table = pd.DataFrame([[0.0, 0.3, 1.0]], ["a"], ["x", "y", "z"])
    norm = plots._around(0.3, table)
    low, middle, high = (np.array(plots.SCALE(float(norm(value)))[:3]) for value in (0.0, 0.3, 1.0))
    assert middle.min() > 0.93
    assert low.max() < 0.6 and high.max() < 0.6
    assert low[0] > low[2] and high[2] > high[0], "brown below, teal above"


@pytest.mark.parametrize("shape", [(13, 28), (28, 13), (13, 13), (1, 1), (2, 60)])
def test_heat_maps_grow_with_their_roles_and_stay_upright(shape: tuple[int, int]) -> None:
    table = pd.DataFrame(np.linspace(0, 1, shape[0] * shape[1]).reshape(shape))
    width, height = plots.heat_map(table).get_size_inches()
    most, least = max(shape), min(shape)
    assert height >= 0.26 * most and width >= 0.36 * least
    assert width < 0.36 * least + 3, "the longer side runs down the page"


def test_numbers_are_readable_on_every_colour_of_the_scale() -> None:
    def light(colour: object) -> float:
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in mpl.colors.to_rgb(colour)]
        return float(np.dot([0.2126, 0.7152, 0.0722], parts))

    for colour in [*(plots.SCALE(x) for x in np.linspace(0, 1, 101)), *plots.KINDS]:
        one, other = sorted((light(colour), light(plots._ink_on(colour))))
        assert (other + 0.05) / (one + 0.05) >= 3.9, colour


def test_forest_shows_values_intervals_and_a_second_measure() -> None:
    rows = pd.DataFrame({"role": ["a", "b"], "value": [0.6, 0.4], "low": [0.55, np.nan], "high": [0.65, np.nan]})
    shown = texts(plots.forest(rows, 0.5, "per cent of all", second=rows.iloc[::-1]))
    assert {"a", "b", "60.0", "55.0 to 65.0", "40.0", "share", "win rate", "per cent of all"} <= set(shown)
    alone = texts(plots.forest(rows))
    assert "win rate" not in alone


def test_endings_bars_name_each_ending_and_number_the_large_parts() -> None:
    keys = [("won", "won"), ("both_down", "nobody"), ("won", "lost")]
    table = pd.DataFrame(dict(zip(keys, ([0.6, 0.04], [0.3, 0.96], [0.1, 0.0]), strict=True)), ["a", "b"])
    figure = plots.endings_bars(table)
    shown = texts(figure)
    assert {"won", "both down", "pale: others win", "60", "30", "96", "10"} <= set(shown)
    assert "4" not in shown and shown.count("won") == 1
    bars = [bar for bar in figure.axes[0].patches if isinstance(bar, Rectangle)]
    first, middle, last = (mpl.colors.to_hex(bar.get_facecolor()) for bar in bars[::2])
    assert (first, middle, last) == (plots.KINDS[0], plots.KINDS[1], plots._pale(plots.KINDS[0]))
    assert "pale: others win" not in texts(plots.endings_bars(table[keys[:2]]))


def test_place_bars_name_each_place() -> None:
    shown = texts(plots.place_bars(pd.DataFrame({1: [0.5, 0.25], 3: [0.5, 0.75]}, ["a", "b"])))
    assert {"place 1", "place 3", "50", "25", "75", "a", "b"} <= set(shown)


@pytest.mark.parametrize("many", [2, 9, 40, 128])
@pytest.mark.parametrize("narrow", [False, True])
def test_histograms_of_lengths_fit_and_number_a_few_bars(many: int, narrow: bool) -> None:
    at = np.arange(many)
    rows = pd.DataFrame({"length": at, "value": 1 / many, "usual": at > 0, "label": at.astype(str)})
    figure = plots.lengths(rows, "turns", narrow)
    shown = texts(figure)
    assert {"turns", "0"} <= set(shown) and (f"{100 / many:.1f}%" in shown) == (many <= 9)
    assert len(shown) < 25, "ticks don't run into each other"
    assert figure.get_size_inches()[0] * 96 <= (328 if narrow else 600)
    colours = {mpl.colors.to_hex(bar.get_facecolor()) for bar in figure.axes[0].patches}
    assert colours == {plots.FIRST, plots._pale(plots.FIRST)}


def test_seat_effect_has_a_line_a_seat() -> None:
    rows = pd.DataFrame({"seat": ["seat 1", "seat 2"], "value": [0.52, 0.48], "low": [0.5, 0.46], "high": [0.54, 0.5]})
    assert {"seat 1", "seat 2", "52.0", "46.0 to 50.0"} <= set(texts(plots.seat_effect(rows, 0.5)))


def test_strange_names_are_drawn_as_they_are() -> None:
    names = ["$x^2$ and $", "<b>\"Q\" & 'R'</b>", "Ünï \U0001f600", "None", "x" * 60]
    table = pd.DataFrame(np.eye(5), names, names)
    svg = plots.to_svg(plots.heat_map(table))
    assert ">$x^2$ and $</text>" in svg
    assert "&lt;b&gt;" in svg and "<b>" not in svg
    assert "\U0001f600" in svg
    assert "x" * 60 not in svg and "x" * 18 + "\u2026" + "x" * 9 in svg


def test_the_same_picture_is_the_same_text_and_leaves_no_settings_behind() -> None:
    before = dict(mpl.rcParams)
    table = pd.DataFrame([[0.1, 0.9], [0.4, 0.6]], ["a", "b"], ["x", "y"])
    assert plots.to_svg(plots.heat_map(table)) == plots.to_svg(plots.heat_map(table))
    assert dict(mpl.rcParams) == before
    assert plots.to_png(plots.heat_map(table)).startswith(b"\x89PNG")


def test_a_reader_s_settings_change_no_picture() -> None:
    """FB2: pictures start from matplotlib's defaults, whatever a matplotlibrc, a style or a notebook has set."""
    rows = pd.DataFrame({"seat": ["a_b", "$x$"], "value": [0.5, 0.4], "low": [0.4, 0.3], "high": [0.6, 0.5]})
    table = pd.DataFrame([[0.1, 0.9], [0.4, 0.6]], ["a", "b"], ["x", "y"])
    plain = [plots.to_svg(plots.seat_effect(rows, 0.5)), plots.to_svg(plots.heat_map(table))]
    odd = {
        "text.usetex": True, "axes.grid": True, "font.size": 30, "lines.linewidth": 9, "axes.facecolor": "red",
        "xtick.major.size": 20, "savefig.bbox": "tight", "savefig.facecolor": "black", "axes.titlesize": 40,
        "font.family": "monospace", "svg.fonttype": "path", "axes.prop_cycle": mpl.cycler(color=["k"]),
        "figure.dpi": 300,
    }  # fmt: skip
    with mpl.rc_context(odd):
        assert [plots.to_svg(plots.seat_effect(rows, 0.5)), plots.to_svg(plots.heat_map(table))] == plain


def test_no_number_is_a_dash() -> None:
    assert plots.percent(float("nan")) == "-"
    assert plots.span(float("nan"), 1.0) == ""
    assert plots.percent(0.12345) == "12.3"
    assert plots.span(0.1, 0.2) == "10.0 to 20.0"


def test_forest_colours_what_lies_beyond_the_band_and_shades_it() -> None:
    rows = pd.DataFrame({"role": list("abc"), "value": [0.6, 0.5, 0.4], "low": [0.58, 0.48, 0.39]})
    rows["high"] = [0.62, 0.52, 0.41]
    figure = plots.forest(rows, 0.5, band=(0.47, 0.53))
    (dots,) = (part for part in figure.axes[0].collections if isinstance(part, PathCollection))
    colours = [mpl.colors.to_hex(colour) for colour in dots.get_facecolor()]
    assert colours == [plots.STRONG, plots.INK, plots.WEAK]
    assert any(patch.get_facecolor() == mpl.colors.to_rgba(plots.SHADE) for patch in figure.axes[0].patches)


@pytest.mark.parametrize("narrow", [False, True])
def test_nothing_stands_over_the_edge_of_a_picture(narrow: bool) -> None:
    names = ["W" * 64, "漢字" * 20, "short", "Ünï \U0001f600 $x"]
    rows = pd.DataFrame({"role": names, "value": 0.5, "low": 0.49, "high": 0.51})
    keys = [("a long name of an ending", "won"), ("draw", "nobody"), ("a long name of an ending", "lost")]
    ends = pd.DataFrame(dict(zip(keys, (0.5, 0.25, 0.25), strict=True)), names)
    for figure in (plots.forest(rows, 0.5, narrow=narrow), plots.endings_bars(ends, narrow)):
        with mpl.rc_context(plots.SETTINGS), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            box = figure.get_tightbbox()
        width, height = figure.get_size_inches()
        assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= width and box.y1 <= height


@pytest.mark.parametrize("count", [1, 2, 60])
def test_narrow_pictures_fit_a_phone_and_say_the_same(count: int) -> None:
    names = [f"role {number}" for number in range(count)]
    rows = pd.DataFrame({"role": names, "value": 0.5, "low": 0.49, "high": 0.51})
    ends = pd.DataFrame({("won", "won"): [0.7] * count, ("draw", "nobody"): [0.3] * count}, names)
    for figure in (plots.forest(rows, 0.5, narrow=True), plots.endings_bars(ends, True)):
        assert figure.get_size_inches()[0] * 96 <= 328, "360 pixels less the page's margins"
        assert set(names) <= set(texts(figure))
    assert "49.0 to 51.0" in texts(plots.forest(rows, 0.5, narrow=True))


def test_names_on_a_phone_leave_room_for_their_numbers() -> None:
    for names in (["W" * 64], ["i" * 64], ["漢字" * 40, "short"], ["David Mayhem", "Voice of the Manifold"]):
        labels = plots._narrow_labels(names)
        assert plots._width(labels, 8.5) <= plots.NARROW_INCHES or len(labels[0]) == 12
    assert labels == names, "what fits stays whole"


def test_odd_names_warn_nobody() -> None:
    table = pd.DataFrame(np.eye(2), ["\U0001f600", "漢字"], ["\U0001f680", "عربى"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ends = pd.DataFrame({("\U0001f680", "won"): [1.0, 0.0], ("عربى", "nobody"): [0.0, 1.0]}, table.index)
        assert plots.to_png(plots.heat_map(table)) and plots.to_svg(plots.endings_bars(ends))


def test_roles_that_differ_at_their_end_stay_apart_when_cut() -> None:
    one, other = plots._labels(["x" * 60 + "a", "x" * 60 + "b"])
    assert one != other and len(one) == plots.LABEL
