import assert from 'node:assert/strict';

import { hasCodex } from '../../rig/codex.js';
import { lineKinds } from './lines.js';
import { round } from './round.js';
import { forecast } from './weather.js';

/** Chooses the cuts; a run with another one says which. */
const SEED = Number(process.env['EXEC_SESSIONS_SEED'] ?? 11);

/** The cuts for each line, so 32 in all. */
const CUTS = 8;

describe(`A slow line that is cut again and again (EXEC_SESSIONS_SEED=${SEED}) @all`, () => {
  // The lines are mostly waiting, so all run side by side, beginning with the first test.
  const kinds = lineKinds.filter(({ isCodex }) => !isCodex || hasCodex());
  let rounds: Promise<Awaited<ReturnType<typeof round>>>[] = [];
  before(() => {
    rounds = kinds.map(async (kind, index) => {
      const line = await kind.open();
      try {
        return await round(line, forecast(SEED + index, CUTS, kind.cuts), String(SEED + index));
      } finally {
        await line.stop();
      }
    });
    // A round that fails is the failure of its own test.
    for (const each of rounds) each.catch(() => undefined);
  });

  for (const [index, { name }] of kinds.entries()) {
    it(`loses and doubles nothing: ${name}`, async () => {
      const { cuts, numbers, writes, ...faults } = (await rounds[index]) ?? assert.fail();
      assert.deepEqual(faults, {
        missing: 0,
        doubled: 0,
        writesMissing: 0,
        writesRepeated: 0,
        sessionsLost: 0,
      });
      assert.ok(cuts === CUTS && numbers > 1_000 && writes > 10);
    });
  }
});
