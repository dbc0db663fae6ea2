import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

import { type ExecProcess, type InputWait, QUESTION_LENGTH } from '../../src/core/index.js';
import { utf8 } from '../support/bytes.js';
import { untilEvent } from '../support/collect.js';
import { describeOnLinux } from '../support/onLinux.js';
import { INTERACTIVE_BASH, sh } from '../support/startParams.js';
import { until } from '../support/until.js';
import { contractKinds, testsOf, useBackend } from './backends.js';

/** Reverses the order of later text. */
const UNSEEN = '\u202e';

/** Resolves once the process waits for that. */
const untilWait = (process: ExecProcess, wanted: InputWait) =>
  until(
    () => process.inputWait(),
    (wait) => isDeepStrictEqual(wait, wanted),
  );

for (const kind of contractKinds) {
  const it = testsOf(kind);
  describeOnLinux(`The wait for input on the ${kind.name} backend`, () => {
    const { start } = useBackend(kind);

    it('is a line with its question, until it is answered', async () => {
      const script = 'read -p "Proceed? (y/n) " x; echo "$x"; read y; exec sleep 1000';
      const process = await start({ argv: ['bash', '-c', script], tty: true });
      await untilWait(process, { kind: 'line', question: 'Proceed? (y/n)' });
      await process.write(utf8('yes\n'));
      await untilWait(process, { kind: 'line' });
      await process.write(utf8('\n'));
      await untilWait(process, { kind: 'none' });
    });

    it('is a secret, and a line again', async () => {
      const script = 'read -s -p "Password: " x; echo; exec cat';
      const process = await start({ argv: ['bash', '-c', script], tty: true });
      await untilWait(process, { kind: 'secret' });
      await process.write(utf8('secret\n'));
      await untilWait(process, { kind: 'line' });
    });

    it('is keys at the prompt of a shell, and a line where that reads one', async () => {
      const shell = await start({ ...INTERACTIVE_BASH, tty: true });
      await untilWait(shell, { kind: 'keys' });
      await shell.write(utf8('sh -c \'printf "Name: "; read x\'\n'));
      await untilWait(shell, { kind: 'line', question: 'Name:' });
      await shell.write(utf8('me\n'));
      await untilWait(shell, { kind: 'keys' });
    });

    it('is a question of 200 characters at most, the last of them, in one clean line', async () => {
      const text = `old\n\x1b[1m${'x'.repeat(500)} ${UNSEEN}a\tb?`;
      const process = await start({ argv: [...sh('printf %s "$0"; read x'), text], tty: true });
      const shown = 'x a b?';
      const length = QUESTION_LENGTH - UNSEEN.length;
      await untilWait(process, { kind: 'line', question: shown.padStart(length, 'x') });
    });

    it('is nobody’s where a program works, or has no input', async () => {
      const works = await start({ argv: ['sleep', '1000'], processId: 'works', tty: true });
      await untilWait(works, { kind: 'none' });
      const closed = await start({ argv: ['sleep', '1000'], processId: 'closed' });
      await untilWait(closed, { kind: 'none' });
    });

    it('is a pipe where somebody reads it', async () => {
      const process = await start({ argv: sh('head -n 1; exec sleep 1000'), pipeStdin: true });
      await untilWait(process, { kind: 'pipe' });
      await process.write(utf8('line\n'));
      await untilWait(process, { kind: 'none' });
    });

    it('is unknown after the exit', async () => {
      for (const tty of [true, false]) {
        const process = await start({ argv: ['true'], processId: `tty ${tty}`, tty });
        await untilEvent(process, 'exited');
        assert.equal(await process.inputWait(), undefined);
      }
    });
  });
}
