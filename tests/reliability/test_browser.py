"""The report in a real Chromium: it is silent, asks for nothing, sorts by a click, fits a phone and prints on A4."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from experiments import report
from experiments.ledger import Run
from tests.conftest import TOY, play_config
from tests.reliability.test_knights import played
from tests.toys import odd_layer

sync_api = pytest.importorskip("playwright.sync_api")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")

QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
)  # fmt: skip
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
COLUMN = """([table, column]) => [...table.tBodies[0].rows].map((row) => {
  const field = row.cells[column];
  return field.dataset.v === undefined ? field.textContent : Number(field.dataset.v);
})"""


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    """A headless Chromium."""
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield started
        started.close()


def fights(folder: Path) -> Run:
    """Every knight against three enemies, a few games each."""
    return played(folder, knights='"all"', games=60)


def odd_duels(folder: Path) -> Run:
    """Toy duels among runners with odd names."""
    folder.mkdir()
    (folder / "odd.toml").write_text(odd_layer(), encoding="utf-8")
    text = TOY.format(game="toy.duel", games=60, chunk=64, seed=1)
    path = folder / "toy.toml"
    path.write_text(text.replace("[games]", 'pack = ["reference", "odd.toml"]\n[games]'), encoding="utf-8")
    return play_config(path, folder / "results")


@pytest.fixture(scope="module", params=[fights, odd_duels])
def page(request: pytest.FixtureRequest, browser: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    """A report, opened; it fails at the end if anything was said in the console or asked of a network."""
    run = request.param(tmp_path_factory.mktemp("browser") / "run")
    address = report.write(run, run.folder).absolute().as_uri()
    opened, said, asked = browser.new_page(), [], []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(address)
    yield opened
    opened.close()
    assert said == []
    assert [url for url in asked if not url.startswith("data:")] == [address]


def column(page: object, table: object, place: int) -> list[object]:
    """What a table's column holds, from the top: numbers to sort by, or texts."""
    return page.evaluate(COLUMN, [table.element_handle(), place])


def test_a_click_sorts_and_another_reverses(page: object) -> None:
    page.locator("details summary").click()
    tables = page.locator("table").all()
    for table in (*tables[:3], tables[-1]):
        heads = table.locator("thead th")
        for place in range(heads.count()):
            head = heads.nth(place)
            before, was = column(page, table, place), head.get_attribute("aria-sort")
            head.get_by_role("button").click()
            once, falls = column(page, table, place), head.get_attribute("aria-sort") == "descending"
            assert sorted(map(str, once)) == sorted(map(str, before)), "nothing is lost"
            number = head.get_attribute("data-sort") == "number"
            assert falls == (number and was != "descending")
            if number:
                assert once == sorted(once, reverse=falls)
            head.get_by_role("button").press("Enter")
            assert head.get_attribute("aria-sort") == ("ascending" if falls else "descending")
            if number:
                assert column(page, table, place) == sorted(once, reverse=not falls)
            assert table.locator("th[aria-sort]").count() == 1


def test_numbers_are_sorted_as_numbers_and_whole_lines_move(page: object) -> None:
    """The share of a role is the same after sorting, and 9 comes before 10."""
    table = page.locator("table").nth(1)
    lines = "table => [...table.tBodies[0].rows].map((row) => row.textContent)"
    before = page.evaluate(lines, table.element_handle())
    share = table.locator("thead th", has_text=re.compile("^share"))
    for _ in range(2):
        share.get_by_role("button").click()
    assert sorted(page.evaluate(lines, table.element_handle())) == sorted(before)
    shown = [float(text) for text in page.evaluate(
        "table => [...table.tBodies[0].rows].map((row) => row.cells[1].firstChild.textContent)", table.element_handle()
    )]  # fmt: skip
    assert shown == sorted(shown, reverse=share.get_attribute("aria-sort") == "descending")


def test_sorting_is_stable_and_blanks_stay_last(page: object) -> None:
    """On a table of our own making, by the page's own script."""
    page.evaluate("""() => {
      const table = document.createElement("table");
      table.id = "made";
      table.innerHTML = "<thead><tr><th>n</th><th data-sort='number'>v</th></tr></thead><tbody></tbody>";
      for (const [name, value] of [["a", "10"], ["b", ""], ["c", "9"], ["d", "10"], ["e", "-1"]])
        table.tBodies[0].insertRow().innerHTML = `<th>${name}</th><td data-v="${value}">${value}</td>`;
      document.body.append(table);
    }""")
    order = "() => [...document.querySelectorAll('#made tbody th')].map((head) => head.textContent).join('')"
    sort = "() => sortBy(document.querySelector('#made th[data-sort]'))"
    assert [page.evaluate(sort) or page.evaluate(order) for _ in range(2)] == ["adceb", "ecadb"]
    page.evaluate("() => document.querySelector('#made').remove()")


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_nothing_hangs_over_the_side(page: object, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 760})
    assert page.evaluate(SIDEWAYS) <= 0
    loaded = "[...document.images].every((image) => image.complete && image.naturalWidth > 0)"
    page.wait_for_function(loaded)


def test_pictures_are_legible_on_a_phone(page: object) -> None:
    """A picture with a twin for phones fits, and is not scaled down by more than a twentieth."""
    page.set_viewport_size({"width": 360, "height": 760})
    page.wait_for_function("[...document.images].every((image) => image.complete)")
    sizes = page.evaluate(
        "[...document.querySelectorAll('img.twin')].map((image) => [image.clientWidth, image.naturalWidth])"
    )
    assert len(sizes) >= 2
    for shown, natural in sizes:
        assert shown <= 328 and shown / natural > 0.95


def test_it_prints_on_a_few_sheets_of_a4(page: object) -> None:
    sheets = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
    assert 3 <= sheets <= 20
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 680, "height": 1000})
    assert page.evaluate(SIDEWAYS) <= 0
    heads = page.locator("th button")
    assert heads.first.evaluate("(head) => getComputedStyle(head).display") == "contents", "else no head is repeated"
    page.emulate_media(media="screen")


def test_it_can_be_read_in_the_dark(page: object) -> None:
    page.emulate_media(color_scheme="dark")
    ink, paper = page.evaluate(
        "(({color, backgroundColor}) => [color, backgroundColor])(getComputedStyle(document.body))"
    )
    light = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in (ink, paper)]
    assert light[0] > 500 and light[1] < 150
    page.emulate_media(color_scheme="light")
