import assert from 'node:assert/strict';

import { commandBegins, commandEnds, commandHadEnded } from '../../../src/terminal/index.js';

describe('The marks of a command', () => {
  it('name the directory after the mark of the prompt, where VS Code takes it', () => {
    const marks = commandBegins({ commandLine: 'make', cwd: '/work', nonce: 'n' });
    assert.equal(
      marks,
      '\u001b]633;A\u0007\u001b]633;P;Cwd=/work\u0007\u001b]633;B\u0007\u001b]633;E;make;n\u0007\u001b]633;C\u0007\u001b]633;E;make;n\u0007',
    );
  });

  it('leave out a directory that VS Code cannot see', () => {
    assert.ok(!commandBegins({ commandLine: 'make', nonce: 'n' }).includes('Cwd'));
  });

  it('let no command line or directory end them, or begin others', () => {
    const evil = 'a;b\\c\u0007\u001b]633;D;0\u0007\nd e';
    const marks = commandBegins({ commandLine: evil, cwd: evil, nonce: 'n' });
    const escaped = String.raw`a\x3bb\\c\x07\x1b]633\x3bD\x3b0\x07\x0ad\x20e`;
    assert.ok(marks.includes(`\u001b]633;E;${escaped};n\u0007`), marks);
    assert.ok(marks.includes(`\u001b]633;P;Cwd=${escaped}\u0007`), marks);
  });

  it('tell the exit code, if it is known', () => {
    assert.equal(commandEnds(0), '\u001b]633;D;0\u0007');
    assert.equal(commandEnds(3), '\u001b]633;D;3\u0007');
    assert.equal(commandEnds(undefined), '\u001b]633;D\u0007');
  });

  it('tell it in a second command, without a prompt, where the first one was said to have ended', () => {
    assert.equal(
      commandHadEnded({ commandLine: 'make', cwd: '/work', nonce: 'n' }, 3),
      '\u001b]633;B\u0007\u001b]633;E;make;n\u0007\u001b]633;C\u0007\u001b]633;E;make;n\u0007\u001b]633;D;3\u0007',
    );
  });
});
