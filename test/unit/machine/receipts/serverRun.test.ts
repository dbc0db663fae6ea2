import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { bootId, processNamespace, startTimeOf } from '../../../../src/local/index.js';
import { receiptPlaceIn } from '../../../../src/machine/index.js';
import { readRuns } from '../../../../src/machine/receipts/serverRun.js';

describe('A server that has written receipts', () => {
  const { pid } = process;
  const running = { pid, startTime: startTimeOf(pid), boot: bootId(), namespace: processNamespace() };

  it('runs if its process does, and not if another one of an earlier boot had that number', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-runs-'));
    const place = receiptPlaceIn(folder);
    fs.mkdirSync(place.runs);
    const [here, before] = [randomUUID(), randomUUID()];
    fs.writeFileSync(path.join(place.runs, here), JSON.stringify(running));
    fs.writeFileSync(path.join(place.runs, before), JSON.stringify({ ...running, boot: randomUUID() }));
    const runs = await readRuns(place, Date.now());
    assert.deepEqual([runs.get(here)?.runs, runs.get(before)?.runs], [true, false]);
    fs.rmSync(folder, { recursive: true });
  });
});
