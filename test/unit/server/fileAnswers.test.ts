import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { Semaphore } from '../../../src/core/index.js';
import { ANSWER_BUDGET_BYTES, AnswerBudget } from '../../../src/server/methods/answerBudget.js';
import { ownFileWork } from '../../../src/server/methods/fileSystem/fileWork.js';
import { LISTING_BYTES } from '../../../src/server/methods/fileSystem/limits.js';
import { readWholeFile } from '../../../src/server/methods/fileSystem/wholeFiles.js';
import { until } from '../../support/until.js';
import { fileMethods } from '../../server/inProcess.js';
import { FakeConnection } from './connectionContext.js';

const KIB = 1024;

class RecordedBudget extends AnswerBudget {
  readonly asked: number[] = [];

  override run<T>(bytes: number, make: () => Promise<T>): Promise<T> {
    this.asked.push(bytes);
    return super.run(bytes, make);
  }
}

describe('Answers about files', () => {
  let folder = '';
  let connection: FakeConnection;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-answers-'));
    connection = new FakeConnection();
  });
  afterEach(() => {
    connection.end();
    fs.rmSync(folder, { recursive: true });
  });

  const list = (context: FakeConnection) =>
    fileMethods['fs/readDirectory']?.({ path: pathToFileURL(folder).href }, context);

  it('are listings, and a client that takes no answer gets only its share', async () => {
    connection.unsentCharacters = ANSWER_BUDGET_BYTES + 1;
    const atOnce = ANSWER_BUDGET_BYTES / LISTING_BYTES;
    const state = { made: 0 };
    const all = Array.from({ length: 3 * atOnce }, async () => {
      await list(connection);
      state.made += 1;
    });
    await until(() => state.made >= atOnce);
    // Another client is answered as often as it asks.
    for (let round = 0; round < 3 * atOnce; round += 1) {
      await list(new FakeConnection());
    }
    assert.equal(state.made, atOnce);
    connection.takesUpTo(0);
    await Promise.all(all);
  });

  it('are files that say 0 bytes, and as much of them is read as there is room for', async function () {
    if (process.platform !== 'linux') {
      return;
    }
    const room = new Semaphore(ANSWER_BUDGET_BYTES);
    const budget = new RecordedBudget(connection, { all: room, large: room });
    const endless = { path: 'file:///proc/self/pagemap' };
    // The kernel refuses the last byte, or it is too large.
    await assert.rejects(readWholeFile(endless, budget, ownFileWork, 512 * KIB));
    assert.deepEqual(budget.asked, [64 * KIB, 256 * KIB, 512 * KIB]);
  });
});
