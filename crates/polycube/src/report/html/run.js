// Runs: a lane for each process with the steps as events, and the state beside it.

/** More lanes than this are narrow, and processes that take no step have none. */
const MANY_LANES = 12;
/** More cells than this, and those that never change are hidden at first. */
const MANY_CELLS = 60;

/** The runs of a report, each with the states that violate a clause. */
function runsOf(data) {
  const report = data.report.verification || data.report;
  const found = [];
  const clause = one => `${one.kind} clause at line ${one.line}`;
  const steps = trace => counted(trace.steps.length, "step");
  const add = (name, trace, bad, deadlock) => {
    found.push({ name: `${name}, ${steps(trace)}`, trace, bad, deadlock });
  };
  const atEnd = (one, trace) => [{ line: one.line, kind: one.kind, processes: one.processes, step: trace.steps.length }];
  for (const one of report.properties || []) {
    if (one.trace) add(clause(one), one.trace, atEnd(one, one.trace));
  }
  for (const one of report.clauses || []) {
    if (one.run) add(clause(one), one.run.trace, atEnd({ ...one, processes: one.run.processes }, one.run.trace));
  }
  if (report.trace && !report.properties) {
    const bad = [...(report.violations || []), ...(report.earlier_violations || [])];
    add("the run", report.trace, bad, report.deadlock === true);
  } else {
    for (const one of report.violations || []) add(clause(one), one.trace, atEnd(one, one.trace));
  }
  if (report.deadlock && report.deadlock.trace) add("deadlock", report.deadlock.trace, [], true);
  return found;
}

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

/** `Link[#1,#2]` as its name and its processes. */
function partsOf(cell) {
  const at = cell.indexOf("[");
  return at < 0 ? { name: cell, indices: [] } : { name: cell.slice(0, at), indices: cell.slice(at + 1, -1).split(",") };
}

/** The processes of an instance. */
function processesOf(count) {
  return Array.from({ length: count }, (_, at) => `#${at + 1}`);
}

/** Scrolls to the side until something can be seen; at the left, something covers a part of the width. */
function scrollAcross(list, left, width, covered) {
  if (left - covered < list.scrollLeft) list.scrollLeft = left - covered;
  else if (left + width > list.scrollLeft + list.clientWidth) list.scrollLeft = left + width - list.clientWidth;
}

/** A state as tables, which are made once, and then show one state after the other. */
class StateTable {
  constructor(cells, processes) {
    this.places = new Map();
    const variables = [], rows = new Map();
    for (const cell of cells) {
      const { name, indices } = partsOf(cell);
      if (indices.length === 0) variables.push(cell);
      else {
        const others = indices.slice(0, -1);
        const row = others.length ? `${name}[${others.join(",")},_]` : name;
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
      const line = element("tr", {}, element("th", { scope: "row", title: name }, name),
        processes.map(process => place(cells.get(process), "td")));
      this.lines.push({ line, cells: [...cells.values()] });
      return line;
    };
    this.headings = new Map(processes.map(process => [process, element("th", { scope: "col" }, process)]));
    this.element = element("div", { class: "state" },
      variables.length ? element("dl", { class: "variables" }, variables.map(variable)) : null,
      rows.size ? element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Arrays" },
        element("table", { class: "arrays" },
          element("thead", {}, element("tr", {}, element("td", {}), [...this.headings.values()])),
          element("tbody", {}, [...rows].map(row)))) : null);
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
      place.classList.toggle("truth", value === "True");
      place.classList.toggle("falsity", value === "False");
    }
    for (const [process, heading] of this.headings) {
      heading.classList.toggle("acting", marked.includes(process));
      heading.classList.toggle("bad", bad.includes(process));
    }
    const first = this.headings.get(marked[0]);
    if (first) {
      const names = this.element.querySelector("tbody th");
      scrollAcross(first.closest(".scroll"), first.offsetLeft, first.offsetWidth, names ? names.offsetWidth : 0);
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

/** The steps of a run, one below the other, each with a mark on the lanes of its processes. */
class Lanes {
  constructor(run, choose) {
    this.run = run;
    const { trace } = run;
    const all = processesOf(trace.processes);
    const acting = new Set(trace.steps.flatMap(step => step.arguments));
    const touched = new Set(trace.steps.flatMap(step => Object.keys(step.changes).flatMap(cell => partsOf(cell).indices)));
    const some = all.length > MANY_LANES;
    const shown = some ? all.filter(process => acting.has(process) || touched.has(process)) : all;
    this.left = all.length - shown.length;
    const hasGlobal = trace.steps.some(step => step.arguments.length === 0);
    this.names = hasGlobal ? ["global", ...shown] : shown;
    this.width = some ? 30 : 38;
    this.height = 30;
    const bad = new Set(run.bad.map(one => one.step));
    const button = (at, name, lanes) => element("button", {
      type: "button", class: bad.has(at) ? "step bad" : "step", title: name, onclick: () => choose(at),
    }, element("span", { class: "number" }, String(at)), element("span", { class: "name" }, name), lanes);
    const row = (step, at) => button(at + 1, call(step), this.events(step));
    this.rows = [button(0, "initially", this.blank()), ...trace.steps.map(row)];
    const heading = element("div", { class: "step heading", "aria-hidden": "true" }, element("span", { class: "number" }),
      element("span", { class: "name" }, ""), element("span", { class: "lanes" }, this.names.map(name =>
        element("span", { class: name === "global" ? "lane global" : "lane" }, name))));
    this.element = element("div", { class: "steps", role: "group", "aria-label": "Steps" }, heading, this.rows);
    this.element.style.setProperty("--lanes", this.names.length);
    this.element.style.setProperty("--lane-width", `${this.width}px`);
  }

  x(name) {
    return (this.names.indexOf(name) + 0.5) * this.width;
  }

  blank(...marks) {
    const [width, height] = [this.names.length * this.width, this.height];
    const lane = name => drawn("line", { class: "lane", x1: this.x(name), x2: this.x(name), y1: 0, y2: height });
    return drawn("svg", { class: "lanes", width, height, "aria-hidden": "true" }, this.names.map(lane), marks);
  }

  /** A mark for each process of a step, joined by a line, and rings where others are changed. */
  events(step) {
    const middle = this.height / 2;
    if (step.arguments.length === 0) {
      return this.blank(drawn("rect", { class: "event", x: this.x("global") - 6, y: middle - 6, width: 12, height: 12, rx: 2 }),
        this.rings(step, middle));
    }
    const places = step.arguments.map(process => this.x(process));
    const [from, to] = [Math.min(...places), Math.max(...places)];
    const [first, ...others] = places;
    return this.blank(
      drawn("line", { class: "join", x1: from, x2: to, y1: middle, y2: middle }),
      this.rings(step, middle),
      drawn("circle", { class: "event", cx: first, cy: middle, r: 7 }),
      others.map(x => drawn("circle", { class: "event other", cx: x, cy: middle, r: 6 })));
  }

  rings(step, middle) {
    const changed = new Set(Object.keys(step.changes).flatMap(cell => partsOf(cell).indices));
    return [...changed].filter(process => !step.arguments.includes(process) && this.names.includes(process))
      .map(process => drawn("circle", { class: "ring", cx: this.x(process), cy: middle, r: 4 }));
  }

  show(at) {
    for (const [number, row] of this.rows.entries()) {
      row.classList.toggle("past", number < at);
      if (number === at) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
    }
    // Only the list scrolls, not the page.
    const row = this.rows[at], list = this.element;
    const [top, bottom] = [row.offsetTop - this.height * 2, row.offsetTop + this.height * 3];
    if (top < list.scrollTop) list.scrollTop = top;
    else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
    const name = row.querySelector(".name"), first = this.run.trace.steps[at - 1]?.arguments[0] || "global";
    if (at > 0 && this.names.includes(first)) {
      // The number and the name stay where they are.
      const covered = name.offsetWidth + row.firstChild.offsetWidth;
      scrollAcross(list, covered + this.x(first) - this.width / 2, this.width + 8, covered);
    }
  }
}

/** One run: its lanes, and the state after a step, which can be chosen. */
class RunView {
  constructor(run, data, model, chosen) {
    Object.assign(this, { run, data, model, chosen, at: 0 });
    this.states = statesOf(run.trace);
    const last = this.states.length - 1;
    this.table = new StateTable([...this.states[0].keys()], processesOf(run.trace.processes));
    this.lanes = new Lanes(run, at => this.choose(at));
    this.slider = element("input", {
      type: "range", min: 0, max: last, value: 0, "aria-label": "Step", oninput: () => this.choose(Number(this.slider.value)),
    });
    const move = (label, text, by) => element("button", {
      type: "button", class: "move", "aria-label": label, onclick: () => this.choose(this.at + by),
    }, text);
    this.back = move("Previous step", "‹ Previous", -1);
    this.forth = move("Next step", "Next ›", 1);
    this.count = element("output", { class: "count", "aria-live": "polite" });
    this.what = element("div", { class: "what" });
    this.source = element("div", { class: "column source-column" });
    this.element = element("div", { class: "run" },
      element("div", { class: "controls" }, this.back, this.slider, this.forth, this.count),
      element("div", { class: "columns" },
        element("div", { class: "column lanes-column" }, this.lanes.element,
          this.lanes.left > 0 ? element("p", { class: "quiet" }, `${counted(this.lanes.left, "process")} more: none takes part in a step.`) : null,
          element("p", { class: "quiet legend" }, "● takes the step; ○ another that it changes")),
        this.source,
        element("div", { class: "column state-column" }, this.what, this.filter(), this.table.element)));
    const most = Math.max(0, ...run.trace.steps.map(step => Object.keys(step.changes).length));
    this.what.style.minHeight = `${Math.min(12, 1.5 * (most + 2))}rem`;
  }

  /** The switch that hides what never changes. */
  filter() {
    const changing = new Set(this.run.trace.steps.flatMap(step => Object.keys(step.changes)));
    const hidden = this.table.only(changing);
    this.table.only(null);
    if (hidden === 0) return null;
    const switched = element("input", {
      type: "checkbox", onchange: () => this.table.only(switched.checked ? changing : null),
    });
    switched.checked = this.states[0].size > MANY_CELLS;
    this.table.only(switched.checked ? changing : null);
    const rows = hidden === 1 ? "1 row" : `${hidden} rows`;
    return element("label", { class: "filter" }, switched, ` hide what never changes in this run (${rows})`);
  }

  choose(at) {
    const last = this.states.length - 1;
    this.at = Math.max(0, Math.min(last, at));
    const step = this.run.trace.steps[this.at - 1];
    const bad = this.run.bad.filter(one => one.step === this.at);
    this.table.show(this.states[this.at], this.states[this.at - 1], step ? step.arguments : [],
      bad.flatMap(one => one.processes));
    this.lanes.show(this.at);
    this.slider.value = this.at;
    this.slider.setAttribute("aria-valuetext", step ? `${this.at}: ${call(step)}` : "initially");
    this.count.textContent = this.at === 0 ? `initially, of ${counted(last, "step")}` : `step ${this.at} of ${last}`;
    this.back.disabled = this.at === 0;
    this.forth.disabled = this.at === last;
    const place = step && this.placeOf(step);
    this.what.replaceChildren(...this.described(step, place, bad));
    this.source.replaceChildren(...(place ? [element("h4", {}, "In the model"), this.model.excerpt(place)] : []));
    this.model.show(place);
    this.chosen(this.at);
  }

  /** Where the transition of a step stands; of several with its name, one with as many processes. */
  placeOf(step) {
    const own = this.data.transitions.filter(one => one.name === step.transition);
    return own.find(one => one.parameters.length === step.arguments.length) || own[0];
  }

  /** What a step does, and what is bad about the state behind it. */
  described(step, place, bad) {
    const parts = [];
    if (step) {
      const before = this.states[this.at - 1];
      const changes = Object.entries(step.changes).filter(([cell, value]) => before.get(cell) !== value);
      parts.push(element("h3", {}, element("code", {}, call(step)), place ? [" ", lineLink(place.first)] : ""));
      parts.push(element("ul", { class: "changes" }, changes.length
        ? changes.map(([cell, value]) => element("li", {}, element("code", {}, cell), ": ",
          element("s", {}, before.get(cell)), " → ", element("b", {}, value)))
        : element("li", {}, "nothing changes")));
    } else {
      parts.push(element("h3", {}, "Initially"));
    }
    for (const one of bad) parts.push(this.violated(one));
    if (this.run.deadlock && this.at === this.states.length - 1) {
      parts.push(element("p", { class: "violation" }, "No transition is possible in this state."));
    }
    return parts;
  }

  violated(one) {
    const clause = this.data.clauses.find(clause => clause.first === one.line && clause.name === one.kind);
    const names = clause ? clause.parameters : [];
    const where = names.map((name, at) => `${name} = ${one.processes[at]}`);
    const verb = one.kind === "unsafe" ? "holds" : "is violated";
    return element("div", { class: "violation" },
      element("p", {}, `The ${one.kind} clause at `, lineLink(one.line), ` ${verb} in this state`,
        where.length ? `, for ${where.join(", ")}.` : "."),
      clause ? this.model.excerpt(clause) : null);
  }
}
