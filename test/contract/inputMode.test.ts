import assert from 'node:assert/strict';

import type { ExecProcess, InputMode } from '../../src/core/index.js';
import { utf8 } from '../support/bytes.js';
import { untilEvent, untilOutput } from '../support/collect.js';
import { until } from '../support/until.js';
import { INTERACTIVE_BASH, sh } from '../support/startParams.js';
import { contractKinds, testsOf, useBackend } from './backends.js';

const LINES: InputMode = { canonical: true, echo: true, enterIsLineFeed: true };
const SECRET: InputMode = { canonical: true, echo: false, enterIsLineFeed: true };
const KEYS: InputMode = { canonical: false, echo: false };

/** Resolves once the terminal takes input that way. */
async function untilMode(process: ExecProcess, wanted: InputMode): Promise<void> {
  await until(async () => {
    const mode = await process.inputMode();
    assert.ok(mode, 'It cannot be told.');
    const { canonical, echo } = mode;
    return canonical === wanted.canonical && echo === wanted.echo;
  });
}

for (const kind of contractKinds) {
  const it = testsOf(kind);
  describe(`The input mode on the ${kind.name} backend`, () => {
    const fixture = useBackend(kind);
    const { start } = fixture;

    it('is that of lines that are shown, at first', async () => {
      const cat = await start({ argv: ['cat'], tty: true });
      assert.deepEqual(await cat.inputMode(), LINES);
    });

    it('tells when a program reads a secret, and when it has it', async () => {
      const script = 'read -s -p "Password: " x; echo; echo "It has ${#x} characters."; exec cat';
      const process = await start({ argv: ['bash', '-c', script], tty: true });
      await untilOutput(process, 'Password: ');
      await untilMode(process, SECRET);
      await process.write(utf8('secret\n'));
      await untilOutput(process, 'It has 6 characters.');
      assert.deepEqual(await process.inputMode(), LINES);
    });

    it('differs at the prompt of a shell, and a secret is still detected there', async () => {
      const shell = await start({ ...INTERACTIVE_BASH, tty: true });
      await untilMode(shell, KEYS);
      await shell.write(utf8('read -s x\n'));
      await untilMode(shell, SECRET);
      await shell.write(utf8('secret\n'));
      await untilMode(shell, KEYS);
    });

    it('is that of keys for a program that takes each by itself', async () => {
      const editor = await start({ argv: sh('stty raw -echo; exec cat'), tty: true });
      await untilMode(editor, KEYS);
    });

    it('is reported for programs that have closed their side of the terminal', async () => {
      const script = 'stty -echo; echo ready; exec 0<&- 1>&- 2>&-; exec sleep 100';
      const process = await start({ argv: sh(script), tty: true });
      await untilOutput(process, 'ready');
      assert.deepEqual(await process.inputMode(), SECRET);
    });

    it('can be asked for by many at once, for many terminals', async () => {
      const processes = await Promise.all(
        Array.from({ length: 5 }, (_, index) =>
          start({ argv: sh('stty -echo; echo ready; exec cat'), processId: `p${index}`, tty: true }),
        ),
      );
      await Promise.all(processes.map((process) => untilMode(process, SECRET)));
      const modes = await Promise.all(
        processes.flatMap((process) => Array.from({ length: 10 }, () => process.inputMode())),
      );
      assert.equal(modes.length, 50);
      modes.forEach((mode) => assert.deepEqual(mode, SECRET));
    });

    it('is unknown without a terminal, and after the exit', async () => {
      const pipes = await start({ argv: ['cat'], processId: 'pipes', pipeStdin: true });
      assert.equal(await pipes.inputMode(), undefined);
      const ended = await start({ argv: ['true'], processId: 'ended', tty: true });
      await untilEvent(ended, 'exited');
      assert.equal(await ended.inputMode(), undefined);
      // This holds also while another process keeps the terminal open.
      const left = await start({ argv: sh(`trap '' HUP; sleep 100 & exit`), processId: 'left', tty: true });
      await untilEvent(left, 'exited');
      assert.equal(await left.inputMode(), undefined);
    });

    it('delays no end: a process that is being asked about exits and closes', async () => {
      assert.equal(fixture.backend.capabilities.inputMode, true);
      for (let run = 0; run < 10; run += 1) {
        const process = await start({ argv: sh('echo out; exit 3'), processId: `p${run}`, tty: true });
        const asked = [process.inputMode(), process.inputMode()];
        const closed = untilEvent(process, 'closed');
        await Promise.all([closed, ...asked]);
        assert.equal(await process.inputMode(), undefined);
        assert.deepEqual(process.info().exit, { exitCode: 3 });
      }
    });
  });
}
