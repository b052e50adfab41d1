// The extension: starts `polycube lsp`, and leaves everything else to it.

const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function start() {
  const command = workspace.getConfiguration("polycube").get("path") || "polycube";
  const server = { command, args: ["lsp"] };
  const documents = { documentSelector: [{ language: "cubicle" }] };
  client = new LanguageClient("polycube", "Polycube", server, documents);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    window.showErrorMessage(`\`${command} lsp\` cannot be started (${error.message ?? error}): see the setting polycube.path.`);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function restart() {
  await stop();
  await start();
}

exports.activate = async (context) => {
  const isPathChanged = (change) => change.affectsConfiguration("polycube.path");
  context.subscriptions.push(
    commands.registerCommand("polycube.restart", restart),
    workspace.onDidChangeConfiguration((change) => (isPathChanged(change) ? restart() : undefined)),
  );
  await start();
};

exports.deactivate = stop;
