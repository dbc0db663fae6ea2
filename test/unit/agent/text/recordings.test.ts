import { assertGolden } from '../../../support/golden.js';
import { RECORDINGS } from '../../../support/recordings/index.js';
import { visibleText } from '../../../support/visibleText.js';
import { textOf } from './output.js';

describe('The text of a recording for a model', () => {
  for (const name of ['build', 'htop', 'less', 'progress', 'sixel', 'titles', 'tmux']) {
    it(`is that of the golden file for ${name}`, async () => {
      const text = await textOf(RECORDINGS.get(name) ?? new Uint8Array());
      const lines = text.split('\n').map((line) => `${visibleText(line)}\n`);
      assertGolden(import.meta.dirname, name, lines.join(''));
    });
  }
});
