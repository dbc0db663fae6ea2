const { readFileSync } = require('node:fs');
const path = require('node:path');

const vscode = require('vscode');

/** Says how it went in a message, where the test that installs this extension reads it. */
function command(id, name, run) {
  return vscode.commands.registerCommand(id, async () => {
    const outcome = await run().catch((error) => error.message);
    void vscode.window.showInformationMessage(`${name}: ${outcome}`);
  });
}

const extension = () => vscode.extensions.getExtension('exec-sessions.exec-sessions');
const execSessions = () => extension().activate();

const FILES = ['extension.js', 'main.js', 'agent.js', 'node-pty.js'];

/** The files of the extension that are loaded, once it is active. Nothing is loaded by asking. */
async function loadedFiles() {
  while (!extension().isActive) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const isLoaded = (name) => Object.hasOwn(require.cache, `${extension().extensionPath}/dist/${name}`);
  return FILES.filter(isLoaded).join(', ');
}

/** The tools that VS Code has from the MCP server, by their names there. */
const toolsOfMcp = () =>
  vscode.lm.tools.flatMap(({ name }) => /^mcp_exec_sessions_(.+)$/.exec(name)?.[1] ?? []).sort();

async function startByTool(name, title) {
  const input = { cmd: 'sleep 1000', title, yield_time_ms: 0 };
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map(({ value }) => value).join('\n');
}

/** Starts what sessions.json in the workspace has, in its order, each with what `execSessions.newSession` takes. */
async function startMany() {
  const [{ uri }] = vscode.workspace.workspaceFolders;
  const text = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(uri, 'sessions.json'));
  const sessions = JSON.parse(new TextDecoder().decode(text));
  for (const session of sessions) {
    await vscode.commands.executeCommand('execSessions.newSession', session);
  }
  return `${sessions.length} started`;
}

/** Whether each session whose title begins with "count" has printed the numbers from 1, none twice and none left out. */
async function countOn() {
  const counting = (await execSessions())
    .list()
    .filter((session) => session.info().title.startsWith('count'));
  const found = await Promise.all(
    counting.map(async (session) => {
      const { chunks } = await session.read();
      const numbers = Buffer.concat(chunks.map(({ bytes }) => bytes))
        .toString()
        .split(/\r?\n/)
        .slice(0, -1);
      const wrong = numbers.findIndex((number, index) => number !== `n ${index + 1}`);
      return wrong < 0 ? 'on' : `${session.info().title}: line ${wrong + 1} is ${numbers[wrong]}`;
    }),
  );
  const right = found.filter((one) => one === 'on').length;
  return [`${right} count on`, ...found.filter((one) => one !== 'on')].join(', ');
}

exports.activate = ({ subscriptions }) => {
  let endRestless = () => Promise.reject(new Error('There is none.'));
  subscriptions.push(
    command('neighbour.api', 'API', async () => {
      const api = await execSessions();
      const session = await api.start({ commandLine: 'sleep 1000', title: 'by the API' });
      return session.info().state;
    }),
    // As many as the workspace's file says, one after the other, so that their order is known.
    command('neighbour.crowd', 'Crowd', async () => {
      const api = await execSessions();
      const [folder] = vscode.workspace.workspaceFolders;
      const starts = JSON.parse(readFileSync(path.join(folder.uri.fsPath, 'crowd.json'), 'utf8'));
      for (const options of starts) {
        await api.start(options);
      }
      return `${starts.length} started`;
    }),
    // VS Code draws a tree at once, and then only when nothing has changed for 200 ms.
    command('neighbour.restless', 'Restless', async () => {
      const api = await execSessions();
      const session = await api.start({ commandLine: 'sleep 1000', title: 'restless 0' });
      let count = 0;
      const renaming = setInterval(() => session.rename(`restless ${++count}`), 50);
      endRestless = () => {
        clearInterval(renaming);
        return session.stop();
      };
      return 'begun';
    }),
    command('neighbour.rest', 'Restless', async () => {
      await endRestless();
      return 'over';
    }),
    command('neighbour.tool', 'Tool', () => startByTool('exec_command', 'by the tool')),
    // VS Code gives the tools of its MCP servers such names.
    command('neighbour.mcp', 'MCP', () => startByTool('mcp_exec_sessions_exec_command', 'by MCP')),
    command('neighbour.environments', 'Environments', async () => {
      const api = await execSessions();
      return api
        .environments()
        .map(({ id }) => id)
        .join(', ');
    }),
    command('neighbour.many', 'Many', startMany),
    command('neighbour.count', 'Numbers', countOn),
    command('neighbour.loaded', 'Loaded', loadedFiles),
    command('neighbour.mistake', 'Settings', async () => {
      const settings = vscode.workspace.getConfiguration('execSessions');
      await settings.update('output.retainedMegabytes', 'many', true);
      return 'changed';
    }),
    command('neighbour.tools', 'Tools', async () => toolsOfMcp().join(', ') || 'none'),
    command('neighbour.awaitTools', 'Tools', async () => {
      const until = Date.now() + 20_000;
      while (toolsOfMcp().length === 0 && Date.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return toolsOfMcp().join(', ') || 'still none';
    }),
  );
};
