import assert from 'node:assert/strict';

import { assertRejects } from '../support/assertRejects.js';
import { untilOutput } from '../support/collect.js';
import { INHERITING } from '../support/envPolicy.js';
import { sh } from '../support/startParams.js';
import { until } from '../support/until.js';
import { contractKinds, useBackend } from './backends.js';

/** Longer than the times of new output are apart. */
const APART_MS = 150;

for (const kind of contractKinds) {
  describe(`When output of the ${kind.name} backend came`, () => {
    const fixture = useBackend(kind);

    if (kind.server === 'codex') {
      it('cannot be told', async () => {
        assert.equal(fixture.backend.capabilities.outputTimes, false);
        const started = await fixture.start({ argv: ['sleep', '1000'] });
        const error = await assertRejects(
          started.seqBefore(0),
          -32600,
          'the exec-server does not support outputTimes',
        );
        assert.match(error.message, /cannot tell when output came/);
      });
      return;
    }

    it('is given as the number of the last chunk before that time', async () => {
      const begun = Date.now();
      const started = await fixture.start({
        argv: sh('echo first; read x; echo second; exec sleep 1000'),
        envPolicy: INHERITING,
        pipeStdin: true,
      });
      await untilOutput(started, 'first\n');
      const { lastSeq } = started.info().output;
      const between = Date.now() + APART_MS;
      await until(() => Date.now() > between);
      await started.write(Buffer.from('\n'));
      await untilOutput(started, 'second\n');
      assert.equal(await started.seqBefore(begun), 0);
      assert.equal(await started.seqBefore(-1), 0);
      assert.equal(await started.seqBefore(between), lastSeq);
      assert.equal(await started.seqBefore(Date.now() + APART_MS), started.info().output.lastSeq);
    });
  });
}
