import assert from 'node:assert/strict';

import { HeadlessTerminal } from '../../../../src/terminal/headless.js';
import { Replay } from '../../../../src/terminal/replay/replay.js';
import { RECORDINGS } from '../../../support/recordings/index.js';
import { usualSize } from '../../../support/usualSize.js';
import { differences, modesOf, stateOf } from './emulatorState.js';

function emulator({ columns, rows } = usualSize()): HeadlessTerminal {
  return new HeadlessTerminal({ columns, rows, scrollback: 1_000 });
}

describe('A replay', () => {
  for (const name of ['build', 'htop', 'less', 'tmux', 'vim']) {
    it(`of half of ${name} is what an emulator shows that was there all the time`, () => {
      const bytes = RECORDINGS.get(name) ?? new Uint8Array();
      const text = new TextDecoder().decode(bytes.subarray(0, bytes.byteLength / 2));
      const size = { columns: 60, rows: 24 };
      const live = emulator();
      live.write(text);
      live.terminal.resize(size.columns, size.rows);
      const replay = new Replay({ size: usualSize(), marks: false });
      replay.write(text);
      const viewer = emulator(size);
      viewer.write(replay.text(size, modesOf(live)));
      replay.dispose();
      assert.deepEqual(differences(stateOf(live), stateOf(viewer)), []);
    });
  }
});
