import assert from 'node:assert/strict';

import { useMachine } from '../server/machine/machineFixture.js';
import { ASKS_ANEW, KNOWS_PASTES } from '../support/lineReaders.js';
import { runLine } from './cliFixture.js';

describe('exec-sessions send', () => {
  const machine = useMachine();

  for (const [title, script, ready, output] of [
    [
      'types several lines one after the other',
      ASKS_ANEW,
      'first\\?',
      /first is a\r*\n[^]*second is b\r*\n[^]*third is c/,
    ],
    ['pastes several lines where the program knows pastes', KNOWS_PASTES, 'ready', /pasted "a\\rb\\rc\\r"/],
  ] as const) {
    it(title, async () => {
      const line = [
        `exec-sessions run --detach --title it -- '${process.execPath}' -e '${script}'`,
        `exec-sessions wait it --for '/${ready}/'`,
        `exec-sessions send it $'a\\nb\\nc'`,
        `exec-sessions wait it`,
        `exec-sessions logs it`,
      ].join(' && ');
      const { stdout, stderr } = await runLine(machine, line);
      assert.match(stdout, output, stderr);
    });
  }
});
