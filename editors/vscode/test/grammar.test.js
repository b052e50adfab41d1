// The grammar, as an editor reads it.

const assert = require("node:assert");
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { test } = require("node:test");
const oniguruma = require("vscode-oniguruma");
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");

const grammarFile = join(__dirname, "../syntaxes/cubicle.tmLanguage.json");

async function grammar() {
  await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => parseRawGrammar(readFileSync(grammarFile, "utf8"), grammarFile),
  });
  return registry.loadGrammar("source.cubicle");
}

// The innermost scope of each word of a text, without its ending.
function scopes(loaded, text) {
  const found = [];
  let state = INITIAL;
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = loaded.tokenizeLine(line, state);
    state = ruleStack;
    for (const { startIndex, endIndex, scopes } of tokens) {
      const word = line.slice(startIndex, endIndex).trim();
      const scope = scopes[scopes.length - 1].replace(/\.cubicle$/, "");
      if (word !== "") found.push([word, scope]);
    }
  }
  return found;
}

test("words are what they are", async () => {
  const loaded = await grammar();
  const check = (text, ...expected) => {
    const found = scopes(loaded, text);
    for (const [word, scope] of expected) {
      assert.ok(
        found.some(([one, other]) => one === word && other === scope),
        `${word} should be ${scope} in ${JSON.stringify(found)}`,
      );
    }
  };
  check("type place = Outside", ["type", "keyword.declaration"], ["place", "entity.name.type"]);
  check("array Place[proc] : place", ["Place", "variable.other.array"], ["proc", "support.type"]);
  check("transition enter (p)", ["enter", "entity.name.function"], ["p", "variable.parameter"]);
  check("requires { forall_other q. Place[q] = Inside && #2 <> q }", ["requires", "keyword.control"]);
  check("{ forall_other q. X }", ["forall_other", "keyword.operator.quantifier"]);
  check("{ X := 12.5; }", [":=", "keyword.operator.assignment"], ["12.5", "constant.numeric"]);
  check("#2 <> p", ["#2", "constant.other.process"], ["<>", "keyword.operator.comparison"]);
  check("(* a (* b *) var *) var", ["var", "keyword.declaration"]);
  const inside = scopes(loaded, "(* a (* b *)\nvar *) var // var");
  assert.deepStrictEqual(
    inside.filter(([word]) => word === "var").map(([, scope]) => scope),
    ["comment.block", "keyword.declaration"],
  );
});
