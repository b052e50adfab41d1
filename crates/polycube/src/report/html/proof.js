// What proves a model safe, and what is known where nothing does.

/** A formula: what it assumes, what follows, what needs it and what it needs. */
function formulaItem(graph, number, count) {
  const node = graph.nodes[number];
  const name = at => (at < count ? graph.nodes[at].name : `formula ${graph.nodes[at].name}`);
  const link = at =>
    at < count
      ? lineLink(graph.nodes[at].line, name(at))
      : element("a", { href: `#formula-${graph.nodes[at].name}` }, name(at));
  const because = arrow =>
    arrow.transitions.length ? element("span", { class: "quiet" }, ` (${arrow.transitions.join(", ")})`) : "";
  const others = (arrows, end) =>
    arrows.map((arrow, at) => [at ? ", " : "", link(arrow[end]), because(arrow)]);
  const users = graph.arrows.filter(arrow => arrow.needed === number && arrow.user !== number);
  const needs = graph.arrows.filter(arrow => arrow.user === number && arrow.needed !== number);
  return element(
    "li",
    { id: `formula-${node.name}`, class: "formula" },
    node.premise ? element("code", { class: "premise" }, node.premise) : null,
    element(
      "ul",
      { class: node.premise ? "conclusions" : "conclusions alone" },
      node.conclusions.map((text, at) =>
        element(
          "li",
          {},
          element("span", { class: "joint" }, at ? "and" : node.premise ? "⇒" : ""),
          element("code", {}, text),
        ),
      ),
    ),
    users.length ? element("p", { class: "quiet" }, "needed for ", others(users, "user")) : null,
    needs.length ? element("p", { class: "quiet" }, "needs ", others(needs, "needed")) : null,
  );
}

/** The invariant: as formulas with what they need, or as clauses. */
function invariantSection(data, report) {
  const { graph } = data;
  const clauses = report.invariants || [];
  const count = data.clauses.length;
  const parts = [];
  if (graph && graph.nodes.length > count) {
    const formulas = graph.nodes.slice(count).map((_, at) => formulaItem(graph, count + at, count));
    parts.push(
      element(
        "p",
        {},
        `An inductive invariant of ${counted(formulas.length, "formula")}: all of it holds initially, every step preserves it, and it excludes the bad states.`,
      ),
    );
    if (graph.arrows.length) parts.push(needsGraph(graph, count));
    parts.push(element("ol", { class: "formulas" }, formulas));
  } else if (clauses.length > 0) {
    const item = one => element("li", { class: "formula" }, element("code", {}, one.text));
    const few = clauses.length > 40 ? 20 : clauses.length;
    parts.push(element("p", {}, `An inductive invariant of ${counted(clauses.length, "clause")}.`));
    parts.push(element("ol", { class: "formulas" }, clauses.slice(0, few).map(item)));
    if (few < clauses.length) {
      parts.push(
        element(
          "details",
          {},
          element("summary", {}, `${grouped(clauses.length - few)} more clauses`),
          element("ol", { class: "formulas", start: few + 1 }, clauses.slice(few).map(item)),
        ),
      );
    }
  } else {
    return null;
  }
  const { recheck } = report;
  if (recheck) {
    parts.push(
      element(
        "p",
        {},
        `Rechecked ${grouped(recheck.proved)} of ${counted(recheck.obligations, "obligation")}, by a routine that the search has no part in${recheck.reason ? ` (${recheck.reason})` : ""}.`,
      ),
    );
  }
  return section("invariant", "Why it is safe", parts);
}

/** What solvers say of a certificate. */
function certificateSection(certificate) {
  if (!certificate) return null;
  const rows = certificate.solvers.map(one => [
    `${one.name} ${one.version}`,
    `${grouped(one.proved)} of ${grouped(certificate.obligations)}`,
    grouped(one.open.length),
    `${one.seconds.toFixed(2)} s`,
  ]);
  const open = certificate.solvers
    .filter(one => one.open.length > 0)
    .map(one =>
      element(
        "details",
        { open: true },
        element("summary", {}, `${one.name} leaves ${counted(one.open.length, "obligation")} open`),
        element(
          "ul",
          {},
          one.open
            .slice(0, 50)
            .map(gap =>
              element(
                "li",
                {},
                `${gap.obligation} `,
                element("code", {}, gap.file),
                `: ${gap.reason}${gap.message ? `, ${gap.message}` : ""}`,
              ),
            ),
        ),
      ),
    );
  return section(
    "certificate",
    "Certificate",
    element(
      "p",
      {},
      "In ",
      element("code", {}, certificate.directory),
      `: ${counted(certificate.clauses || 0, "clause")}, ${counted(certificate.obligations || 0, "obligation")}.`,
    ),
    rows.length ? table(["solver", "proves", "open", "time"], rows) : null,
    open,
  );
}

/** What was found where there is no answer: steps that may not be a run, and why the search does not end. */
function unknownSections(report) {
  const parts = [];
  for (const one of report.properties || []) {
    if (one.symbolic_run) {
      const { steps, states, processes } = one.symbolic_run;
      const state = at =>
        element(
          "p",
          { class: "set" },
          element("span", { class: "quiet" }, at === 0 ? "from " : "in "),
          element("code", {}, states[at] ? states[at].formula : ""),
        );
      parts.push(
        element(
          "h3",
          {},
          one.reason === "weakened" ? "Perhaps not a run" : "Not known to be a run",
          ": ",
          `${counted(steps.length, "step")}${processes ? ` of ${counted(processes, "process")}` : ""} to the ${one.name || `${one.kind} clause`} at `,
          lineLink(one.line),
        ),
      );
      parts.push(state(0));
      parts.push(
        element(
          "ol",
          { class: "symbolic" },
          steps.map((step, at) =>
            element("li", {}, element("b", {}, element("code", {}, call(step))), state(at + 1)),
          ),
        ),
      );
    }
    if (one.diverging) {
      const differ =
        one.diverging.growth === "numbers"
          ? "that differ in numbers only"
          : "that name more and more processes";
      parts.push(element("h3", {}, "It does not seem to end"));
      parts.push(
        element(
          "p",
          {},
          `The ${one.name || `${one.kind} clause`} at `,
          lineLink(one.line),
          ` leads to sets of states ${differ}, ${grouped(one.diverging.members)} so far:`,
        ),
      );
      parts.push(
        element(
          "ol",
          { class: "formulas" },
          one.diverging.examples.map(text => element("li", { class: "formula" }, element("code", {}, text))),
        ),
      );
    }
  }
  return parts.length ? section("unknown", "What was found", parts) : null;
}
