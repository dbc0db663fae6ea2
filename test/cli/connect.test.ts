import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { ensureProgram, ifProgram } from '../rig/npmPrograms.js';
import { useMachine } from '../server/machine/machineFixture.js';
import { cli, runLine, useTerminals, writeProgram } from './cliFixture.js';

/** A client with the `mcp add` and `mcp remove` of Codex, which writes what that writes. */
const CODEX = `#!/bin/sh
file=$HOME/.codex/config.toml
case "$1 $2" in
'mcp add') shift 4; printf '[mcp_servers.exec-sessions]\\ncommand = "%s"\\nargs = ["%s"]\\n' "$1" "$2" >"$file" ;;
'mcp remove') [ -n "$KEEPS" ] || : >"$file" ;;
esac
`;

describe('exec-sessions connect', () => {
  const machine = useMachine();
  const open = useTerminals(machine);
  const atHome = (...names: string[]) => path.join(machine.folder, 'home', ...names);
  const textOf = (...names: string[]) => fs.readFileSync(atHome(...names), 'utf8');
  const files = () => fs.readdirSync(atHome('.codex')).sort();
  const bin = () => path.join(machine.folder, 'bin');
  const run = (line: string) => runLine(machine, `PATH="${bin()}:$PATH"; exec-sessions connect ${line}`);

  beforeEach(() => {
    fs.mkdirSync(bin());
    fs.mkdirSync(atHome('.codex'));
    fs.writeFileSync(path.join(bin(), 'codex'), CODEX, { mode: 0o700 });
  });

  it('shows the changes, and makes none where nobody can be asked', async () => {
    const { stdout, stderr, code } = await run('codex');
    assert.match(stdout, new RegExp(`^  run codex mcp add exec-sessions -- ${cli} mcp$`, 'm'));
    assert.match(stdout, /^ {4}args = \["bridge","--stdio","--sessions"\]$/m);
    assert.match(
      stdout,
      /^ {2}With include_local = false, Codex has no shell if this program cannot start\.$/m,
    );
    assert.match(stderr, /Nothing was changed\. With --yes/);
    assert.equal(code, 1);
    assert.deepEqual(files(), []);
  });

  it('opens the doors once, finds them open, and closes them without a trace', async () => {
    fs.writeFileSync(atHome('.codex/config.toml'), '');
    const opened = await run('codex --yes');
    assert.deepEqual([opened.stderr, opened.code], ['', 0]);
    assert.match(opened.stdout, /^Codex, its own commands: open\.$/m);
    const before = textOf('.codex/environments.toml');
    const again = await run('codex --yes');
    assert.deepEqual([again.stdout, again.code], ['', 0]);
    assert.equal(textOf('.codex/environments.toml'), before);
    assert.match((await run('')).stdout, /^codex +Codex +open +open$/m);
    assert.equal((await run('codex --undo --yes')).code, 0);
    assert.deepEqual(files(), ['config.toml']);
    assert.equal(textOf('.codex/config.toml'), '');
  });

  it('asks a person at a terminal', async () => {
    const { env } = machine;
    for (const [answer, code] of [
      ['n', 1],
      ['y', 0],
    ] as const) {
      const terminal = await open(['connect', 'codex'], undefined, { PATH: `${bin()}:${env['PATH'] ?? ''}` });
      await terminal.shows('Do this? [y/N] ');
      assert.equal(fs.existsSync(atHome('.codex/environments.toml')), false);
      await terminal.type(`${answer}\r`);
      assert.equal(await terminal.ended(), code);
    }
    assert.deepEqual(files(), ['config.toml', 'environments.toml']);
  });

  it('leaves alone what others have written, and says what that is', async () => {
    fs.writeFileSync(atHome('.codex/environments.toml'), 'include_local = true\n');
    for (const line of ['codex --yes', 'codex --undo --yes']) {
      const { stderr, code } = await run(line);
      assert.match(stderr, /its own commands: left alone: \S+environments\.toml has other environments\./);
      assert.equal(code, 1);
      assert.equal(textOf('.codex/environments.toml'), 'include_local = true\n');
    }
    fs.writeFileSync(atHome('.codex/config.toml'), '[mcp_servers.exec-sessions]\ncommand = "mine"\n');
    assert.match((await run('codex --yes')).stderr, /config\.toml has another exec-sessions\./);
  });

  it('says that it cannot understand a file, and changes nothing', async () => {
    writeProgram(bin(), 'gemini', ['false']);
    fs.mkdirSync(atHome('.gemini'));
    fs.writeFileSync(atHome('.gemini/settings.json'), '{ // mine\n}');
    const { stdout, stderr, code } = await run('gemini --yes');
    assert.match(stderr, /our tools \(MCP\): left alone: \S+settings\.json cannot be read: /);
    assert.deepEqual([stdout, code], ['', 1]);
  });

  it('says that a client is missing, fails, or has not done it', async () => {
    assert.match((await run('copilot --yes')).stderr, /Copilot CLI is not installed: there is no copilot on/);
    writeProgram(bin(), 'qwen', ['sh', '-c', 'echo no room >&2; exit 1']);
    assert.match((await run('qwen --yes')).stderr, /^exec-sessions: qwen has not done it: no room$/m);
    assert.equal((await run('codex --yes')).code, 0);
    const { stderr, code } = await runLine(
      machine,
      `PATH="${bin()}:$PATH" KEEPS=1 exec-sessions connect codex --undo --yes`,
    );
    assert.match(stderr, /It is not closed after all\./);
    assert.equal(code, 1);
  });

  it('prints a line for clients that cannot be changed by a command', async () => {
    const { stdout, code } = await run('cursor-agent');
    const json = stdout.split('\n')[2] ?? '';
    assert.deepEqual(JSON.parse(json), {
      mcpServers: { 'exec-sessions': { command: cli, args: ['mcp'] } },
    });
    assert.match((await run('opencode')).stdout, /^ {2}run opencode mcp add exec-sessions -- /m);
    assert.equal(code, 0);
  });

  for (const name of ['claude', 'codex', 'gemini'] as const) {
    for (const program of ifProgram(name, name)) {
      it(`does so with the real ${name} @all`, async function () {
        this.timeout(60_000);
        const { file } = await ensureProgram(program);
        fs.rmSync(path.join(bin(), name), { force: true });
        writeProgram(bin(), name, name === 'gemini' ? [process.execPath, file] : [file]);
        const settings = '{\n  "env": { "A": "b" },\n\n  "model": "opus"\n}\n';
        fs.mkdirSync(atHome('.claude'));
        fs.writeFileSync(atHome('.claude/settings.json'), settings);
        const opened = await run(`${name} --yes`);
        assert.deepEqual([opened.stderr, opened.code], ['', 0]);
        const again = await run(`${name} --yes`);
        assert.deepEqual([again.stdout, again.code], ['', 0]);
        const listed = await runLine(machine, `PATH="${bin()}:$PATH" ${name} mcp list`);
        assert.match(listed.stdout + listed.stderr, /exec-sessions.*exec-sessions\.js/);
        const closed = await run(`${name} --undo --yes`);
        assert.deepEqual([closed.stderr, closed.code], ['', 0]);
        assert.equal(textOf('.claude/settings.json'), settings);
        assert.match((await run('')).stdout, new RegExp(`^${name} .*closed +(?:closed|-)$`, 'm'));
      });
    }
  }
});
