import assert from 'node:assert/strict';
import fs from 'node:fs';

import { until } from '../support/until.js';
import { makeTree, type Tree } from './fileSystemTree.js';
import { fileMethods, useServer } from './inProcess.js';

describe('Open files', () => {
  const ours = useServer({ methods: fileMethods });

  it('refuse a link if that is asked for, which the real server ignores', async () => {
    const tree = makeTree();
    const client = await ours.client();
    const refused = (name: string, mode: string) =>
      client.refused('fs/open', { handleId: 'a', path: `${tree.uri}/${name}`, mode, followSymlinks: false });
    assert.deepEqual(await refused('link', 'read'), [-32603, 'Symbolic link loop (os error 40)']);
    assert.deepEqual(await refused('dlink/a', 'replace'), [-32603, 'Not a directory (os error 20)']);
    tree.remove();
  });

  it('belong to a connection, and are closed with it', async () => {
    const tree = makeTree();
    const [client, other] = [await ours.client(), await ours.client()];
    await client.request('fs/open', { handleId: 'a', path: `${tree.uri}/file` });
    const [code] = await other.refused('fs/readBlock', { handleId: 'a', offset: 0, len: 1 });
    assert.equal(code, -32004);
    assert.equal(openFilesIn(tree), 1);
    // One file is still being opened when the connection ends.
    client.send({ id: 'x', method: 'fs/open', params: { handleId: 'b', path: `${tree.uri}/file2` } });
    client.transport.close();
    await until(() => openFilesIn(tree), 0);
    tree.remove();
  });

  it('opened twice at once under one name are one', async () => {
    const tree = makeTree();
    const client = await ours.client();
    const params = { handleId: 'a', path: `${tree.uri}/file` };
    const answers = await Promise.all([client.ask('fs/open', params), client.ask('fs/open', params)]);
    assert.equal(answers.filter(({ result }) => result !== undefined).length, 1);
    assert.equal(openFilesIn(tree), 1);
    tree.remove();
  });
});

/** Files below the tree that this process has open. */
function openFilesIn(tree: Tree): number {
  return fs.readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${fd}`).startsWith(tree.folder);
    } catch {
      return false;
    }
  }).length;
}
