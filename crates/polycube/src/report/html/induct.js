// Whether clauses are inductive: what is known of each, and steps that lead out of them.

/** The clauses, and which steps preserve each. */
function inductClauses(data, model, report) {
  if (data.command !== "induct") return null;
  const items = (report.clauses || []).map((one, index) => {
    const all = one.preserved.length + one.violated.length + one.unknown.length;
    const fails = one.initially === "violated" || one.violated.length > 0 || one.run;
    const open = one.initially === "unknown" || one.unknown.length > 0;
    const tone = fails ? "bad" : open ? "open" : "good";
    const answer = one.run
      ? "a bad state is reached"
      : one.initially === "violated"
        ? "does not hold initially"
        : `preserved by ${grouped(one.preserved.length)} of ${counted(all, "transition")}`;
    const users = one.needs.map(need => `clause ${need.clause}`);
    return clauseItem(
      model,
      data.clauses[index],
      `${one.clause}. ${one.name || `${one.kind} clause`}`,
      { tone, answer },
      element(
        "span",
        { class: "quiet" },
        [
          ...(one.violated.length ? [`violated by ${listed(one.violated)}`] : []),
          ...(one.unknown.length ? [`not known for ${listed(one.unknown)}`] : []),
          ...(users.length ? [`needs ${listed(users)}`] : []),
        ].join("; "),
      ),
    );
  });
  return section("clauses", "Clauses", element("ol", { class: "clauses" }, items));
}

/** A state of a counterexample: what matters is shown, and all else is any value. */
function partialState(all, known, processes, title, before) {
  const cells = Object.keys(all);
  const rows = new Set(Object.keys(known).map(cell => partsOf(cell).row));
  const shown = cells.filter(cell => rows.has(partsOf(cell).row));
  const made = new StateTable(shown, processesOf(processes));
  made.show(new Map(Object.entries(known)), undefined, [], []);
  for (const [cell, place] of made.places) {
    if (before && cell in known && before[cell] !== all[cell]) place.classList.add("changed");
  }
  const rest = shown.length < cells.length || Object.keys(known).length < shown.length;
  return element(
    "div",
    { class: "half" },
    element("h4", {}, title),
    shown.length ? made.element : null,
    rest
      ? element("p", { class: "quiet" }, shown.length ? "everything else is any value" : "any state")
      : null,
  );
}

const CASES = {
  I: "The step makes the conclusion false (case I).",
  II: "The conclusion is false before, and the step makes the premise true (case II).",
  III: "The step makes the premise true and the conclusion false (case III).",
};

/** A step that leads from a state that satisfies all clauses to one that does not. */
function counterexample(one, number, data, model, report) {
  const clause = report.clauses[one.clause - 1];
  const all = report.failures;
  const worth = each =>
    [
      all === 1
        ? "removes the counterexample"
        : `removes ${each.removes} of ${counted(all, "counterexample")}`,
      each.leaves === 0
        ? "every step preserves it"
        : `${counted(each.leaves, "transition")} ${each.leaves === 1 ? "does" : "do"} not preserve it yet`,
    ].join("; ");
  const place = data.transitions.find(known => known.name === one.transition);
  return element(
    "details",
    { class: "counterexample", open: number <= 3, id: `counterexample-${number}` },
    element(
      "summary",
      {},
      `${number}. `,
      element("b", {}, element("code", {}, call(one))),
      ` violates clause ${one.clause}, `,
      clause ? `line ${clause.line}` : "",
    ),
    clause ? element("p", {}, element("code", {}, clause.text)) : null,
    element(
      "div",
      { class: "halves" },
      partialState(one.before, one.matters, one.processes, "Before"),
      partialState(one.after, one.violating, one.processes, "After", one.before),
    ),
    element("p", {}, `${counted(one.processes, "process")}. ${CASES[one.case] || ""}`),
    place
      ? element(
          "details",
          { class: "source" },
          element("summary", {}, "The transition in the model"),
          model.excerpt(place),
        )
      : null,
    one.suggestions.length
      ? [
          element(
            "h4",
            {},
            "It goes away if you claim one of these in addition, which no known state violates",
          ),
          element(
            "ol",
            { class: "suggestions", type: "a" },
            one.suggestions.map(each =>
              element(
                "li",
                {},
                element("code", {}, each.clause),
                element("p", { class: "quiet" }, worth(each)),
              ),
            ),
          ),
        ]
      : element(
          "p",
          {},
          "There is nothing to suggest: whatever else would exclude such a state is violated by known states.",
        ),
    one.refuted && one.refuted.length
      ? element(
          "details",
          {},
          element("summary", {}, `${grouped(one.refuted.length)} more would do, but are refuted`),
          element(
            "ul",
            { class: "suggestions" },
            one.refuted.map(each =>
              element(
                "li",
                {},
                element("code", {}, each.clause),
                element(
                  "p",
                  { class: "quiet" },
                  each.run
                    ? `by the run ${each.run.trace.steps.map(call).join(", ") || "that is an initial state"}`
                    : "by a state of a larger instance",
                ),
              ),
            ),
          ),
        )
      : null,
  );
}

/** All counterexamples. */
function inductSection(data, model, report) {
  const found = report.counterexamples || [];
  if (found.length === 0) return null;
  const rest = report.failures - found.length;
  return section(
    "counterexamples",
    "Steps that lead out of the clauses",
    found.map((one, at) => counterexample(one, at + 1, data, model, report)),
    rest > 0 ? element("p", { class: "quiet" }, `${counted(rest, "counterexample")} more.`) : null,
  );
}
