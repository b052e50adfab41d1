// Runs: the lanes, and the state after the step that is chosen.

/** More cells than this, and those that never change are hidden at first. */
const MANY_CELLS = 60;

/** The runs of a report, each with the states that violate a clause. */
function runsOf(data) {
  const report = data.report.verification || data.report;
  const found = [];
  const clause = one => `${clauseOf(data, one).claim.what} at line ${one.line}`;
  const steps = trace => counted(trace.steps.length, "step");
  const add = (name, trace, bad, deadlock) => {
    found.push({ name: `${name}, ${steps(trace)}`, trace, bad, deadlock });
  };
  const atEnd = (one, trace) => [
    { line: one.line, kind: one.kind, processes: one.processes, step: trace.steps.length },
  ];
  for (const one of report.properties || []) {
    if (one.trace) add(clause(one), one.trace, atEnd(one, one.trace));
  }
  for (const one of report.clauses || []) {
    if (one.run)
      add(clause(one), one.run.trace, atEnd({ ...one, processes: one.run.processes }, one.run.trace));
  }
  if (report.trace && !report.properties) {
    const bad = [...(report.violations || []), ...(report.earlier_violations || [])];
    add(
      report.rejected ? "the part that is possible" : "the run",
      report.trace,
      bad,
      report.deadlock === true,
    );
  } else {
    for (const one of report.violations || []) add(clause(one), one.trace, atEnd(one, one.trace));
  }
  if (report.deadlock && report.deadlock.trace) add("deadlock", report.deadlock.trace, [], true);
  return found;
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
      type: "range",
      min: 0,
      max: last,
      value: 0,
      "aria-label": "Step",
      oninput: () => this.choose(Number(this.slider.value)),
    });
    const move = (label, text, by) =>
      element(
        "button",
        {
          type: "button",
          class: "move",
          "aria-label": label,
          onclick: () => this.choose(this.at + by),
        },
        text,
      );
    this.back = move("Previous step", "‹ Previous", -1);
    this.forth = move("Next step", "Next ›", 1);
    this.count = element("output", { class: "count", "aria-live": "polite" });
    this.what = element("div", { class: "what" });
    this.source = element("div", { class: "column source-column" });
    this.element = element(
      "div",
      { class: "run" },
      element("div", { class: "controls" }, this.back, this.slider, this.forth, this.count),
      element(
        "div",
        { class: "columns" },
        element(
          "div",
          { class: "column lanes-column" },
          this.lanes.element,
          this.lanes.left > 0
            ? element(
                "p",
                { class: "quiet" },
                `${counted(this.lanes.left, "process")} more: none takes part in a step.`,
              )
            : null,
          element("p", { class: "quiet legend" }, "● takes the step; ○ another that it changes"),
        ),
        this.source,
        element("div", { class: "column state-column" }, this.what, this.filter(), this.table.element),
      ),
    );
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
      type: "checkbox",
      onchange: () => this.table.only(switched.checked ? changing : null),
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
    this.table.show(
      this.states[this.at],
      this.states[this.at - 1],
      step ? step.arguments : [],
      bad.flatMap(one => one.processes),
    );
    this.lanes.show(this.at);
    this.slider.value = this.at;
    this.slider.setAttribute("aria-valuetext", step ? `${this.at}: ${call(step)}` : "initially");
    this.count.textContent =
      this.at === 0 ? `initially, of ${counted(last, "step")}` : `step ${this.at} of ${last}`;
    this.back.disabled = this.at === 0;
    this.forth.disabled = this.at === last;
    const place = step && this.placeOf(step);
    this.what.replaceChildren(...this.described(step, place, bad));
    this.source.replaceChildren(
      ...(place ? [element("h4", {}, "In the model"), this.model.excerpt(place)] : []),
    );
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
      parts.push(
        element("h3", {}, element("code", {}, call(step)), place ? [" ", lineLink(place.first)] : ""),
      );
      parts.push(
        element(
          "ul",
          { class: "changes" },
          changes.length
            ? changes.map(([cell, value]) =>
                element(
                  "li",
                  {},
                  element("code", {}, cell),
                  ": ",
                  element("s", {}, before.get(cell)),
                  " → ",
                  element("b", {}, value),
                ),
              )
            : element("li", {}, "nothing changes"),
        ),
      );
    } else {
      parts.push(element("h3", {}, "Initially"));
    }
    for (const one of bad) parts.push(this.violated(one));
    if (this.run.deadlock && this.at === this.states.length - 1) {
      parts.push(element("p", { class: "violation" }, "This state is a deadlock."));
    }
    return parts;
  }

  violated(one) {
    const clause = clauseOf(this.data, one);
    const where = clause.parameters.map((name, at) => `${name} = ${one.processes[at]}`);
    return element(
      "div",
      { class: "violation" },
      element(
        "p",
        {},
        `The ${clause.claim.what} at `,
        lineLink(one.line),
        ` ${clause.claim.violated} in this state`,
        where.length ? `, for ${where.join(", ")}.` : ".",
      ),
      clause.first ? this.model.excerpt(clause) : null,
    );
  }
}
