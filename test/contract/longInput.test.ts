import { assertRejects } from '../support/assertRejects.js';
import { utf8 } from '../support/bytes.js';
import { untilOutput } from '../support/collect.js';
import { sh } from '../support/startParams.js';
import { contractKinds, testsOf, useBackend } from './backends.js';

for (const kind of contractKinds) {
  const it = testsOf(kind);
  describe(`A process of the ${kind.name} backend`, () => {
    const { start } = useBackend(kind);

    it('gets a line on a terminal whole, or not at all', async () => {
      const longest = 'a'.repeat(4_095);
      const script = 'stty -echo; echo ready; while IFS= read -r x; do echo "got ${#x}"; done';
      const process = await start({ argv: sh(script), tty: true });
      await untilOutput(process, 'ready');
      await process.write(utf8(`${longest}\n`.repeat(3)));
      await untilOutput(process, 'got 4095\r\ngot 4095\r\ngot 4095');
      for (const tooLong of [`b\n${longest}a\n`, 'a'.repeat(200_000)]) {
        await assertRejects(process.write(utf8(tooLong)), -32600, /4095 bytes/);
      }
      await process.write(utf8('c'.repeat(3_000)));
      await assertRejects(process.write(utf8(`${'d'.repeat(3_000)}\n`)), -32600, /4095 bytes/);
      await process.write(utf8('d\n'));
      await untilOutput(process, 'got 3001');
    });

    it('gets longer input at once where it reads keys, or has a pipe', async () => {
      const count = 'head -c 6000 | wc -c';
      const keys = await start({
        argv: sh(`stty raw -echo; echo ready; ${count}`),
        processId: 'keys',
        tty: true,
      });
      await untilOutput(keys, 'ready');
      const pipe = await start({ argv: sh(count), processId: 'pipe', pipeStdin: true });
      for (const process of [keys, pipe]) {
        await process.write(utf8('a'.repeat(6_000)));
        await untilOutput(process, '6000');
      }
    });
  });
}
