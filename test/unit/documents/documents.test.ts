import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { commandsFile, commandsPage } from '../../rig/documents/commandsPage.js';
import { commandTexts } from '../../rig/documents/commandTexts.js';
import { anchorsIn, linksIn, markdownFiles, pathsIn } from '../../rig/documents/markdown.js';
import { root } from '../../rig/paths.js';
import { rooms } from '../../rig/rooms.js';
import { CommandId } from '../../../src/vscode/commands/commandIds.js';

const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');

describe('The documents', () => {
  const files = markdownFiles();

  it('link to files and anchors that exist', () => {
    assert.ok(files.includes('README.md') && files.includes('docs/internals.md'));
    const broken = files.flatMap((file) =>
      linksIn(read(file)).flatMap((link) => {
        const [target = '', anchor] = link.split('#');
        const linked = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
        if (!fs.existsSync(path.join(root, linked))) return [`${file}: ${link}`];
        const isFound = anchor === undefined || anchorsIn(read(linked)).has(anchor);
        return isFound ? [] : [`${file}: ${link}`];
      }),
    );
    assert.deepEqual(broken, []);
  });

  it('name paths that exist', () => {
    const missing = files
      .filter((file) => !file.includes('/results/'))
      .flatMap((file) =>
        pathsIn(read(file))
          .filter((named) => !fs.existsSync(path.join(root, named)))
          .map((named) => `${file}: ${named}`),
      );
    assert.deepEqual(missing, []);
  });

  it('stay short: README has at most 120 lines and 8 KB, all without results less than 130 KB', () => {
    const readme = read('README.md');
    assert.ok(readme.split('\n').length <= 121 && Buffer.byteLength(readme) <= 8_192);
    const sizes = files
      .filter((file) => !file.includes('/results/'))
      .map((file) => fs.statSync(path.join(root, file)).size);
    const all = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(all < 130_000, `${all} bytes`);
  });

  it('name no right in SECURITY.md that no test shows', () => {
    const [, table = ''] = /## Rights\n(.*?)\n## /s.exec(read('SECURITY.md')) ?? [];
    const parties = [...table.matchAll(/^\| ([^|]+?) +\|/gm)].flatMap(([, party = '']) =>
      /^(?:Party|-+)$/.test(party) ? [] : [party],
    );
    assert.equal(parties.length, 11);
    const tests = fs
      .readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => read(`test/${file}`))
      .join('\n')
      .replaceAll('\\', '');
    assert.deepEqual(
      parties.filter((party) => !tests.includes(`(SECURITY.md: ${party})`)),
      [],
    );
  });

  it('have the commands and settings of package.json: npm run docs writes them', async () => {
    const told = Object.values(commandTexts).flatMap((group) => Object.keys(group));
    const shown = Object.keys(CommandId).filter((name) => !name.endsWith('InTerminal'));
    assert.deepEqual([...told].sort(), shown.sort());
    assert.equal(fs.readFileSync(commandsFile, 'utf8'), await commandsPage());
  });

  it('show the rooms with the imports that the table of rooms allows', () => {
    const rows = [...read('docs/internals.md').matchAll(/^\| `(\w+)` +\|[^|]+\|([^|]+)\|$/gm)];
    const shown = rows.map(([, room = '', imports = '']) => [
      room,
      [...imports.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).filter((name) => name in rooms),
    ]);
    assert.deepEqual(Object.fromEntries(shown), rooms);
  });
});

describe('linksIn and anchorsIn', () => {
  it('find links of all kinds, but none in code and none of the web', () => {
    const text =
      '[a](b.md#c) ![d](e.png) `[x](y)` <a href="f.md">\n[g]: h.md\n[w](https://w)\n```\n[x](y)\n```\n';
    assert.deepEqual(linksIn(text), ['b.md#c', 'e.png', 'f.md', 'h.md']);
  });

  it('make anchors as GitHub does', () => {
    const anchors = anchorsIn("# Codex's own server\n## A `b`: c\n## A `b`: c\n");
    assert.deepEqual([...anchors], ['codexs-own-server', 'a-b-c', 'a-b-c-1']);
  });
});
