import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import {
  claudeDoorFile,
  closeClaudeDoor,
  DoorFolder,
  doorFolders,
  openClaudeDoor,
} from '../../src/machine/index.js';
import { ensureProgram, ifProgram } from '../rig/npmPrograms.js';
import { isRunning } from '../support/processes.js';
import { until } from '../support/until.js';
import { clientFolder, runToEnd } from './clientProgram.js';
import { claudeDialect } from './dialects.js';
import { claudeServers, claudeVariables, clientVariables } from './npmClients.js';
import { ScriptedModel, type Texts, type ToolScript } from './scriptedModel.js';

/** An MCP server that makes a file once it has been asked something. */
const MCP = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  require('node:fs').writeFileSync('mcp', '');
  const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'mine', version: '1' } };
  const answer = method === 'initialize' ? { result } : { error: { code: -32601, message: 'unknown' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});`;

for (const program of ifProgram('claude', 'claude' as const)) {
  describe('Claude Code with its door open', () => {
    let folder: string;
    let remove: () => Promise<void>;
    let env: Readonly<Record<string, string>>;
    let door: DoorFolder;

    before(async function () {
      await ensureProgram(program);
    });

    beforeEach(() => {
      ({ folder, remove } = clientFolder('home/.claude', 'tmp', 'run', 'work'));
      fs.chmodSync(path.join(folder, 'run'), 0o700);
      env = { HOME: path.join(folder, 'home'), XDG_RUNTIME_DIR: path.join(folder, 'run') };
      openClaudeDoor(env);
      const [place = ''] = doorFolders(env);
      door = new DoorFolder(place, claudeDoorFile(env));
      door.read();
    });

    afterEach(() => remove());

    const work = (...names: string[]) => path.join(folder, 'work', ...names);

    /** Runs it to its end. Resolves with the answers that its model has got. */
    async function play(script: ToolScript): Promise<Texts> {
      const { file } = await ensureProgram(program);
      const model: ScriptedModel<never> = await ScriptedModel.start(script, claudeDialect());
      const servers = { mine: { command: process.execPath, args: ['-e', MCP] } };
      const asked = [file, '--print', 'Do as you are told.', '--output-format', 'json'] as const;
      try {
        await runToEnd({
          argv: [...asked, ...claudeServers(folder, servers, 'Bash,TaskStop')],
          cwd: work(),
          env: { ...clientVariables(folder, model), ...claudeVariables(model), SHELL: '/bin/bash', ...env },
          marker: folder,
        });
      } finally {
        model.close();
      }
      model.rethrow();
      assert.equal(model.stepsLeft, 0);
      return model.texts;
    }

    const bash = (id: string, command: string, more: object = {}) => ({
      id,
      tool: 'Bash',
      args: { command, description: id, ...more },
    });

    it('runs commands as without it, and tells of them @all', async () => {
      const commands = ['cd sub && pwd', `echo "it's"; pwd; exit 3`, "cat <<'END'\nline\nEND", 'kill -9 $$'];
      const script = () => commands.map((command, at) => () => bash(String(at), command));
      fs.mkdirSync(work('sub'));
      const withDoor = [...(await play(script()))];
      const records = door.read();
      assert.deepEqual(
        records.map(({ command, end }) => [command, end?.exitCode]),
        [
          ['cd sub && pwd', 0],
          [`echo "it's"; pwd; exit 3`, 3],
          ["cat <<'END' line END", 0],
          ['kill -9 $$', 137],
        ],
      );
      assert.deepEqual(
        records.map(({ cwd }) => cwd),
        [work(), ...Array<string>(3).fill(work('sub'))],
      );
      assert.equal(new Set(records.map(({ conversation = '-' }) => conversation)).size, 1);
      assert.match(records[0]?.conversation ?? '', /^[0-9a-f-]{36}$/);
      assert.ok(fs.existsSync(work('mcp')), 'The MCP server has got nothing.');
      closeClaudeDoor(env);
      assert.deepEqual(withDoor.slice(0, 3), [...(await play(script()))].slice(0, 3));
      assert.deepEqual(door.read(), records);
    });

    it('still obeys a guard, with a shell that would not @all', async () => {
      const guard = `cat > ../guarded; echo 'not this' >&2; exit 2`;
      const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: guard }] }] };
      const file = path.join(folder, 'home/.claude/settings.json');
      const settings = JSON.parse(fs.readFileSync(file, 'utf8')) as object;
      fs.writeFileSync(file, JSON.stringify({ ...settings, hooks }));
      env = { ...env, SHELL: '/bin/false', CLAUDE_CODE_SHELL: '/bin/bash' };
      const texts = await play([() => bash('guarded', 'touch done')]);
      assert.match(texts.get('guarded') ?? '', /not this/);
      assert.match(fs.readFileSync(path.join(folder, 'guarded'), 'utf8'), /"command":"touch done"/);
      assert.ok(!fs.existsSync(work('done')));
      assert.deepEqual(door.read(), []);
    });

    it('stops a command in the background, whose exit code is then unknown @all', async () => {
      const server = 'echo $$ > pid; until [ -e go ]; do sleep 0.1; done';
      let running = 0;
      const texts = await play([
        () => bash('background', server, { run_in_background: true }),
        () => bash('look', 'until [ -s pid ]; do sleep 0.1; done; cat pid'),
        (seen) => {
          running = door.read().filter(({ end }) => end === undefined).length;
          const id = /ID: (\w+)/.exec(seen.get('background') ?? '')?.[1] ?? '';
          return { id: 'stop', tool: 'TaskStop', args: { task_id: id } };
        },
        () => bash('last', 'true'),
      ]);
      assert.match(texts.get('stop') ?? '', /Successfully stopped/);
      assert.equal(running, 1);
      const pid = Number(fs.readFileSync(work('pid'), 'utf8'));
      await until(() => isRunning(pid), false);
      await until(() => door.read().every(({ end }) => end !== undefined));
      const stopped = door.read().find(({ command }) => command === server);
      assert.ok(stopped?.end !== undefined && stopped.end.exitCode === undefined);
    });
  });
}
