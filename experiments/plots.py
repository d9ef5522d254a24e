"""Pictures of a finished run: pure functions from a DataFrame to a matplotlib Figure.

Nothing here knows a game's rules, reads a file or keeps state: figures are made with the object interface, so
that a report can be written in any thread. Colours are safe for colour-blind readers (brown to teal through
near white for heat maps), and every picture also says in numbers or places what its colours say.

The first part turns a tidy summary, as `experiments.stats.summary` makes it, into the tables that are drawn.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, ParamSpec

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import PolyCollection
from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm, to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Patch
from matplotlib.textpath import text_to_path
from matplotlib.ticker import FuncFormatter, MaxNLocator

from experiments.parts import words

Floats = npt.NDArray[np.float64]
Arguments = ParamSpec("Arguments")

INK, QUIET, LINE = "#1d2327", "#59636b", "#c9cfd4"
FIRST, STRONG, WEAK, SHADE = "#0b6e6e", "#0b6e6e", "#a65a16", "#e9ecee"
SCALE = LinearSegmentedColormap.from_list(
    "weak_to_strong", ["#7a3e06", "#c98036", "#efd3a8", "#f6f6f4", "#b5dcd7", "#4a9f99", "#0a5552"]
)
"""The diverging scale of heat maps: brown is weak, near white the centre, teal strong."""

KINDS = (
    "#0b6e6e",
    "#e0ae4a",
    "#8c6bb1",
    "#5b8fc7",
    "#b5493a",
    "#9aa3a9",
    "#3d5a3c",
    "#cf8fb5",
    "#3f4a52",
    "#c7c36b",
)
"""Colours of endings, in order; they come again after the tenth."""

PARTS = ("won", "nobody", "lost")
"""Who wins the games of a role that end in one way, in the order in which they are drawn."""

NEARLY_NONE = 1e-12
"""Rates below this are rounding."""

LABEL, NARROW_INCHES = 28, 2.05
"""Longer labels are cut in the middle: the tables beside a picture have them in full."""

UNDRAWN = (
    "backend",
    "interactive",
    "toolbar",
    "timezone",
    "webagg",
    "tk.",
    "savefig.directory",
    "date.epoch",
    "keymap",
)
"""Settings of matplotlib, by their beginning, that change no picture."""

SETTINGS: Any = {
    **{name: value for name, value in mpl.rcParamsDefault.items() if not name.startswith(UNDRAWN)},
    "svg.fonttype": "none",
    "svg.hashsalt": "wastelab",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Segoe UI", "Helvetica", "Arial", "sans-serif"],
    "font.size": 9.0,
    "text.parse_math": False,  # a $ in a title is a $
    "text.usetex": False,
    "text.color": INK,
    "axes.edgecolor": LINE,
    "axes.labelcolor": QUIET,
    "xtick.color": QUIET,
    "ytick.color": INK,
}
"""How all pictures are drawn: matplotlib's defaults, whatever the reader's own settings are, with ours over them."""


# --- from a tidy summary to tables --------------------------------------------------------------------------


def field(summary: pd.DataFrame, side: str, measure: str) -> pd.DataFrame:
    """One row a role of a side, highest first: its measure pooled over all cells that it takes part in.

    Gives columns role, value, low, high, interval, games; no rows where the summary doesn't have the measure.
    """
    rows = summary[(summary.cell == "field") & (summary.side == side) & (summary.measure == measure)]
    rows = rows.sort_values(["value", "role"], ascending=[False, True], kind="stable")
    return rows[["role", "value", "low", "high", "interval", "games"]].reset_index(drop=True)


def matrix(summary: pd.DataFrame, side: str, against: str, measure: str) -> pd.DataFrame:
    """Roles of a side (index) by roles of another or of the same side (columns): the mean of a measure.

    Each number is that of the row's role, averaged over the cells where the two meet; NaN where they never
    do. Both are ordered by strength: the strongest role first, and the opponents from the easiest to the
    hardest; for one side of rivals the columns have the order of the rows.
    """
    cells = summary[(summary.cell != "field") & (summary.role != "")]
    own = cells[(cells.side == side) & (cells.measure == measure)][["cell", "role", "value"]]
    other = cells[cells.side == against][["cell", "role"]].drop_duplicates().rename(columns={"role": "against"})
    met = own.merge(other, on="cell")
    if side == against:
        met = met[met.role != met.against]
    table = met.pivot_table(index="role", columns="against", values="value", aggfunc="mean")
    table = table.loc[table.mean(axis=1).sort_values(ascending=False, kind="stable").index]
    if side == against:
        return table.reindex(columns=table.index)
    return table[table.mean(axis=0).sort_values(ascending=False, kind="stable").index]


def endings(summary: pd.DataFrame, side: str) -> pd.DataFrame:
    """How games end for each role of a side, and who wins them then: index role, columns (ending, one of PARTS) in the
    order to draw them, what never happens left out; a role's numbers sum to 1.

    Over the field. `won` is what the role takes of games that end so, `lost` what others take.
    """
    field = summary[(summary.cell == "field") & (summary.side == side)]
    table = field.dropna(subset="value").pivot_table(index="role", columns="measure", values="value", sort=False)
    parts: dict[tuple[str, str], pd.Series] = {}
    for name in (name for name in table.columns if name.startswith("ending:")):
        ending, won = name.removeprefix("ending:"), f"won:{name.removeprefix('ending:')}"
        if won in table.columns:
            parts[ending, "won"], parts[ending, "lost"] = table[won], (table[name] - table[won]).clip(lower=0)
        else:
            parts[ending, "nobody"] = table[name]
    happened = [key for key in parts if (parts[key] > NEARLY_NONE).any()]
    keys = [key for part in PARTS for key in happened if key[1] == part]
    return pd.DataFrame({key: parts[key] for key in keys}, index=table.index)


def places(summary: pd.DataFrame, side: str) -> pd.DataFrame:
    """How often each role of a side comes in each place, over the field: index role, columns 1, 2, ..., those that
    somebody takes; no rows where the summary doesn't have them.
    """
    rows = summary[(summary.cell == "field") & (summary.side == side) & summary.measure.str.startswith("place:")]
    rows = rows.dropna(subset="value").assign(place=rows.measure.str.removeprefix("place:").astype(int))
    table = rows.pivot_table(index="role", columns="place", values="value", sort=False)
    return table.loc[:, (table > 0).any()].sort_index(axis=1)


# --- pictures -----------------------------------------------------------------------------------------------


def _drawn(draw: Callable[Arguments, Figure]) -> Callable[Arguments, Figure]:
    """Run a drawing function under SETTINGS, and leave matplotlib's own settings as they were."""

    @wraps(draw)
    def under_settings(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Figure:
        with mpl.rc_context(SETTINGS):
            return draw(*args, **kwargs)

    return under_settings


@_drawn
def heat_map(table: pd.DataFrame, centre: float = 0.5, down: str = "", across: str = "") -> Figure:
    """A grid of rates (0..1) with its numbers in percent, and the means of its rows and columns at its edges.

    `table` as `matrix` makes it, drawn in its order; NaN is an empty cell. Near white is `centre`. The longer
    side runs down the page, so that many opponents stay readable; `down` and `across` name the index and the
    columns.
    """
    if table.shape[1] > table.shape[0]:
        table, down, across = table.T, across, down
    rows, columns, grid = _labels(table.index), _labels(table.columns), _with_means(table)
    size = (0.36 * (len(columns) + 1) + 0.1, 0.26 * (len(rows) + 1) + 0.08)
    left, top = max(1.3, _width(rows)), _width(columns)
    figure, axes = _canvas(size, left=left, right=0.25, top=top, bottom=0.6)
    norm, x, y = _around(centre, table), _places(len(columns)), _places(len(rows))
    _tiles(axes, x, y, grid, norm)
    axes.set(xlim=(-0.5, x[-1] + 0.5), ylim=(y[-1] + 0.5, -0.5))
    axes.set_xticks(x, [*columns, "mean"], rotation=90)
    axes.set_yticks(y, [*rows, "mean"])
    axes.xaxis.tick_top()
    axes.tick_params(length=0, pad=3, labelcolor=INK)
    axes.spines[:].set_visible(False)
    named = " \u2193   ".join(part for part in (down, across) if part) + (" \u2192" if across else "")
    axes.annotate(named, (0, 1), (-left * 72 + 2, 8), "axes fraction", "offset points", color=QUIET, fontsize=8)
    _scale_bar(figure, norm)
    return figure


@_drawn
def forest(
    rows: pd.DataFrame,
    reference: float | None = None,
    about: str = "share, %",
    second: pd.DataFrame | None = None,
    names: tuple[str, str] = ("share", "win rate"),
    band: tuple[float, float] | None = None,
    narrow: bool = False,
) -> Figure:
    """A dot with its interval for each role, in the order given from the top, and a dashed line at the
    reference.

    `rows` has role, value, low, high (0..1), as `field` makes them; `about` stands under the axis. `second`,
    of the same columns, adds a hollow mark a role for another measure; `names` are the two measures in the
    legend. `band` (low, high) is shaded: intervals wholly above it are teal, wholly below it brown, others dark.
    `narrow` is for a phone: names stand above their lines, and `second` is left out.
    """
    at = np.arange(len(rows), dtype=float)
    figure, axes = _lines(rows.role, 3.9, right=1.6, narrow=narrow)
    if band is not None:
        axes.axvspan(*band, color=SHADE, linewidth=0, zorder=0)
    if reference is not None and np.isfinite(reference):
        axes.axvline(reference, color=QUIET, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    if second is not None and not narrow:
        _dots(axes, second.set_index("role").reindex(rows.role), at + 0.24, names[1])
    _intervals(axes, rows, at, band, names[0])
    _numbers(axes, rows, at, narrow)
    _percent_axis(axes, about)
    if second is not None and not narrow:
        _legend(axes, 2)
    return figure


@_drawn
def endings_bars(table: pd.DataFrame, narrow: bool = False) -> Figure:
    """Stacked bars: for each role the parts of its games by how they end and who wins, as `endings` makes them.

    Each ending has its colour, pale where others win. `narrow` is for a phone: names stand above their bars.
    """
    parts: list[Any] = table.columns.to_list()
    names = list(dict.fromkeys(name for name, _ in parts))
    colours = {name: KINDS[place % len(KINDS)] for place, name in enumerate(names)}
    each = [(_pale(colours[name]) if part == "lost" else colours[name]) for name, part in parts]
    keys = [(colours[name], words(name)) for name in names]
    if any(part == "lost" for _, part in parts):
        keys.append((_pale(INK), "pale: others win"))
    return _stacked(table, each, keys, narrow)


@_drawn
def place_bars(table: pd.DataFrame, narrow: bool = False) -> Figure:
    """Stacked bars: for each role how often it comes in each place, as `places` makes them; the first place is the
    darkest.
    """
    ranks: list[Any] = table.columns.to_list()
    colours = [to_hex(SCALE(0.92 - 0.8 * (rank - 1) / max(ranks[-1] - 1, 1))) for rank in ranks]
    keys = [(colour, f"place {rank}") for colour, rank in zip(colours, ranks, strict=True)]
    return _stacked(table, colours, keys, narrow)


@_drawn
def lengths(rows: pd.DataFrame, about: str, narrow: bool = False) -> Figure:
    """A histogram of how long games are: `rows` has length, value (0..1), usual (within the range of most games, drawn
    dark), label (under its bar). `about` names the unit.
    """
    width = min(5.2, max(1.6, 0.45 * len(rows)))
    figure, axes = _canvas((2.9 if narrow else width, 1.3), left=0.25, right=0.25, top=0.3, bottom=0.5)
    colours = np.where(rows.usual, FIRST, _pale(FIRST))
    axes.bar(rows.length, rows.value, width=0.86, color=list(colours))
    if len(rows) <= 9:
        for x, value in zip(rows.length, rows.value, strict=True):
            shown = percent(value) if value >= 0.0005 or value == 0 else "<0.1"
            axes.text(x, value, f"{shown}%", ha="center", va="bottom", fontsize=8)
    step = -(-len(rows) // (7 if narrow else 14))
    axes.set_xticks(rows.length[::step], rows.label[::step])
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="x", length=0)
    axes.set_xlabel(about, fontsize=8.5)
    return figure


def seat_effect(
    rows: pd.DataFrame, reference: float | None = None, about: str = "share, %", narrow: bool = False
) -> Figure:
    """A dot with its interval for each seat; `rows` has seat (text), value, low, high (0..1)."""
    return forest(rows.rename(columns={"seat": "role"}), reference, about, narrow=narrow)


@_drawn
def curves(rows: pd.DataFrame, about: str, of: str = "share, %", narrow: bool = False) -> Figure:
    """A small picture for each role, all to one scale: how a rate goes with what is swept, with intervals.

    `rows` has role, x (numbers, or text for what has no order), value, low, high (-1..1), roles in the order to draw
    them; `about` and `of` say what runs across and up. Faint beside each curve is the mean of all roles.
    """
    roles, across = list(dict.fromkeys(rows.role)), 2 if narrow else 4
    down, width = -(-len(roles) // across), 3.1 if narrow else 7.0
    # one pair of axes for all panels: a pair for each takes matplotlib a minute for fifty roles
    figure, axes = _canvas((width, 1.2 * down), left=0.5, right=0.1, top=0.25, bottom=0.55)
    panels = _Panels(rows, across, width / across)
    panels.frame(axes, roles)
    mean = rows.groupby("x", sort=False).value.mean()
    for place, role in enumerate(roles):
        own = rows[rows.role == role]
        x, low = panels.at(place, own.x, own.low)
        _, high = panels.at(place, own.x, own.high)
        axes.vlines(x, low, high, color=FIRST, linewidth=1.1, zorder=3)
        axes.plot(*panels.at(place, mean.index, mean), color=LINE, linewidth=1.0, zorder=2)
        axes.plot(*panels.at(place, own.x, own.value), color=FIRST, linewidth=1.2, marker="o", markersize=2.4, zorder=4)
    axes.set_xlim(0, across)
    axes.set_ylim(-down, 0)
    axes.set_axis_off()
    figure.text(0.5, 0.04 / figure.get_size_inches()[1], about, fontsize=8.5, color=QUIET, ha="center", va="bottom")
    figure.text(0.01, 1, of, fontsize=8.5, color=QUIET, ha="left", va="top")
    return figure


class _Panels:
    """Where numbers lie in panels that stand in rows of `across`, each one unit wide and high."""

    ROOM, FOOT, SIDE = 0.24, 0.1, 0.06
    """Parts of a panel: for its name above, for what runs across below, and on either side."""

    def __init__(self, rows: pd.DataFrame, across: int, inches: float) -> None:
        marks = list(dict.fromkeys(rows.x))
        self.words = not all(isinstance(mark, int | float) for mark in marks)
        self.marks = marks if self.words else sorted(marks)
        self.across, self.inches = across, inches
        self.places = {mark: float(place) if self.words else float(mark) for place, mark in enumerate(marks)}
        self.left, self.right = min(self.places.values()), max(self.places.values())
        # a number without an interval is drawn, too
        drawn = rows[["low", "value", "high"]].to_numpy(dtype=float)
        self.low, self.high = float(np.nanmin(drawn)), float(np.nanmax(drawn))

    def at(self, place: int, x: Iterable[Any], y: Iterable[float]) -> tuple[Floats, Floats]:
        """Points of a panel in the axes' units."""
        column, row = place % self.across, place // self.across
        along = (np.array([self.places[one] for one in x]) - self.left) / max(self.right - self.left, 1e-12)
        up = (np.array(list(y), dtype=float) - self.low) / max(self.high - self.low, 1e-12)
        inner, tall = 1 - 2 * self.SIDE, 1 - self.ROOM - self.FOOT
        return column + self.SIDE + inner * along, -row - 1 + self.FOOT + tall * up

    def frame(self, axes: Axes, roles: list[Any]) -> None:
        """Names, grid lines with their numbers at the left, and the ends of what runs across below."""
        ticks = [tick for tick in MaxNLocator(4).tick_values(self.low, self.high) if self.low <= tick <= self.high]
        most = max(8, int(self.inches / 0.085))
        for place, role in enumerate(roles):
            (x0, x1), ends = self.at(place, [self.marks[0], self.marks[-1]], [self.low, self.high])
            axes.text(x0, ends[1] + 0.06, _labels([role], most)[0], fontsize=8, color=INK, va="bottom")
            for tick in ticks:
                y = self.at(place, [self.marks[0]], [tick])[1][0]
                axes.plot([min(x0, x1), max(x0, x1)], [y, y], color=LINE, linewidth=0.4, zorder=1)
                if place % self.across == 0:
                    axes.text(-0.02, y, f"{100 * tick:g}", fontsize=7, color=QUIET, ha="right", va="center")
            if place >= len(roles) - self.across:
                for mark, x, side in ((self.marks[0], x0, "left"), (self.marks[-1], x1, "right")):
                    text = _labels([mark if self.words else f"{mark:g}"], 12)[0]
                    axes.text(x, ends[0] - 0.05, text, fontsize=7, color=QUIET, ha=side, va="top")


def to_svg(figure: Figure) -> str:
    """The picture as SVG text: the same bytes for the same picture, and its characters stay characters."""
    buffer = io.StringIO()
    with mpl.rc_context(SETTINGS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return re.sub(r"<\?xml.*?\?>|<!DOCTYPE.*?>", "", buffer.getvalue(), flags=re.DOTALL).strip()


def to_png(figure: Figure, dpi: float = 140.0) -> bytes:
    """The picture as a PNG file's bytes."""
    buffer = io.BytesIO()
    with mpl.rc_context(SETTINGS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        figure.savefig(buffer, format="png", dpi=dpi, metadata={"Software": None})
    return buffer.getvalue()


def percent(value: float, digits: int = 1) -> str:
    """A rate 0..1 in percent, "-" where there is none."""
    return f"{100 * value:.{digits}f}" if np.isfinite(value) else "-"


def span(low: float, high: float, digits: int = 1) -> str:
    """An interval of rates in percent, such as "52.1 to 53.4"; empty where there is none."""
    both = np.isfinite(low) and np.isfinite(high)
    return f"{percent(low, digits)} to {percent(high, digits)}" if both else ""


# --- parts of pictures --------------------------------------------------------------------------------------

MIDDLE: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 7.5}


def _stacked(table: pd.DataFrame, colours: list[str], keys: list[tuple[str, str]], narrow: bool) -> Figure:
    """Stacked bars of rates that sum to 1: a bar for each row, a part for each column in its colour; `keys` are the
    colours and words of the legend.
    """
    at, start = np.arange(len(table), dtype=float), np.zeros(len(table))
    columns, height = (2, 0.4) if narrow else (4, 0.76)
    figure, axes = _lines(table.index, 5.2, right=0.25, narrow=narrow, legend=-(-len(keys) // columns))
    for share, colour in zip(table.to_numpy(dtype=float).T, colours, strict=True):
        axes.barh(at, share, left=start, height=height, color=colour, edgecolor="white", linewidth=0.6)
        for y, part, begin in zip(at, share, start, strict=True):
            if part >= (0.08 if narrow else 0.05):
                axes.text(begin + part / 2, y, f"{100 * part:.0f}", color=_ink_on(colour), **MIDDLE)
        start = start + share
    axes.set_xlim(0, 1)
    _percent_axis(axes, "share of games, %")
    handles = [Patch(color=colour, label=label) for colour, label in keys]
    _legend(axes, columns, handles)
    return figure


def _pale(colour: str) -> str:
    """A lighter tint of a colour."""
    red, green, blue = (0.38 * part + 0.62 for part in to_rgb(colour))
    return to_hex((red, green, blue))


def _labels(names: Iterable[Any], most: int = LABEL) -> list[str]:
    texts = [str(name) for name in names]
    cut = most - 10
    return [text if len(text) <= most else f"{text[:cut]}\u2026{text[-9:]}" for text in texts]


def _width(labels: list[str], size: float = 9.0) -> float:
    """Inches that the longest label needs, at least."""
    font = FontProperties(family="DejaVu Sans", size=size)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        widths = [text_to_path.get_text_width_height_descent(label, font, ismath=False)[0] for label in labels]
    return 0.15 + max([24.0, *widths]) / 72


def _narrow_labels(names: list[Any]) -> list[str]:
    """Labels that leave room for numbers beside them on a phone."""
    for most in range(LABEL, 12, -1):
        labels = _labels(names, most)
        if _width(labels, 8.5) <= NARROW_INCHES:
            return labels
    return _labels(names, 12)


def _lines(names: Iterable[Any], width: float, right: float, narrow: bool, legend: int = 1) -> tuple[Figure, Axes]:
    """A figure with axes `width` inches wide with a line for each name, beside it or, if narrow, above its line.

    Lines stand at 0, 1, 2, ... from the top; `legend` is how many rows of a legend there is room for.
    """
    labels = _narrow_labels(list(names)) if narrow else _labels(names)
    top, at = 0.2 * legend + 0.1, np.arange(len(labels), dtype=float)
    if narrow:
        figure, axes = _canvas((3.12, 0.42 * len(labels)), left=0.14, right=0.14, top=top, bottom=0.5)
        for place, label in zip(at, labels, strict=True):
            axes.text(
                0, place - 0.22, label, transform=axes.get_yaxis_transform(), va="bottom", fontsize=8.5, color=INK
            )
        axes.set_yticks([])
        axes.set_ylim(len(labels) - 0.6, -0.8)
        return figure, axes
    figure, axes = _canvas((width, 0.27 * len(labels) + 0.05), left=_width(labels), right=right, top=top, bottom=0.5)
    axes.set_yticks(at, labels)
    axes.set_ylim(len(labels) - 0.45, -0.55)
    return figure, axes


def _canvas(size: tuple[float, float], left: float, right: float, top: float, bottom: float) -> tuple[Figure, Axes]:
    """A figure whose axes have a given size, with margins around, all in inches."""
    width, height = size[0] + left + right, max(size[1], 0.4) + top + bottom
    figure = Figure(figsize=(width, height), facecolor="white")
    axes = figure.add_axes((left / width, bottom / height, size[0] / width, max(size[1], 0.4) / height))
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    return figure, axes


def _with_means(table: pd.DataFrame) -> Floats:
    """The grid with a last column and a last row of means; the corner is the mean of all."""
    framed = table.copy()
    framed["\0mean"] = table.mean(axis=1)
    framed.loc["\0mean"] = framed.mean(axis=0)
    grid: Floats = framed.to_numpy(dtype=float)
    grid[-1, -1] = table.stack().mean()
    return grid


def _places(count: int) -> Floats:
    """Where cells stand along one side; the means stand a quarter of a cell apart."""
    return np.append(np.arange(count, dtype=float), count + 0.25)


def _around(centre: float, table: pd.DataFrame) -> TwoSlopeNorm:
    """A scale from the least to the greatest number, near white at the centre; at least 0.1 each way."""
    least, most = float(table.min().min()), float(table.max().max())
    return TwoSlopeNorm(centre, min(least, centre - 0.1), max(most, centre + 0.1))


def _tiles(axes: Axes, x: Floats, y: Floats, grid: Floats, norm: TwoSlopeNorm) -> None:
    """A coloured tile with its number in percent for each number of a grid, "-" where there is none."""
    corners = np.array([(-0.48, -0.47), (0.48, -0.47), (0.48, 0.47), (-0.48, 0.47)])
    down, across = np.nonzero(np.isfinite(grid))
    colours = SCALE(norm(grid[down, across]))
    tiles = corners + np.column_stack([x[across], y[down]])[:, None]
    axes.add_collection(PolyCollection(list(tiles), facecolors=colours, linewidths=0))
    for i, j, colour in zip(down, across, colours, strict=True):
        axes.text(x[j], y[i], f"{100 * grid[i, j]:.0f}", color=_ink_on(colour), **MIDDLE)
    for i, j in np.argwhere(~np.isfinite(grid)):
        axes.text(x[j], y[i], "-", color=QUIET, **MIDDLE)


def _ink_on(colour: Any) -> str:
    """Dark or white text, whichever reads better on a colour (WCAG's relative luminance)."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour))
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return INK if light > 0.21 else "white"


def _intervals(axes: Axes, rows: pd.DataFrame, at: Floats, band: tuple[float, float] | None, name: str) -> None:
    """Dots with capped intervals; rows without an interval have the dot alone, rows without a value nothing.

    The caps stand higher than the dots, so that an interval narrower than its dot shows, too.
    """
    value, low, high = (rows[part].to_numpy(dtype=float) for part in ("value", "low", "high"))
    least, most = band if band is not None else (-np.inf, np.inf)
    beyond = np.where(low > most, STRONG, np.where(high < least, WEAK, INK))
    colours = list(beyond) if band is not None else [FIRST] * len(rows)
    axes.hlines(at, low, high, colors=colours, linewidth=1.6, zorder=3)
    for ends in (low, high):
        axes.vlines(ends, at - 0.2, at + 0.2, colors=colours, linewidth=1.1, zorder=3)
    axes.scatter(value, at, s=13, c=colours, linewidth=0, zorder=4, label=name)


def _dots(axes: Axes, rows: pd.DataFrame, at: Floats, name: str) -> None:
    """Hollow dots with thin intervals, for a second measure."""
    value, low, high = (rows[part].to_numpy(dtype=float) for part in ("value", "low", "high"))
    axes.hlines(at, low, high, color=QUIET, linewidth=1.0, zorder=2)
    axes.scatter(value, at, s=13, facecolor="white", edgecolor=QUIET, linewidth=0.9, zorder=2, label=name)


def _numbers(axes: Axes, rows: pd.DataFrame, at: Floats, narrow: bool) -> None:
    """The values and intervals of a forest plot in percent, at the right of each line, or above it if narrow."""
    x, y, align = (0.74, -0.22, "bottom") if narrow else (1.12, 0.0, "center")
    beside = axes.get_yaxis_transform()
    for place, value, low, high in zip(at + y, rows.value, rows.low, rows.high, strict=True):
        axes.text(x, place, percent(value), transform=beside, va=align, ha="right", fontsize=8.5)
        axes.text(x + 0.025, place, span(low, high), transform=beside, va=align, fontsize=7.5, color=QUIET)


def _percent_axis(axes: Axes, about: str) -> None:
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g}"))
    axes.grid(axis="x", color=LINE, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(about, fontsize=8.5)


def _legend(axes: Axes, columns: int, handles: list[Patch] | None = None) -> None:
    place: Any = {"loc": "lower left", "bbox_to_anchor": (-0.02, 1), "ncols": columns}
    axes.legend(handles=handles, **place, frameon=False, fontsize=8, borderpad=0.1)


def _scale_bar(figure: Figure, norm: TwoSlopeNorm) -> None:
    """A thin colour bar under a heat map, in percent."""
    width, height = figure.get_size_inches()
    axes = figure.axes[0].get_position()
    bar = figure.add_axes((axes.x0, 0.34 / height, min(2.4 / width, axes.width), 0.1 / height))
    shown = figure.colorbar(ScalarMappable(norm, SCALE), cax=bar, orientation="horizontal")
    shown.outline.set_visible(False)
    least, centre, most = norm.vmin or 0.0, norm.vcenter, norm.vmax or 0.0
    shown.set_ticks([least, centre, most], labels=[f"{100 * end:.0f}%" for end in (least, centre, most)])
    shown.ax.minorticks_off()
    shown.ax.tick_params(length=2, labelsize=7.5)
