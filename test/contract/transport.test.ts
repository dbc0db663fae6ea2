import assert from 'node:assert/strict';

import { utf8 } from '../support/bytes.js';
import { untilEvent } from '../support/collect.js';
import { params } from '../support/startParams.js';
import { contractKinds, testsOf, useMortalBackends } from './backends.js';
import { wireText } from '../support/failures.js';

const TEXT = 'exec-server transport disconnected';
const startsAsItShould = (text: string | undefined) => assert.ok(text?.startsWith(TEXT), text);
const saysSo = { message: /^The connection to the exec-server was lost/ };

for (const kind of contractKinds) {
  if (kind.createMortal === undefined) {
    continue;
  }
  const it = testsOf(kind);

  describe(`The end of the server of the ${kind.name} backend`, () => {
    const createMortal = useMortalBackends(kind);

    it('is reported by the process, and fails waiting calls and later ones', async () => {
      const { backend, killServer } = await createMortal();
      const process = await backend.start(params({ argv: ['/bin/sh', '-c', 'sleep 10'] }));
      const failed = untilEvent(process, 'failed');
      const pending = process.read({ waitMs: 60_000 });
      // The kill is awaited later, because the test's own cleanup takes time.
      const killed = killServer();
      startsAsItShould(wireText((await failed).failure));
      startsAsItShould(wireText((await pending).failure));
      const later = await process.read();
      startsAsItShould(wireText(later.failure));
      assert.equal(later.closed, true);
      await assert.rejects(process.write(utf8('hello')), saysSo);
      await killed;
      assert.equal(process.info().state, 'failed');
      assert.equal(backend.connection.kind, 'lost');
    });

    it('fails calls that are under way, and all that come later', async () => {
      const { backend, killServer } = await createMortal();
      const process = await backend.start(params({ argv: ['cat'], pipeStdin: true }));
      const kept = await backend.start(params({ argv: ['sleep', '10'], processId: 'kept' }));
      const calls = [
        backend.start(params({ argv: ['true'], processId: 'other' })),
        process.terminate(),
        process.write(utf8('hello')),
      ].map((call) =>
        call.then(
          () => 'answered',
          (error: unknown) => String(error),
        ),
      );
      await killServer();
      for (const outcome of await Promise.all(calls)) {
        assert.match(outcome, /^answered$|connection to the exec-server was lost|connection was lost/);
      }
      await assert.rejects(backend.start(params({ argv: ['true'], processId: 'next' })), saysSo);
      await assert.rejects(kept.signal('SIGINT'), saysSo);
      await assert.rejects(kept.terminate(), saysSo);
    });
  });
}
