// What is known about each clause of the model.

/** The clauses of the model, and what is known about each. */
function clausesSection(data, model, report, showRun) {
  const properties = report.properties || [];
  if (properties.length === 0) return null;
  let run = 0;
  const items = properties.map((one, index) => {
    const place = data.clauses[index];
    const answer =
      {
        safe: place.claim.kept,
        unsafe: isBadIn(place, "a state that is reached"),
        unknown: "is not known",
        trusted: "is taken as given",
      }[one.verdict] || one.verdict;
    const tone = { safe: "good", unsafe: "bad" }[one.verdict] || "open";
    const at = run;
    if (one.trace) run += 1;
    const link = one.trace
      ? runLink(one.steps, () => showRun(at))
      : one.reason
        ? element("span", { class: "quiet" }, REASONS[one.reason] || one.reason)
        : "";
    return clauseItem(model, place, place.claim.what, { tone, answer }, link);
  });
  return section("clauses", "Clauses", element("ol", { class: "clauses" }, items));
}

/** Why something is not known. */
const REASONS = {
  nodes: "the limit of nodes was reached",
  depth: "the limit of steps was reached",
  memory: "the limit of memory was reached",
  timeout: "the time was up",
  interrupted: "it was interrupted",
  violated: "another clause is violated",
  processes: "a set of states would name too many processes",
  cases: "a step has too many cases",
  weakened: "only steps that may not be a run were found",
  unconfirmed: "no run was found that confirms it",
};

/** Leads to a run of this many steps. */
function runLink(steps, show) {
  return element(
    "button",
    { type: "button", class: "link", onclick: show },
    `run of ${counted(steps, "step")}`,
  );
}

/** What it means for a clause that some states are bad. */
function isBadIn(place, states) {
  return `${place.claim.violated} in ${states}`;
}

/** What an exploration says of each clause. */
function exploredSection(data, model, report, showRun) {
  if (data.command !== "explore" || data.clauses.length === 0) return null;
  const items = data.clauses.map(place => {
    const run = report.violations.findIndex(one => one.line === place.first);
    const answer =
      run >= 0
        ? { tone: "bad", answer: isBadIn(place, "a state that is reached") }
        : report.complete
          ? {
              tone: "good",
              answer: isBadIn(place, `no state of ${counted(report.processes, "process")}`),
            }
          : { tone: "open", answer: isBadIn(place, "no state that was found") };
    const link = run >= 0 && runLink(report.violations[run].steps, () => showRun(run));
    return clauseItem(model, place, place.claim.what, answer, link);
  });
  return section("clauses", "Clauses", element("ol", { class: "clauses" }, items));
}

/** The clause of the model that a part of a report speaks of. */
function clauseOf(data, one) {
  const found = data.clauses.find(clause => clause.first === one.line && clause.name === one.kind);
  return found || { parameters: [], claim: { what: `${one.kind} clause`, violated: "is violated" } };
}
