import assert from 'node:assert/strict';

import { systemClock } from '../../src/core/index.js';
import { LocalBackend } from '../../src/local/index.js';
import { OutputFolder } from '../../src/machine/index.js';
import { DiskLimits } from '../../src/server/outputFiles/diskLimits.js';
import { OutputFiles } from '../../src/server/outputFiles/outputFiles.js';
import { until } from '../support/until.js';
import { params, sh } from '../support/startParams.js';

describe('Output of a user without a home', () => {
  it('is not kept on disk, and the process goes on; this is said once', async () => {
    const backend = new LocalBackend({ clock: systemClock });
    const limits = new DiskLimits();
    limits.keep = true;
    const lines: string[] = [];
    const files = new OutputFiles({
      backend,
      clock: systemClock,
      folder: new OutputFolder(undefined),
      limits,
      log: (line) => lines.push(line),
    });
    try {
      const process = await backend.start({
        ...params({ argv: sh('read x; echo "got $x"') }),
        owned: true,
        pipeStdin: true,
      });
      const said = () => process.info().metadata['keepOutputEnded'];
      await until(() => said() !== undefined);
      const reason = 'you have no home folder here. Set HOME or XDG_STATE_HOME';
      assert.deepEqual(said(), { reason });
      await process.write(Buffer.from('it\n'));
      await until(() => process.info().state, 'closed');
      assert.equal(process.info().output.bytes, 'got it\n'.length);
      const nothing = { chunks: [], missing: [] };
      for (const name of [process.processId, 'earlier']) {
        assert.deepEqual(await files.read(name, { afterSeq: 0, maxBytes: 1 }), nothing);
      }
      assert.deepEqual(lines, [`The output of ${process.processId} is not kept on disk any more: ${reason}`]);
    } finally {
      files.leave();
      await backend.shutdown();
    }
  });
});
