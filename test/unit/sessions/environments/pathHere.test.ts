import assert from 'node:assert/strict';

import { pathHere } from '../../../../src/sessions/environments/pathHere.js';

describe('a file of another machine', () => {
  it('is here where the innermost of its directories is', () => {
    const folders = { '/work': '/home/me/project', '/work/lib/': '/home/me/lib/', '/': '/mnt/there' };
    assert.equal(pathHere('/work/a.ts', folders), '/home/me/project/a.ts');
    assert.equal(pathHere('/work/lib/b.ts', folders), '/home/me/lib/b.ts');
    assert.equal(pathHere('/workshop/c.ts', folders), '/mnt/there/workshop/c.ts');
    assert.equal(pathHere('/work', folders), '/home/me/project');
    assert.equal(pathHere('/a/b', { '/': '/' }), '/a/b');
  });

  it('is unknown in any other directory', () => {
    assert.equal(pathHere('/srv/a.ts', { '/work': '/home' }), undefined);
    assert.equal(pathHere('/workshop/a.ts', { '/work': '/home' }), undefined);
    assert.equal(pathHere('/srv/a.ts'), undefined);
  });

  it('may be of a Windows machine', () => {
    const folders = { 'C:\\work': '/home/me/project' };
    assert.equal(pathHere(String.raw`C:\work\lib\a.cs`, folders), '/home/me/project/lib/a.cs');
  });
});
