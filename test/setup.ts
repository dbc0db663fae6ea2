import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import fc from 'fast-check';

import { removeFolder } from './rig/lifetime.js';
import { linkTsxCache, temporaryVariables } from './rig/temporaryFiles.js';

/**
 * Generated values are the same in each run, so that a failure is due to a change, and not to luck. Another seed, such
 * as `EXEC_SESSIONS_SEED=$RANDOM npm test -- unit`, looks for values that no run has met yet.
 */
fc.configureGlobal({
  seed: Number(process.env['EXEC_SESSIONS_SEED'] ?? 17),
  numRuns: Number(process.env['EXEC_SESSIONS_PROPERTY_RUNS'] ?? 10),
});

const common = os.tmpdir();
let own = common;

/** Each test has a folder of its own for temporary files. */
export const mochaHooks = {
  beforeEach() {
    own = fs.mkdtempSync(path.join(common, 't-'));
    // Programs that run as another user come through it.
    fs.chmodSync(own, 0o711);
    linkTsxCache(own);
    Object.assign(process.env, temporaryVariables(own));
  },
  afterEach() {
    Object.assign(process.env, temporaryVariables(common));
    try {
      removeFolder(own);
    } catch {
      // Something writes there still: the end of the stage removes it.
    }
  },
};
