import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { exec, resultOf } from './calls.js';
import { interopServers, useServer } from './servers.js';

for (const kind of interopServers) {
  describe(`${kind.name}: files of a project for the real client`, () => {
    const bench = useServer(kind);

    /**
     * Makes a file of the workspace that links into the working directory of its reader. Only the server's directory
     * has the target.
     */
    const putForServer = (name: string, content: string): void => {
      const file = path.join(bench.folder, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(path.join(bench.server.folder, path.basename(name)), content);
      fs.symlinkSync(path.join('/proc/self/cwd', path.basename(name)), file);
    };

    it('are told to the model: instructions of the folder and of those above it, and skills', async () => {
      bench.put('.git/HEAD', 'ref: refs/heads/main\n');
      putForServer('AGENTS.md', 'Instructions of the whole project.\n');
      bench.put('part/AGENTS.md', 'Instructions of this part.\n');
      bench.put(
        '.agents/skills/knitting/SKILL.md',
        '---\nname: knitting\ndescription: How to knit socks.\n---\n# Knitting\nTake two needles.\n',
      );
      const { outputs, requests } = await bench.run([[exec('where', 'echo "$MARK"; pwd')]], {
        cwd: path.join(bench.folder, 'part'),
      });
      assert.equal(resultOf(outputs, 'where').output, `${bench.mark}\n${bench.folder}/part\n`);
      for (const text of [
        'Instructions of the whole project',
        'Instructions of this part',
        'How to knit socks',
      ]) {
        assert.ok(requests[0]?.includes(text), text);
      }
    });
  });
}
