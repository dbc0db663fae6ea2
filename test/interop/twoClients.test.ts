import assert from 'node:assert/strict';

import { exec, resultOf } from './calls.js';
import { interopServers, useServer } from './servers.js';

for (const kind of interopServers) {
  describe(`${kind.name}: two real clients at the same time`, () => {
    const bench = useServer(kind);

    it('do not disturb each other, even when one loses its connection', async () => {
      const cable = await bench.openCable();
      // Each command continues only when it has seen the other.
      const meet = (own: string, other: string) =>
        `echo "$MARK"; ${bench.tell(own)}; until [ -e ${other} ]; do sleep 0.02; done; echo ${own}`;
      const [one, two] = await Promise.all([
        bench.runIn({ url: bench.server.url }, [
          [exec('call', meet('one', 'two'))],
          [exec('again', meet('three', 'four'))],
        ]),
        bench.run([
          [exec('call', meet('two', 'one'))],
          () => {
            // The cut is here, because a start that is lost on the way is not repeated.
            cable.cut();
            return [exec('again', meet('four', 'three'))];
          },
        ]),
      ]);
      assert.equal(resultOf(one.outputs, 'call').output, `${bench.mark}\none\n`);
      assert.equal(resultOf(one.outputs, 'again').output, `${bench.mark}\nthree\n`);
      assert.equal(resultOf(two.outputs, 'call').output, `${bench.mark}\ntwo\n`);
      assert.equal(resultOf(two.outputs, 'again').output, `${bench.mark}\nfour\n`);
    });
  });
}
