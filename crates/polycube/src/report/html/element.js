"use strict";
// Elements of the page. Texts are always set as texts: nothing in a report is taken for HTML.

/** The language of the model: set before anything is shown. */
const LANGUAGE = { murphi: false };

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children: elements, texts, or lists of these. */
function element(tag, attributes, ...children) {
  return furnished(document.createElement(tag), attributes, children);
}

function drawn(tag, attributes, ...children) {
  return furnished(document.createElementNS(SVG, tag), attributes, children);
}

function furnished(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) {
      made.addEventListener(name.slice(2), value);
    } else if (value === true) {
      made.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, value);
    }
  }
  made.append(...children.flat(9).filter(child => child !== null && child !== undefined && child !== false));
  return made;
}

/** A part of the page with a heading, to which the list of contents leads. */
function section(id, title, ...content) {
  return element(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    element("h2", { id: `${id}-title` }, title),
    content,
  );
}

/** `1 step`, `2 steps`. */
function counted(count, thing) {
  const several = thing.endsWith("s") ? `${thing}es` : `${thing}s`;
  return `${grouped(count)} ${count === 1 ? thing : several}`;
}

/** A number as people write it: `12,345`, `0.25`. */
function grouped(number) {
  return typeof number === "number" && !Number.isInteger(number)
    ? number.toFixed(number < 10 ? 2 : 0)
    : String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `a, b and c`. */
function listed(parts) {
  return parts.length < 2
    ? parts.join("")
    : `${parts.slice(0, -1).join(", ")} and ${parts[parts.length - 1]}`;
}

/** `solver_calls` as words. */
function spoken(name) {
  return name.replace(/_/g, " ");
}

/** A table with a row of headings; entries are texts or elements. */
function table(headings, rows, attributes) {
  return element(
    "div",
    { class: "scroll" },
    element(
      "table",
      attributes,
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          headings.map(heading => element("th", { scope: "col" }, heading)),
        ),
      ),
      element(
        "tbody",
        {},
        rows.map(row =>
          element(
            "tr",
            {},
            row.map(entry => element("td", {}, entry)),
          ),
        ),
      ),
    ),
  );
}

/** Names and values below each other. */
function pairs(entries, kind) {
  return element(
    "dl",
    { class: `pairs ${kind || ""}` },
    entries.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))),
  );
}

/** A sentence in which `backticks` mean code. */
function sentence(text) {
  return text.split("`").map((part, at) => (at % 2 ? element("code", {}, part) : part));
}

/** A clause of the model with what is known about it: a tone, an answer and further remarks. */
function clauseItem(model, place, name, { tone, answer }, ...more) {
  const sign = { good: "✓", bad: "✗", open: "?" }[tone];
  return element(
    "li",
    { class: "clause" },
    element(
      "p",
      {},
      element("b", {}, name),
      " ",
      lineLink(place.first),
      " ",
      element("span", { class: `answer ${tone}` }, `${sign} ${answer}`),
      more.map(part => (part ? [" ", part] : "")),
    ),
    model.excerpt(place),
  );
}

/** A transition with its processes: `enter(#1, #2)`; a rule of Murphi needs no parentheses for nothing. */
function call(step) {
  return LANGUAGE.murphi && step.arguments.length === 0
    ? step.transition
    : `${step.transition}(${step.arguments.join(", ")})`;
}
