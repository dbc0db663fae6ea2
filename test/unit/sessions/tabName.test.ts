import assert from 'node:assert/strict';

import { TabName } from '../../../src/sessions/viewer/index.js';

describe('The name of a tab', () => {
  it('is that of a person if it is not one of ours', () => {
    const name = new TabName('npm test');
    assert.equal(name.look('npm test'), undefined);
    assert.equal(name.look('Mine'), 'Mine');
    assert.equal(name.look('Mine'), undefined, 'it is told once');
  });

  it('is ours if it comes back late, or not at all', () => {
    const name = new TabName('npm test');
    name.sent('one');
    name.sent('two');
    name.sent('three');
    assert.equal(name.look('npm test'), undefined);
    assert.equal(name.look('two'), undefined);
    assert.equal(name.look('three'), undefined);
    assert.equal(name.look('two'), 'two', 'after the newest one came back, older ones do not');
  });

  it('is ours however many were sent since the last look', () => {
    const name = new TabName('npm test');
    for (let count = 1; count <= 1_000; count++) {
      name.sent(`${count} %`);
    }
    assert.equal(name.look('999 %'), undefined);
    assert.equal(name.look('1000 %'), undefined);
    assert.equal(name.look('999 %'), '999 %');
  });

  it('is told although ours was sent again right after it', () => {
    const name = new TabName('npm test');
    name.sent('✓ npm test');
    assert.equal(name.look('✓ npm test'), undefined);
    name.sent('✓ npm test');
    assert.equal(name.look('Mine'), 'Mine');
    assert.equal(name.look('✓ npm test'), undefined);
  });

  it('is ours as VS Code 1.100 cuts it', () => {
    const name = new TabName('npm test');
    assert.equal(name.look('npm'), undefined);
    name.sent('/usr/bin/bash');
    assert.equal(name.look('/usr/bin/bash'), undefined);
    assert.equal(name.look('bash'), undefined);
  });

  it('goes to the session without our mark of the end', () => {
    const name = new TabName('npm test');
    name.sent('✗ npm test');
    assert.equal(name.look('✗ My test'), 'My test');
    name.sent('■ npm start');
    assert.equal(name.look('■ My server'), 'My server');
    assert.equal(name.look(''), '');
  });
});
