import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { StageOutput } from '../../rig/stageOutput.js';

describe('The output of stages', () => {
  let folder: string;
  let printed: string;
  let output: StageOutput;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'es-output-'));
    printed = '';
    output = new StageOutput((text) => (printed += Buffer.from(text).toString()));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const begin = (name: string) => output.begin(`== ${name}`, path.join(folder, name));

  it('is printed as it comes while there is one', () => {
    const part = begin('one');
    assert.equal(printed, '\n== one\n');
    writeSync(part.descriptor, 'first\n');
    output.flush();
    assert.equal(printed, '\n== one\nfirst\n');
    writeSync(part.descriptor, 'second\n');
    part.end('== one: good');
    assert.equal(printed, '\n== one\nfirst\nsecond\n== one: good\n');
  });

  it('stays apart while there are several, and is in the order of their beginnings', () => {
    const [one, two, three] = [begin('one'), begin('two'), begin('three')];
    writeSync(two.descriptor, 'from two\n');
    writeSync(three.descriptor, 'from three\n');
    three.end('== three: good');
    writeSync(one.descriptor, 'from one\n');
    output.flush();
    assert.equal(printed, '\n== one\nfrom one\n');
    one.end('== one: bad');
    assert.equal(printed, '\n== one\nfrom one\n== one: bad\n\n== two\nfrom two\n');
    writeSync(two.descriptor, 'more\n');
    two.end('== two: good');
    assert.match(printed, /from two\nmore\n== two: good\n\n== three\nfrom three\n== three: good\n$/);
  });
});
