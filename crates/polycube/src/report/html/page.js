// The page: which parts there are, and which step of which run is shown.

const data = JSON.parse(document.getElementById("data").textContent);
LANGUAGE.murphi = data.murphi;

/** Shows runs, one at a time. */
class RunsView {
  constructor(runs, model) {
    this.runs = runs;
    this.model = model;
    this.views = [];
    this.place = element("div");
    this.select = element(
      "select",
      { "aria-label": "Run", onchange: () => this.show(Number(this.select.value), null) },
      runs.map((run, at) => element("option", { value: at }, `${at + 1}. ${run.name}`)),
    );
    const order = run =>
      Object.entries(run.trace.order || {}).map(
        ([name, values]) => `order of ${name}: ${values.join(" < ")}`,
      );
    this.title = element("p", { class: "quiet" });
    const name = run => (runs.length > 1 ? [] : [run.name]);
    this.describe = run => [...name(run), counted(run.trace.processes, "process"), ...order(run)].join("; ");
    this.element = section(
      "run",
      runs.length > 1 ? "Runs" : "Run",
      runs.length > 1 ? element("p", {}, this.select) : null,
      this.title,
      this.place,
    );
  }

  /** Shows a run at a step, or at its end. */
  show(run, step) {
    this.current = Math.max(0, Math.min(this.runs.length - 1, run));
    const own = this.runs[this.current];
    this.views[this.current] =
      this.views[this.current] || new RunView(own, data, this.model, at => this.remember(at));
    this.place.replaceChildren(this.views[this.current].element);
    this.title.textContent = this.describe(own);
    this.select.value = this.current;
    this.views[this.current].choose(step === null ? own.trace.steps.length : step);
  }

  /** The address leads here again. */
  remember(step) {
    const address = this.runs.length > 1 ? `#run=${this.current + 1}&step=${step}` : `#step=${step}`;
    if (this.isShown && location.hash !== address) {
      try {
        history.replaceState(null, "", address);
      } catch {
        // A browser that does not allow this for files: the address stays.
      }
    }
  }

  /** The run to a bad state with the fewest processes and then the fewest steps, if there is one. */
  shortest() {
    const bad = this.runs.filter(run => run.bad.length > 0);
    const size = run => [run.trace.processes, run.trace.steps.length];
    bad.sort((one, other) => size(one)[0] - size(other)[0] || size(one)[1] - size(other)[1]);
    return Math.max(0, this.runs.indexOf(bad[0]));
  }

  /** Follows an address such as `#run=2&step=3`. */
  follow() {
    const wish = new URLSearchParams(location.hash.slice(1));
    if (!wish.has("step") && !wish.has("run")) return false;
    const run = Number(wish.get("run") || 1) - 1;
    this.show(Number.isInteger(run) ? run : 0, wish.has("step") ? Number(wish.get("step")) || 0 : null);
    return true;
  }

  /** Arrow keys go from step to step, unless something else on the page wants them. */
  listen() {
    addEventListener("hashchange", () => this.follow());
    addEventListener("keydown", event => {
      const taken = event.target.closest("input, select, textarea, .scroll, .listing");
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by === undefined || taken || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
        return;
      const view = this.views[this.current];
      view.choose(view.at + by);
      event.preventDefault();
    });
  }
}

/** What is known of a clause after `induct`. */
function inductVerdict(clause) {
  return !clause
    ? ""
    : clause.violated.length || clause.initially === "violated"
      ? "escaped"
      : clause.unknown.length
        ? "unknown"
        : data.tone === "good"
          ? "safe"
          : "";
}

/** The lines of the model that matter. */
function marksOf(report) {
  const marks = data.clauses.map(place => {
    const known = (report.properties || report.clauses || []).find(one => one.line === place.first);
    const bad = [...(report.violations || []), ...(report.earlier_violations || [])].some(
      one => one.line === place.first,
    );
    const verdict =
      bad || (known && (known.verdict === "unsafe" || known.run))
        ? "unsafe"
        : data.command === "induct"
          ? inductVerdict(known)
          : (known && known.verdict) || (data.tone === "good" && data.command === "discover" ? "safe" : "");
    const [kind, sign, title] = {
      unsafe: [
        "violated",
        "✗",
        place.name === "unsafe" ? "a reachable state is like this" : "a reachable state violates this",
      ],
      safe: ["proved", "✓", "proved: no reachable state is like this"],
      trusted: ["trusted", "!", "taken as given"],
      unknown: ["unknown", "?", "not known"],
      escaped: ["unknown", "!", "steps lead out of this"],
    }[verdict] || ["", "", ""];
    return { ...place, kind, sign, title };
  });
  return marks.filter(mark => mark.kind);
}

/** Numbers about the search. */
function statisticsSection(report) {
  const { statistics, instances } = report;
  const names = [
    "states",
    "inspected",
    "initial_states",
    "transitions",
    "depth",
    "deadlocks",
    "orders",
    "explored_orders",
    "symmetry",
    "end",
    "state_bits",
    "bytes",
    "engine",
    "search",
    "threads",
    "seconds",
    "literals",
  ];
  const entries = names
    .filter(name => name in report && typeof report[name] !== "object")
    .map(name => [name, report[name]]);
  for (const [name, value] of Object.entries(statistics || {})) {
    if (typeof value !== "object") entries.push([name, value]);
  }
  const shown = ([name, value]) => [
    spoken(name),
    name === "seconds" ? `${value.toFixed(2)} s` : typeof value === "number" ? grouped(value) : String(value),
  ];
  const rows = (instances || []).map(one => [
    grouped(one.processes),
    grouped(one.states),
    grouped(one.depth),
    one.complete ? "all" : "some",
  ]);
  if (entries.length === 0 && rows.length === 0) return null;
  return section(
    "statistics",
    "Statistics",
    pairs(entries.map(shown)),
    element("p", { class: "quiet" }, "What these numbers mean is in docs/json.md of Polycube."),
    rows.length
      ? [
          element("h3", {}, "Instances that were looked at"),
          table(["processes", "states", "steps deep", "which"], rows),
        ]
      : null,
  );
}

/** How to get this report again. */
function reproduceSection() {
  const json = element("pre", { class: "json", tabindex: "0" });
  const fill = () => {
    if (!json.textContent) json.textContent = JSON.stringify(data.report, null, 2);
  };
  return section(
    "reproduce",
    "How to reproduce",
    element("pre", { tabindex: "0" }, data.called),
    pairs(
      [
        ["program", data.tool],
        ["model", data.file],
        ["SHA-256 of the model", element("code", {}, data.sha256)],
      ],
      "wide",
    ),
    element("details", { ontoggle: fill }, element("summary", {}, "The report as JSON"), json),
  );
}

/** The list of the parts of the page. */
function contents(parts) {
  const link = part => element("a", { href: `#${part.id}` }, part.querySelector("h2").textContent);
  return element("nav", { "aria-label": "Contents" }, parts.map(link));
}

function build() {
  const report = data.report.verification || data.report;
  const model = new Model(data.model);
  const runs = runsOf(data);
  const view = runs.length ? new RunsView(runs, model) : null;
  const showRun = at => {
    view.show(at, null);
    view.element.scrollIntoView();
  };
  const notes = data.notes.map(note =>
    note.includes("\n  ") || note.startsWith("  ")
      ? element("pre", { class: "note" }, note.trimEnd())
      : element("p", { class: "note" }, sentence(note.trim())),
  );
  const parts = [
    inductClauses(data, model, report),
    clausesSection(data, model, report, showRun),
    exploredSection(data, model, report, showRun),
    view && view.element,
    inductSection(data, model, report),
    unknownSections(report),
    invariantSection(data, report),
    certificateSection(data.report.certificate),
    section("model", "Model", model.whole(marksOf(report))),
    statisticsSection(report),
    reproduceSection(),
  ].filter(Boolean);
  document.getElementById("main").replaceChildren(...notes, contents(parts), ...parts);
  model.showMarked();
  if (view) {
    if (!view.follow()) view.show(view.shortest(), null);
    view.isShown = true;
    view.listen();
  }
  const target =
    location.hash && !location.hash.includes("=") && document.getElementById(location.hash.slice(1));
  if (target) target.scrollIntoView();
  document.documentElement.dataset.ready = "yes";
}

build();
