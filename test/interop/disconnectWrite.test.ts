import assert from 'node:assert/strict';

import { execInBackground, resultOf, sessionOf, typeInto } from './calls.js';
import { interopServers, useServer } from './servers.js';

const CONTROL_D = '\u0004';

for (const kind of interopServers) {
  describe(`${kind.name}: a connection of the real client that is lost while it types`, () => {
    const bench = useServer(kind);

    for (const lost of ['request', 'answer'] as const) {
      it(`neither loses nor doubles what was typed when the ${lost} is lost`, async () => {
        const cable = await bench.openCable();
        let cut: Promise<void> | undefined;
        const { outputs } = await bench.run([
          [
            execInBackground('cat', `stty -echo; ${bench.tell('ready', '$MARK')}; cat; exit 3`, {
              tty: true,
            }),
          ],
          async (seen) => {
            await bench.untilThere('ready');
            cut = cable.cutAfter(0, lost === 'request' ? 'toServer' : 'toClient');
            return [typeInto(sessionOf(seen, 'cat'), 'line', 'typed once\n', 250)];
          },
          async (seen) => {
            await cut;
            return [typeInto(sessionOf(seen, 'cat'), 'end', CONTROL_D)];
          },
        ]);
        const all = ['cat', 'line', 'end'].map((id) => resultOf(outputs, id).output).join('');
        assert.deepEqual(all.split(/\r?\n/), ['typed once', '']);
        assert.equal(bench.textOf('ready'), bench.mark);
        assert.equal(resultOf(outputs, 'end').exitCode, 3);
        assert.ok(cable.opened > 1);
      });
    }
  });
}
