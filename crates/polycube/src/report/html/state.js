// States: what the cells hold, as tables.

/** The states of a trace: the initial one, and one after each step. */
function statesOf(trace) {
  const states = [new Map(Object.entries(trace.initial))];
  for (const step of trace.steps) {
    const state = new Map(states[states.length - 1]);
    for (const [cell, value] of Object.entries(step.changes)) state.set(cell, value);
    states.push(state);
  }
  return states;
}

/** The processes in `Link[#1,#2]` or `Channel[#1].Command`, and the row of a table that it stands in. */
function partsOf(cell) {
  const indices = cell.match(/#\d+/g) || [];
  if (indices.length === 0) return { row: cell, indices };
  const last = cell.lastIndexOf("#");
  const row = `${cell.slice(0, last)}_${cell.slice(last + indices[indices.length - 1].length)}`;
  const isPlain = indices.length === 1 && row.endsWith("[_]");
  return { row: isPlain ? row.slice(0, -3) : row, indices };
}

/** The processes of an instance. */
function processesOf(count) {
  return Array.from({ length: count }, (_, at) => `#${at + 1}`);
}

/** Scrolls to the side until something can be seen; at the left, something covers a part of the width. */
function scrollAcross(list, left, width, covered) {
  if (left - covered < list.scrollLeft) list.scrollLeft = left - covered;
  else if (left + width > list.scrollLeft + list.clientWidth)
    list.scrollLeft = left + width - list.clientWidth;
}

/** A state as tables, which are made once, and then show one state after the other. */
class StateTable {
  constructor(cells, processes) {
    this.places = new Map();
    const variables = [],
      rows = new Map();
    for (const cell of cells) {
      const { row, indices } = partsOf(cell);
      if (indices.length === 0) variables.push(cell);
      else {
        if (!rows.has(row)) rows.set(row, new Map());
        rows.get(row).set(indices[indices.length - 1], cell);
      }
    }
    this.lines = [];
    const place = (cell, tag) => {
      const made = element(tag, { class: "value" });
      this.places.set(cell, made);
      return made;
    };
    const variable = cell => {
      const line = element("div", {}, element("dt", { title: cell }, cell), place(cell, "dd"));
      this.lines.push({ line, cells: [cell] });
      return line;
    };
    const row = ([name, cells]) => {
      const line = element(
        "tr",
        {},
        element("th", { scope: "row", title: name }, name),
        processes.map(process => place(cells.get(process), "td")),
      );
      this.lines.push({ line, cells: [...cells.values()] });
      return line;
    };
    this.headings = new Map(processes.map(process => [process, element("th", { scope: "col" }, process)]));
    this.element = element(
      "div",
      { class: "state" },
      variables.length ? element("dl", { class: "variables" }, variables.map(variable)) : null,
      rows.size
        ? element(
            "div",
            { class: "scroll", tabindex: "0", role: "group", "aria-label": "Arrays" },
            element(
              "table",
              { class: "arrays" },
              element("thead", {}, element("tr", {}, element("td", {}), [...this.headings.values()])),
              element("tbody", {}, [...rows].map(row)),
            ),
          )
        : null,
    );
  }

  /** Shows a state. What is different from the one before is marked, and so are some processes. */
  show(state, before, marked, bad) {
    for (const [cell, place] of this.places) {
      const value = state.has(cell) ? state.get(cell) : "any";
      const old = before && before.get(cell);
      const changed = before !== undefined && old !== value;
      if (place.textContent !== value) place.textContent = value;
      place.title = changed ? `${cell} = ${value}, was ${old}` : `${cell} = ${value}`;
      place.classList.toggle("changed", changed);
      place.classList.toggle("any", !state.has(cell));
      place.classList.toggle("truth", value === "True" || value === "true");
      place.classList.toggle("falsity", value === "False" || value === "false");
    }
    for (const [process, heading] of this.headings) {
      heading.classList.toggle("acting", marked.includes(process));
      heading.classList.toggle("bad", bad.includes(process));
    }
    const first = this.headings.get(marked[0]);
    if (first) {
      const names = this.element.querySelector("tbody th");
      scrollAcross(
        first.closest(".scroll"),
        first.offsetLeft,
        first.offsetWidth,
        names ? names.offsetWidth : 0,
      );
    }
  }

  /** Hides the lines whose cells are not among these; says how many. */
  only(cells) {
    let hidden = 0;
    for (const { line, cells: own } of this.lines) {
      line.hidden = cells !== null && !own.some(cell => cells.has(cell));
      if (line.hidden) hidden += 1;
    }
    return hidden;
  }
}
