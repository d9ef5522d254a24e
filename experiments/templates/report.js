"use strict";
// Tables that sort by a click on a head, and blocks that can be copied. Without this the page reads just as well.

const words = new Intl.Collator(document.documentElement.lang, { numeric: true });

// What a field is sorted by: its number, or its text; null where it has neither.
function keyOf(field, kind) {
  const shown = kind === "number" ? field.dataset.v : field.textContent.trim();
  if (!shown) return null;
  return kind === "number" ? Number(shown) : shown;
}

// Lines by one column; what has no key stays at the end, and equals keep their order.
function sorted(lines, column, kind, falling) {
  const sign = falling ? -1 : 1;
  const compare = kind === "number" ? (a, b) => a - b : words.compare;
  return lines
    .map((line) => ({ line, key: keyOf(line.cells[column], kind) }))
    .sort((a, b) => (a.key === null) - (b.key === null) || (a.key === null ? 0 : sign * compare(a.key, b.key)))
    .map(({ line }) => line);
}

function sortBy(head) {
  const kind = head.dataset.sort;
  const before = head.getAttribute("aria-sort");
  const falling = before ? before === "ascending" : kind === "number";
  const body = head.closest("table").tBodies[0];
  body.append(...sorted([...body.rows], head.cellIndex, kind, falling));
  for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", falling ? "descending" : "ascending");
}

function button(text, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", act);
  return made;
}

for (const head of document.querySelectorAll("th[data-sort]")) {
  head.replaceChildren(button(head.textContent, () => sortBy(head)));
}

async function copy(block, told) {
  try {
    await navigator.clipboard.writeText(block.textContent);
    told.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(block);
    told.textContent = "Selected: copy it by the keyboard";
  }
}

for (const block of document.querySelectorAll("pre[data-copy]")) {
  const made = button("Copy", () => copy(block.firstElementChild, made));
  made.className = "copy";
  made.setAttribute("aria-live", "polite");
  block.before(made);
}
