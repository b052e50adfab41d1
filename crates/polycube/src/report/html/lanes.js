// The steps of a run, with a lane for each process.

/** More lanes than this are narrow, and processes that take no step have none. */
const MANY_LANES = 12;

/** The steps of a run, one below the other, each with a mark on the lanes of its processes. */
class Lanes {
  constructor(run, choose) {
    this.run = run;
    const { trace } = run;
    const all = processesOf(trace.processes);
    const acting = new Set(trace.steps.flatMap(step => step.arguments));
    const touched = new Set(
      trace.steps.flatMap(step => Object.keys(step.changes).flatMap(cell => partsOf(cell).indices)),
    );
    const some = all.length > MANY_LANES;
    const shown = some ? all.filter(process => acting.has(process) || touched.has(process)) : all;
    this.left = all.length - shown.length;
    const hasGlobal = trace.steps.some(step => step.arguments.length === 0);
    this.names = hasGlobal ? ["global", ...shown] : shown;
    this.width = some ? 30 : 38;
    this.height = 30;
    const bad = new Set(run.bad.map(one => one.step));
    const button = (at, name, lanes) =>
      element(
        "button",
        {
          type: "button",
          class: bad.has(at) ? "step bad" : "step",
          title: name,
          onclick: () => choose(at),
        },
        element("span", { class: "number" }, String(at)),
        element("span", { class: "name" }, name),
        lanes,
      );
    const row = (step, at) => button(at + 1, call(step), this.events(step));
    this.rows = [button(0, "initially", this.blank()), ...trace.steps.map(row)];
    const heading = element(
      "div",
      { class: "step heading", "aria-hidden": "true" },
      element("span", { class: "number" }),
      element("span", { class: "name" }, ""),
      element(
        "span",
        { class: "lanes" },
        this.names.map(name => element("span", { class: name === "global" ? "lane global" : "lane" }, name)),
      ),
    );
    this.element = element(
      "div",
      { class: "steps", role: "group", "aria-label": "Steps" },
      heading,
      this.rows,
    );
    this.element.style.setProperty("--lanes", this.names.length);
    this.element.style.setProperty("--lane-width", `${this.width}px`);
  }

  x(name) {
    return (this.names.indexOf(name) + 0.5) * this.width;
  }

  blank(...marks) {
    const [width, height] = [this.names.length * this.width, this.height];
    const lane = name =>
      drawn("line", { class: "lane", x1: this.x(name), x2: this.x(name), y1: 0, y2: height });
    return drawn(
      "svg",
      { class: "lanes", width, height, "aria-hidden": "true" },
      this.names.map(lane),
      marks,
    );
  }

  /** A mark for each process of a step, joined by a line, and rings where others are changed. */
  events(step) {
    const middle = this.height / 2;
    if (step.arguments.length === 0) {
      return this.blank(
        drawn("rect", {
          class: "event",
          x: this.x("global") - 6,
          y: middle - 6,
          width: 12,
          height: 12,
          rx: 2,
        }),
        this.rings(step, middle),
      );
    }
    const places = step.arguments.map(process => this.x(process));
    const [from, to] = [Math.min(...places), Math.max(...places)];
    const [first, ...others] = places;
    return this.blank(
      drawn("line", { class: "join", x1: from, x2: to, y1: middle, y2: middle }),
      this.rings(step, middle),
      drawn("circle", { class: "event", cx: first, cy: middle, r: 7 }),
      others.map(x => drawn("circle", { class: "event other", cx: x, cy: middle, r: 6 })),
    );
  }

  rings(step, middle) {
    const changed = new Set(Object.keys(step.changes).flatMap(cell => partsOf(cell).indices));
    return [...changed]
      .filter(process => !step.arguments.includes(process) && this.names.includes(process))
      .map(process => drawn("circle", { class: "ring", cx: this.x(process), cy: middle, r: 4 }));
  }

  show(at) {
    for (const [number, row] of this.rows.entries()) {
      row.classList.toggle("past", number < at);
      if (number === at) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
    }
    // Only the list scrolls, not the page.
    const row = this.rows[at],
      list = this.element;
    const [top, bottom] = [row.offsetTop - this.height * 2, row.offsetTop + this.height * 3];
    if (top < list.scrollTop) list.scrollTop = top;
    else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
    const name = row.querySelector(".name"),
      first = this.run.trace.steps[at - 1]?.arguments[0] || "global";
    if (at > 0 && this.names.includes(first)) {
      // The number and the name stay where they are.
      const covered = name.offsetWidth + row.firstChild.offsetWidth;
      scrollAcross(list, covered + this.x(first) - this.width / 2, this.width + 8, covered);
    }
  }
}
