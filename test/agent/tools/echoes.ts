import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { until } from '../../support/until.js';
import type { Answer, DeclareToolTest, ToolsFixture } from '../toolsSetup.js';

/** Too short for anything to happen that a test has not begun. */
const SHORTLY_MS = 20;
const SHELL = 'bash --norc -i';
const SHELL_PROMPT = '[$#] ?$';

/** The echo of an agent's own input is not the output that the agent waits for. */
export function echoTests(test: DeclareToolTest): void {
  test('waiting for a line in a shell is not over with the command that prints it', async (fixture) => {
    const { call, folder } = fixture;
    const session = await inTerminal(fixture, SHELL, SHELL_PROMPT);
    for (const build of ['first', 'second']) {
      await type(fixture, session, `${untilThereIs(folder, build)}; echo BUILD_DONE\n`);
      await shows(fixture, session, `${build}.*; echo BUILD_DONE`);
      const none = await notYet(fixture, session, 'BUILD_DONE');
      assert.match(
        none.line('Condition'),
        /taken for the echo of your input, at cursor ".*; echo BUILD_DONE$/,
      );
      await notYet(fixture, session, '^BUILD_DONE');
      fs.writeFileSync(path.join(folder, build), '');
      await finds(fixture, session, '^BUILD_DONE');
    }
    const known = await call('wait_for', { session, pattern: 'BUILD_DONE' });
    assert.match(
      known.line('Condition'),
      /^none met: .*\. A line that matches was there before this wait, at cursor ".*: BUILD_DONE$/,
    );
  });

  test('waiting for a line in a shell leaves out each of several commands, as often as it is shown', async (fixture) => {
    const { folder } = fixture;
    const session = await inTerminal(fixture, SHELL, SHELL_PROMPT);
    await type(fixture, session, `${untilThereIs(folder, 'go')}; echo ONE\n`);
    await type(fixture, session, `${untilThereIs(folder, 'on')}; echo TWO\n`);
    await notYet(fixture, session, 'TWO');
    // The shell shows the text that was typed ahead once more, at its next prompt.
    fs.writeFileSync(path.join(folder, 'go'), '');
    await shows(fixture, session, `[$#] until.*; echo TWO`);
    await notYet(fixture, session, 'TWO');
    await finds(fixture, session, '^ONE');
    await type(fixture, session, 'echo THREE\n');
    await shows(fixture, session, 'echo THREE');
    await notYet(fixture, session, 'THREE');
    fs.writeFileSync(path.join(folder, 'on'), '');
    await finds(fixture, session, '^THREE');
    assert.equal((await found(fixture, session, 'TWO', { from: '0' })).structured['matchedLine'], 'TWO');
  });

  test('waiting for a line in a shell leaves out what keys bring back, and what is typed ahead of another directory', async (fixture) => {
    const { folder } = fixture;
    const session = await inTerminal(fixture, `PS1='\\w $ ' ${SHELL}`, '[$] ?$');
    await type(fixture, session, `cd / && ${untilThereIs(folder, 'go')}; echo other\necho ONE\n`);
    await notYet(fixture, session, 'ONE');
    fs.writeFileSync(path.join(folder, 'go'), '');
    await finds(fixture, session, 'ONE');
    await type(fixture, session, `${untilThereIs(folder, 'on')}; echo TWO\n`);
    fs.writeFileSync(path.join(folder, 'on'), '');
    await finds(fixture, session, 'TWO');
    fs.rmSync(path.join(folder, 'on'));
    await type(fixture, session, '\u001b[A\r');
    await shows(fixture, session, '[$] until.*; echo TWO');
    await notYet(fixture, session, 'TWO');
    fs.writeFileSync(path.join(folder, 'on'), '');
    await finds(fixture, session, 'TWO');
  });

  test('waiting for a line leaves out what is typed while a shell is only starting, whatever its prompt', async (fixture) => {
    const { folder } = fixture;
    const shell = `echo up; ${untilThereIs(folder, 'up')}; PS1="nexus ~ " ${SHELL}`;
    for (const cmd of [shell, `script -q -c '${shell}' /dev/null`]) {
      const session = await inTerminal(fixture, cmd, '^up');
      await type(fixture, session, `${untilThereIs(folder, 'go')}; echo DONE\n`);
      await shows(fixture, session, '^until.*; echo DONE');
      fs.writeFileSync(path.join(folder, 'up'), '');
      await shows(fixture, session, 'nexus ~ until.*; echo DONE');
      await notYet(fixture, session, 'DONE');
      fs.writeFileSync(path.join(folder, 'go'), '');
      await finds(fixture, session, 'DONE');
      for (const file of ['up', 'go']) {
        fs.rmSync(path.join(folder, file));
      }
    }
  });

  test('waiting for a line leaves out what is typed while a REPL is long in starting', async (fixture) => {
    const { call, folder } = fixture;
    for (const [program, wait] of [
      ['python3 -q -i', pythonUntil],
      ['node -i', nodeUntil],
    ] as const) {
      const [up, go] = ['up', 'go'].map((name) => `${name} ${program}`);
      const session = await inTerminal(
        fixture,
        `echo up; until [ -e '${folder}/${up}' ]; do sleep 0.05; done; ${program}`,
        '^up',
      );
      await type(fixture, session, wait(path.join(folder, go ?? '')));
      await shows(fixture, session, 'READY');
      // Waits until later output is too late for an echo.
      const quiet = await call('wait_for', { session, quiet_ms: 1_200, timeout_ms: 55_000 });
      assert.deepEqual(quiet.structured['met'], ['quiet_ms'], quiet.text);
      fs.writeFileSync(path.join(folder, up ?? ''), '');
      await shows(fixture, session, '> .*READY');
      await notYet(fixture, session, 'READY');
      fs.writeFileSync(path.join(folder, go ?? ''), '');
      await found(fixture, session, '^(> )?READY');
    }
  });

  test('waiting for a line leaves out an answer that is typed after its question', async (fixture) => {
    const session = await fixture.start({
      argv: ['python3', '-c', 'import readline; input("Name: "); input("End: ")'],
      tty: true,
    });
    await shows(fixture, session, '^Name:');
    await type(fixture, session, 'bill\n');
    await shows(fixture, session, '^End:');
    assert.match(
      (await notYet(fixture, session, 'bill')).line('Condition'),
      /taken for the echo of your input/,
    );
  });

  test('waiting for a line in a terminal leaves out its echo alone', async (fixture) => {
    const session = await inTerminal(fixture, 'echo go; cat', '^go');
    await type(fixture, session, 'hello\n');
    // The terminal shows it, then the program prints it.
    await finds(fixture, session, 'hello');
    const long = 'w'.repeat(200);
    await type(fixture, session, `${long}\nand more\n`);
    await finds(fixture, session, 'and more');
    assert.equal(lineOf(await found(fixture, session, '^w+$')), long);
    await type(fixture, session, 'in ');
    await shows(fixture, session, '^in');
    await notYet(fixture, session, 'in');
    await type(fixture, session, 'pieces\n');
    await finds(fixture, session, 'in pieces');
  });

  test('waiting for a line in a REPL leaves out what is typed there', async (fixture) => {
    const repls = [
      { program: 'python3 -q -i', prompt: '>>> ?$', wait: pythonUntil, print: 'print("A" + "GAIN")' },
      { program: 'node -i', prompt: '^> ?$', wait: nodeUntil, print: 'console.log("A" + "GAIN")' },
    ];
    for (const { program, prompt, wait, print } of repls) {
      const session = await inTerminal(fixture, program, prompt);
      const go = path.join(fixture.folder, program.replaceAll(' ', ''));
      await type(fixture, session, wait(go));
      await shows(fixture, session, 'READY');
      await notYet(fixture, session, 'READY');
      fs.writeFileSync(go, '');
      const ready = await found(fixture, session, '^READY');
      // Node prints it after its prompt, which an answer may have shown by now.
      assert.match(String(lineOf(ready)), /^(> )?READY$/);
      await type(fixture, session, `${print}\n`);
      await finds(fixture, session, 'AGAIN');
    }
  });

  test('waiting for a line finds what a program prints that shows nothing of what is typed', async (fixture) => {
    const session = await inTerminal(
      fixture,
      `stty -echo -icanon; echo go; read x; echo "got $x"; ${untilThereIs(fixture.folder, 'go')}; echo "$x"`,
      '^go',
    );
    await type(fixture, session, 'hello\n');
    await finds(fixture, session, 'hello', 'got hello');
    fs.writeFileSync(path.join(fixture.folder, 'go'), '');
    await finds(fixture, session, '^hello');
  });

  test('waiting for a line finds one that begins after a prompt which an answer has shown', async (fixture) => {
    for (const tty of [true, false]) {
      const go = `go on ${tty ? 'a terminal' : 'pipes'}`;
      const wait = `until [ -e '${path.join(fixture.folder, go)}' ]; do sleep 0.05; done`;
      const session = await fixture.start({ cmd: `printf 'ready> '; ${wait}; echo DONE; ${wait}`, tty });
      await found(fixture, session, '^ready>');
      await notYet(fixture, session, '^DONE');
      fs.writeFileSync(path.join(fixture.folder, go), '');
      // The answer shows it as a line of its own.
      const reply = await finds(fixture, session, '^DONE', 'ready> DONE');
      assert.match(reply.output, /^DONE\n/);
    }
  });

  test('waiting for a line on pipes leaves out nothing', async (fixture) => {
    const session = await fixture.start({ argv: ['cat'], stdin: true });
    await type(fixture, session, 'hello\n');
    await finds(fixture, session, 'hello');
    await type(fixture, session, 'again\n');
    await notYet(fixture, session, 'hello');
  });
}

function untilThereIs(folder: string, name: string): string {
  return `until [ -e ${path.join(folder, name)} ]; do sleep 0.05; done`;
}

function pythonUntil(file: string): string {
  const loop = `while not os.path.exists('${file}'): time.sleep(0.05)`;
  return `import os, time; exec("${loop}"); print("READY")\n`;
}

function nodeUntil(file: string): string {
  const look = `if (fs.existsSync("${file}")) { clearInterval(timer); console.log("READY"); }`;
  return `timer = setInterval(() => { ${look} }, 20) && 0\n`;
}

/** Starts a command in a terminal, and waits until it takes input. */
async function inTerminal(fixture: ToolsFixture, cmd: string, prompt: string): Promise<number> {
  const session = await fixture.start({ cmd, tty: true });
  await found(fixture, session, prompt);
  return session;
}

async function type({ call }: ToolsFixture, session: number, chars: string): Promise<void> {
  const reply = await call('write_stdin', { session, chars, yield_time_ms: 0 });
  assert.equal(reply.isError, false, reply.text);
}

/** Waits until a line is in the output, as echo or otherwise. This leaves the agent's knowledge as it is. */
async function shows({ call }: ToolsFixture, session: number, search: string): Promise<void> {
  await until(async () => {
    const reply = await call('read_output', { session, search }, { agent: 'onlooker' });
    return Number(reply.structured['total']) > 0;
  });
}

async function found(
  fixture: ToolsFixture,
  session: number,
  pattern: string,
  more: object = {},
): Promise<Answer> {
  const reply = await fixture.call('wait_for', { session, pattern, timeout_ms: 55_000, ...more });
  assert.ok(lineOf(reply) !== undefined, reply.text);
  return reply;
}

/** Waits for a line. */
async function finds(
  fixture: ToolsFixture,
  session: number,
  pattern: string,
  line?: string,
): Promise<Answer> {
  const reply = await found(fixture, session, pattern);
  assert.equal(lineOf(reply), line ?? pattern.replace('^', ''));
  return reply;
}

/** The line that was found, even if an earlier answer had it. */
function lineOf({ structured }: Answer): unknown {
  return structured['matchedLine'] ?? structured['shownLine'];
}

async function notYet({ call }: ToolsFixture, session: number, pattern: string): Promise<Answer> {
  const reply = await call('wait_for', { session, pattern, timeout_ms: SHORTLY_MS });
  assert.equal(reply.structured['ending'], 'time', reply.text);
  assert.deepEqual(reply.structured['met'], [], reply.text);
  return reply;
}
