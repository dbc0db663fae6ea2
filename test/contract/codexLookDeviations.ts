import assert from 'node:assert/strict';

import { assertRejects } from '../support/assertRejects.js';
import { untilEvent } from '../support/collect.js';
import type { Deviation } from './deviations.js';

const NO_INPUT_MODE = 'the exec-server does not support inputMode';

const NO_INPUT_WAIT = 'the exec-server does not support inputWait';

const inputModeTests = [
  'is that of lines that are shown, at first',
  'tells when a program reads a secret, and when it has it',
  'differs at the prompt of a shell, and a secret is still detected there',
  'is that of keys for a program that takes each by itself',
  'is reported for programs that have closed their side of the terminal',
  'can be asked for by many at once, for many terminals',
  'is unknown without a terminal, and after the exit',
  'delays no end: a process that is being asked about exits and closes',
];

const inputWaitTests = [
  'is a line with its question, until it is answered',
  'is a secret, and a line again',
  'is keys at the prompt of a shell, and a line where that reads one',
  'is a question of 200 characters at most, the last of them, in one clean line',
  'is nobody’s where a program works, or has no input',
  'is a pipe where somebody reads it',
  'is unknown after the exit',
];

/** Deviations in the looks at terminals. */
export const codexLookDeviations: readonly Deviation[] = [
  ...inputModeTests.map((test) => ({
    test: `The input mode on the * backend > ${test}`,
    reason: 'the wire has nothing to ask for it with',
    instead: async ({ backend, start }: Parameters<Deviation['instead']>[0]) => {
      assert.equal(backend.capabilities.inputMode, false);
      const tty = await start({ argv: ['true'], processId: 'tty', tty: true });
      const error = await assertRejects(tty.inputMode(), -32600, NO_INPUT_MODE);
      assert.match(error.message, /cannot tell how a terminal takes input/);
      // The error comes for every process: a caller that ignores the capability finds out at once.
      await untilEvent(tty, 'closed');
      await assertRejects(tty.inputMode(), -32600, NO_INPUT_MODE);
      const pipes = await start({ argv: ['true'], processId: 'pipes' });
      await assertRejects(pipes.inputMode(), -32600, NO_INPUT_MODE);
    },
  })),
  ...inputWaitTests.map((test) => ({
    test: `The wait for input on the * backend > ${test}`,
    reason: 'the wire has nothing to ask for it with',
    instead: async ({ backend, start }: Parameters<Deviation['instead']>[0]) => {
      assert.equal(backend.capabilities.inputWait, false);
      const process = await start({ argv: ['cat'], tty: true });
      const error = await assertRejects(process.inputWait(), -32600, NO_INPUT_WAIT);
      assert.match(error.message, /cannot tell whether a program waits for input/);
    },
  })),
];
