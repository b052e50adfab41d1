// The model, with the lines marked that matter.

const WORDS = new Set(
  (
    "type var array const init unsafe universal_unsafe invariant transition requires predicate case forall exists " +
    "forall_other exists_other let in if then else not number_procs true false"
  ).split(" "),
);
const TYPES = new Set(["int", "real", "bool", "proc"]);
const MURPHI = new Set(
  (
    "alias array assert begin boolean by case choose clear const do else elsif end endalias endchoose endexists " +
    "endfor endforall endfunction endif endprocedure endrecord endrule endruleset endstartstate endswitch endwhile " +
    "enum error exists false for forall function if in invariant ismember isundefined multiset multisetadd " +
    "multisetcount multisetremove multisetremovepred of procedure put record return rule ruleset scalarset " +
    "startstate switch then to true type undefine undefined union var while"
  ).split(" "),
);
const TOKEN = /(\(\*|\*\))|([A-Za-z_][A-Za-z0-9_']*)|(#?\d+(?:\.\d+)?)|([^A-Za-z_#0-9(*]+|.)/g;
const MURPHI_TOKEN = /(--.*|\/\*|\*\/)|([A-Za-z_][A-Za-z0-9_]*)|(\d+)|("[^"]*"?|[^A-Za-z_0-9"/*-]+|.)/g;

/** The kind of a word of the language. */
function kindOf(word) {
  if (!word) return "";
  if (LANGUAGE.murphi) return MURPHI.has(word.toLowerCase()) ? "word" : "";
  return WORDS.has(word) ? "word" : TYPES.has(word) ? "type" : /^[A-Z]/.test(word) ? "name" : "";
}

/** The lines of a model with colours; comments go on over lines, and may nest but in Murphi. */
class Model {
  constructor(text) {
    this.lines = text.replace(/\n$/, "").split(/\r?\n/);
    let depth = 0;
    this.coloured = this.lines.map(line => {
      const pieces = [];
      for (const [piece, comment, word, number] of line.matchAll(LANGUAGE.murphi ? MURPHI_TOKEN : TOKEN)) {
        const isLine = depth === 0 && piece.startsWith("--");
        if (comment === "(*" || comment === "/*") depth = LANGUAGE.murphi ? 1 : depth + 1;
        const kind = depth > 0 || isLine ? "comment" : number ? "literal" : kindOf(word);
        if ((comment === "*)" || comment === "*/") && depth > 0) depth -= 1;
        const last = pieces[pieces.length - 1];
        if (last && last.kind === kind) last.text += piece;
        else pieces.push({ kind, text: piece });
      }
      return pieces;
    });
  }

  line(number) {
    const pieces = this.coloured[number - 1] || [];
    return element(
      "code",
      {},
      pieces.map(({ kind, text }) => (kind ? element("span", { class: kind }, text) : text)),
    );
  }

  /** Some lines, with links to where they stand. */
  excerpt({ first, last }) {
    const shown = Math.min(last, first + 29);
    const lines = [];
    for (let at = first; at <= shown; at += 1) {
      lines.push(
        element(
          "div",
          { class: "line" },
          element("a", { class: "number", href: `#L${at}` }, String(at)),
          this.line(at),
        ),
      );
    }
    if (shown < last)
      lines.push(element("div", { class: "line" }, element("span", { class: "number" }, "…")));
    return element(
      "div",
      { class: "listing", tabindex: "0", role: "group", "aria-label": `Lines ${first} to ${last}` },
      lines,
    );
  }

  /** All lines. Marks are places with a kind and a title. */
  whole(marks) {
    this.rows = this.lines.map((_, at) => {
      const number = at + 1;
      const mark = marks.find(one => one.first <= number && number <= one.last);
      const starts = mark && mark.first === number;
      return element(
        "div",
        { class: mark ? `line ${mark.kind}` : "line", id: `L${number}` },
        element("span", { class: "sign", title: mark && mark.title }, starts ? mark.sign : ""),
        element("a", { class: "number", href: `#L${number}` }, String(number)),
        this.line(number),
        starts ? element("span", { class: "remark" }, mark.title) : null,
      );
    });
    return element(
      "div",
      { class: "listing whole", tabindex: "0", role: "group", "aria-label": "The model" },
      this.rows,
    );
  }

  /** Scrolls to the first line that is marked. */
  showMarked() {
    this.scrollTo(this.rows.find(row => row.classList.length > 1));
  }

  /** Only the listing scrolls, not the page. */
  scrollTo(row) {
    const list = row && row.parentElement;
    if (list) list.scrollTop = Math.max(0, row.offsetTop - list.clientHeight / 3);
  }

  /** Marks the lines of the current step. */
  show(place) {
    for (const [at, row] of (this.rows || []).entries()) {
      const is = place && place.first <= at + 1 && at + 1 <= place.last;
      row.classList.toggle("now", Boolean(is));
    }
    this.scrollTo(place && this.rows && this.rows[place.first - 1]);
  }
}

/** A link to a line of the model. */
function lineLink(line, text) {
  return element("a", { href: `#L${line}` }, text || `line ${line}`);
}
