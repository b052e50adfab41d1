// What proves a model safe, and what is known where nothing does.

/** The clauses of the model, and what is known about each. */
function clausesSection(data, model, report, showRun) {
  const properties = report.properties || [];
  if (properties.length === 0) return null;
  let run = 0;
  const items = properties.map((one, index) => {
    const isUnsafe = one.kind === "unsafe";
    const answer = {
      safe: isUnsafe ? "never holds" : "is never violated",
      unsafe: isUnsafe ? "holds in a state that is reached" : "is violated in a state that is reached",
      unknown: "is not known",
      trusted: "is taken as given",
    }[one.verdict] || one.verdict;
    const tone = { safe: "good", unsafe: "bad" }[one.verdict] || "open";
    const at = run;
    if (one.trace) run += 1;
    const link = one.trace ? element("button", { type: "button", class: "link", onclick: () => showRun(at) },
      `run of ${counted(one.steps, "step")}`) : one.reason ? element("span", { class: "quiet" }, REASONS[one.reason] || one.reason) : "";
    return clauseItem(model, data.clauses[index], `${one.kind} clause`, { tone, answer }, link);
  });
  return section("clauses", "Clauses", element("ol", { class: "clauses" }, items));
}

/** Why something is not known. */
const REASONS = {
  nodes: "the limit of nodes was reached", depth: "the limit of steps was reached", memory: "the limit of memory was reached",
  timeout: "the time was up", interrupted: "it was interrupted", violated: "another clause is violated",
  processes: "a set of states would name too many processes", cases: "a step has too many cases",
  weakened: "only steps that may not be a run were found", unconfirmed: "no run was found that confirms it",
};

/** A formula: what it assumes, what follows, what needs it and what it needs. */
function formulaItem(graph, number, count) {
  const node = graph.nodes[number];
  const name = at => at < count ? graph.nodes[at].name : `formula ${graph.nodes[at].name}`;
  const link = at => at < count ? lineLink(graph.nodes[at].line, name(at)) : element("a", { href: `#formula-${graph.nodes[at].name}` }, name(at));
  const because = arrow => arrow.transitions.length ? element("span", { class: "quiet" }, ` (${arrow.transitions.join(", ")})`) : "";
  const others = (arrows, end) => arrows.map((arrow, at) => [at ? ", " : "", link(arrow[end]), because(arrow)]);
  const users = graph.arrows.filter(arrow => arrow.needed === number && arrow.user !== number);
  const needs = graph.arrows.filter(arrow => arrow.user === number && arrow.needed !== number);
  return element("li", { id: `formula-${node.name}`, class: "formula" },
    node.premise ? element("code", { class: "premise" }, node.premise) : null,
    element("ul", { class: node.premise ? "conclusions" : "conclusions alone" },
      node.conclusions.map((text, at) => element("li", {}, element("span", { class: "joint" },
        at ? "and" : node.premise ? "⇒" : ""), element("code", {}, text)))),
    users.length ? element("p", { class: "quiet" }, "needed for ", others(users, "user")) : null,
    needs.length ? element("p", { class: "quiet" }, "needs ", others(needs, "needed")) : null);
}

/** How many arrows lead from the properties to each node, at least. */
function depthsOf(graph, count) {
  const depths = graph.nodes.map((_, at) => at < count ? 0 : null);
  for (let depth = 0; depth < graph.nodes.length; depth += 1) {
    for (const { user, needed } of graph.arrows) {
      if (depths[user] === depth && depths[needed] === null) depths[needed] = depth + 1;
    }
  }
  return depths.map(depth => depth === null ? 1 : depth);
}

/** Places of the nodes: rows by depth, and in each row near those that need them. */
function placesOf(graph, count) {
  const [wide, high] = [72, 84];
  const depths = depthsOf(graph, count);
  const rows = [];
  depths.forEach((depth, at) => (rows[depth] = rows[depth] || []).push(at));
  const width = Math.max(...rows.map(row => row.length)) * wide;
  const places = [];
  rows.forEach((row, depth) => {
    const wish = at => {
      const users = graph.arrows.filter(arrow => arrow.needed === at && depths[arrow.user] < depth).map(arrow => places[arrow.user].x);
      return users.length ? users.reduce((sum, x) => sum + x, 0) / users.length : 0;
    };
    const sorted = depth === 0 ? row : row.map(at => [wish(at), at]).sort(([left, one], [right, other]) => left - right || one - other).map(([, at]) => at);
    sorted.forEach((node, at) => {
      places[node] = { x: (width - row.length * wide) / 2 + (at + 0.5) * wide, y: 26 + depth * high };
    });
  });
  return { places, width: width + 40, height: 52 + (rows.length - 1) * high };
}

/** The graph of what needs what; pointing at a node shows its arrows. */
function needsGraph(graph, count) {
  const { places, width, height } = placesOf(graph, count);
  const arrows = graph.arrows.filter(arrow => arrow.user !== arrow.needed);
  const path = ({ user, needed }) => {
    const [from, to] = [places[user], places[needed]];
    if (from.y < to.y) return `M${from.x} ${from.y + 15} C${from.x} ${from.y + 50} ${to.x} ${to.y - 50} ${to.x} ${to.y - 17}`;
    const side = Math.max(from.x, to.x) + (from.y === to.y ? 0 : 40);
    if (from.y === to.y) return `M${from.x} ${from.y + 15} C${from.x} ${from.y + 40} ${to.x} ${to.y + 40} ${to.x} ${to.y + 17}`;
    return `M${from.x + 20} ${from.y} C${side} ${from.y} ${side} ${to.y} ${to.x + 22} ${to.y}`;
  };
  const lines = arrows.map(arrow => drawn("path", { class: "arrow", d: path(arrow), "marker-end": "url(#tip)" },
    drawn("title", {}, `${graph.nodes[arrow.user].name} needs ${graph.nodes[arrow.needed].name}${arrow.transitions.length ? `: ${arrow.transitions.join(", ")}` : ""}`)));
  const point = (number, on) => arrows.forEach((arrow, at) => {
    if (arrow.user === number || arrow.needed === number) lines[at].classList.toggle("on", on);
  });
  const nodes = graph.nodes.map((node, at) => {
    const { x, y } = places[at];
    const isProperty = at < count;
    const half = isProperty ? 32 : 20;
    return drawn("a", {
      href: isProperty ? `#L${node.line}` : `#formula-${node.name}`, class: isProperty ? "node property" : "node",
      onmouseenter: () => point(at, true), onmouseleave: () => point(at, false),
      onfocus: () => point(at, true), onblur: () => point(at, false),
    }, drawn("title", {}, [node.premise, ...node.conclusions].filter(Boolean).join("\n")),
    drawn("rect", { x: x - half, y: y - 15, width: 2 * half, height: 30, rx: isProperty ? 3 : 15 }),
    drawn("text", { x, y: y + 5, "text-anchor": "middle" }, isProperty ? `line ${node.line}` : node.name));
  });
  return element("div", { class: "scroll graph", tabindex: "0", role: "group", "aria-label": "What needs what" },
    drawn("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Graph of the formulas: the properties on top, arrows down to what each needs" },
      drawn("defs", {}, drawn("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
        drawn("path", { d: "M0 0 L8 4 L0 8 z", class: "tip" }))),
      lines, nodes));
}

/** The invariant: as formulas with what they need, or as clauses. */
function invariantSection(data, report) {
  const { graph } = data;
  const clauses = report.invariants || [];
  const count = data.clauses.length;
  const parts = [];
  if (graph && graph.nodes.length > count) {
    const formulas = graph.nodes.slice(count).map((_, at) => formulaItem(graph, count + at, count));
    parts.push(element("p", {}, `An inductive invariant of ${counted(formulas.length, "formula")}: all of it holds initially, every step preserves it, and it excludes the bad states.`));
    if (graph.arrows.length) parts.push(needsGraph(graph, count));
    parts.push(element("ol", { class: "formulas" }, formulas));
  } else if (clauses.length > 0) {
    const item = one => element("li", { class: "formula" }, element("code", {}, one.text));
    const few = clauses.length > 40 ? 20 : clauses.length;
    parts.push(element("p", {}, `An inductive invariant of ${counted(clauses.length, "clause")}.`));
    parts.push(element("ol", { class: "formulas" }, clauses.slice(0, few).map(item)));
    if (few < clauses.length) {
      parts.push(element("details", {}, element("summary", {}, `${grouped(clauses.length - few)} more clauses`),
        element("ol", { class: "formulas", start: few + 1 }, clauses.slice(few).map(item))));
    }
  } else {
    return null;
  }
  const { recheck } = report;
  if (recheck) {
    parts.push(element("p", {}, `Rechecked ${grouped(recheck.proved)} of ${counted(recheck.obligations, "obligation")}, by a routine that the search has no part in${recheck.reason ? ` (${recheck.reason})` : ""}.`));
  }
  return section("invariant", "Why it is safe", parts);
}

/** What solvers say of a certificate. */
function certificateSection(certificate) {
  if (!certificate) return null;
  const rows = certificate.solvers.map(one => [`${one.name} ${one.version}`,
    `${grouped(one.proved)} of ${grouped(certificate.obligations)}`, grouped(one.open.length), `${one.seconds.toFixed(2)} s`]);
  const open = certificate.solvers.filter(one => one.open.length > 0).map(one => element("details", { open: true },
    element("summary", {}, `${one.name} leaves ${counted(one.open.length, "obligation")} open`),
    element("ul", {}, one.open.slice(0, 50).map(gap => element("li", {}, `${gap.obligation} `, element("code", {}, gap.file),
      `: ${gap.reason}${gap.message ? `, ${gap.message}` : ""}`)))));
  return section("certificate", "Certificate",
    element("p", {}, "In ", element("code", {}, certificate.directory), `: ${counted(certificate.clauses || 0, "clause")}, ${counted(certificate.obligations || 0, "obligation")}.`),
    rows.length ? table(["solver", "proves", "open", "time"], rows) : null, open);
}

/** What was found where there is no answer: steps that may not be a run, and why the search does not end. */
function unknownSections(report) {
  const parts = [];
  for (const one of report.properties || []) {
    if (one.symbolic_run) {
      const { steps, states, processes } = one.symbolic_run;
      const state = at => element("p", { class: "set" }, element("span", { class: "quiet" }, at === 0 ? "from " : "in "),
        element("code", {}, states[at] ? states[at].formula : ""));
      parts.push(element("h3", {}, one.reason === "weakened" ? "Perhaps not a run" : "Not known to be a run", ": ",
        `${counted(steps.length, "step")} of ${counted(processes, "process")} to the ${one.kind} clause at `, lineLink(one.line)));
      parts.push(element("ol", { class: "symbolic" }, element("li", { class: "start" }, state(0)),
        steps.map((step, at) => element("li", {}, element("b", {}, element("code", {}, call(step))), state(at + 1)))));
    }
    if (one.diverging) {
      const differ = one.diverging.growth === "numbers" ? "that differ in numbers only" : "that name more and more processes";
      parts.push(element("h3", {}, "It does not seem to end"));
      parts.push(element("p", {}, `The ${one.kind} clause at `, lineLink(one.line), ` leads to sets of states ${differ}, ${grouped(one.diverging.members)} so far:`));
      parts.push(element("ol", { class: "formulas" }, one.diverging.examples.map(text => element("li", { class: "formula" }, element("code", {}, text)))));
    }
  }
  return parts.length ? section("unknown", "What was found", parts) : null;
}
