import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';

import {
  changesIn,
  foldersBefore,
  loginPathIn,
  nodeVersionIn,
  watchedIn,
} from '../../../../src/local/folderEnvironment/readAnswers.js';

describe('the answers of tools about a folder', () => {
  it('have a PATH between two markers, whatever a profile prints', () => {
    const between = (list: string): string =>
      `welcome\nPATH=/no:/never\0\nBEFORE\n${list}\0AFTER\nPATH=/late\0`;
    assert.deepEqual(loginPathIn(between('A=1\nPATH=/x\0PATH=/a:/b'), 'BEFORE', '\0AFTER'), ['/a', '/b']);
    assert.deepEqual(loginPathIn(between('PATH=:.:bin:/a:~/b'), 'BEFORE', '\0AFTER'), ['/a']);
    assert.deepEqual(loginPathIn(between('HOME=/root'), 'BEFORE', '\0AFTER'), []);
    assert.deepEqual(loginPathIn(between(`PATH=/${'a'.repeat(100_000)}`), 'BEFORE', '\0AFTER'), []);
    assert.deepEqual(loginPathIn('BEFORE\nPATH=/a\0', 'BEFORE', '\0AFTER'), [], 'it was cut off');
    assert.deepEqual(loginPathIn('echo BEFORE; PATH=/a\0AFTER', 'BEFORE', '\0AFTER'), [], 'only the script');
    assert.deepEqual(loginPathIn('', 'BEFORE', '\0AFTER'), []);
  });

  it('are changes of variables, or nothing at all', () => {
    assert.deepEqual(changesIn('{"A":"1","PATH":"/a","OLD":null}'), { A: '1', PATH: '/a', OLD: null });
    assert.deepEqual(changesIn(''), {}, 'direnv has nothing to change');
    const wrong = ['[]', '"A"', 'null', '{', 'export A=1', '{"A":1}', '{"A":{}}', '{"A=B":"1"}', '{"":"1"}'];
    for (const output of [...wrong, '{"A B":"1"}', '{"*":null}', '{"1A":"x"}', '{"A":"\\u0000"}']) {
      assert.equal(changesIn(output), undefined, output);
    }
    assert.equal(changesIn(JSON.stringify({ A: 'x'.repeat(100_001) })), undefined);
    const many = Array.from({ length: 50_000 }, (_, index) => [`NAME_${index}`, 'value'] as const);
    assert.equal(changesIn(JSON.stringify(Object.fromEntries(many))), undefined);
  });

  it('name the files that they depend on', () => {
    const packed = (value: unknown): string =>
      JSON.stringify({ DIRENV_WATCHES: deflateSync(JSON.stringify(value)).toString('base64url') });
    const files = [
      { Path: '/a/.envrc' },
      { path: '/b' },
      { path: 'c' },
      { path: '/d\0' },
      { path: 7 },
      '/e',
      null,
    ];
    assert.deepEqual(watchedIn(packed(files)), ['/a/.envrc', '/b']);
    assert.equal(watchedIn(packed(Array.from({ length: 1_000 }, () => ({ path: '/f' })))).length, 300);
    const tooLarge = packed([{ path: `/${'g'.repeat(1_000_000)}` }]);
    for (const output of ['', '{}', '[]', '{"DIRENV_WATCHES":7}', '{"DIRENV_WATCHES":"AAAA"}', tooLarge]) {
      assert.deepEqual(watchedIn(output), []);
    }
  });

  it('have a version of Node that cannot be an option or a command', () => {
    const versions = [' v22.1.0\r\n', '# ours\n\nlts/*\n18', 'lts/iron # old', '20'].map(nodeVersionIn);
    assert.deepEqual(versions, ['v22.1.0', 'lts/*', 'lts/iron', '20']);
    for (const text of ['', '\n', '--version', '$(id)', 'a b', '`id`', '../node', '22;id', 'v'.repeat(60)]) {
      assert.equal(nodeVersionIn(text), undefined, text);
    }
  });

  it('put folders before the PATH, or change all of it', () => {
    assert.deepEqual(foldersBefore('/x:/y:/a:/b', '/a:/b'), ['/x', '/y']);
    assert.deepEqual(foldersBefore('/a:/b', '/a:/b'), ['/a', '/b']);
    assert.deepEqual(foldersBefore('/x:/b', '/a:/b'), ['/x', '/b']);
    assert.deepEqual(foldersBefore('bin:./x::/a', '/a'), []);
  });
});
