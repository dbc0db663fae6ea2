import assert from 'node:assert/strict';

import { describeOnLinux } from '../../support/onLinux.js';
import { attacks } from './attacks.js';

/** Chooses what happens by chance; a run with another one says which. */
const SEED = Number(process.env['EXEC_SESSIONS_SEED'] ?? 13);
/** An attack that waits for something in vain says what for, before this time is over. */
const LIMIT_MS = 200_000;

describeOnLinux(`An attack (EXEC_SESSIONS_SEED=${SEED}) @all`, () => {
  for (const attack of attacks) {
    const { name, unit, amount } = attack;
    it(`is held: ${name}, ${amount.short} ${unit}`, async () => {
      const { counts, faults } = await attack.run(amount.short, SEED);
      assert.deepEqual(faults, []);
      assert.ok(Object.values(counts).some((count) => count > 0));
    }).timeout(LIMIT_MS);
  }
});
