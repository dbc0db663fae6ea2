import { terminalText } from '../../../src/terminal/terminalText.js';
import { utf8 } from '../../support/bytes.js';
import { HARMLESS, QUERIES } from '../../support/escapeSamples.js';
import { assertGolden } from '../../support/golden.js';
import { RECORDINGS } from '../../support/recordings/index.js';
import { visibleText } from '../../support/visibleText.js';
import { usualSize } from '../../support/usualSize.js';

/** An emulator's share of output that is shown again, when no program waits for its answers: the output, then its end. */
function replayed(output: Uint8Array): readonly [output: string, end: string] {
  const text = terminalText(true, usualSize);
  return [text.report(false) + text.write('pty', output, false).text, text.finish()];
}

describe('The replay of a terminal', () => {
  for (const name of ['build', 'progress', 'sixel', 'titles', 'tmux']) {
    it(`of the recording ${name} is that of the golden file`, () => {
      const recording = RECORDINGS.get(name) ?? new Uint8Array();
      const parts = replayed(recording).map((part) => `${visibleText(part)}\n`);
      assertGolden(import.meta.dirname, name, parts.join(''));
    });
  }

  it('of each escape sample is that of the golden file', () => {
    const samples = [...Object.values(QUERIES), ...HARMLESS];
    const lines = samples.map((sample) => {
      const written = visibleText(`<${sample}>`).replaceAll('\n', '');
      const shown = visibleText(replayed(utf8(`<${sample}>`))[0]).replaceAll('\n', '');
      return `${written}  becomes  ${shown === written ? 'the same' : shown}\n`;
    });
    assertGolden(import.meta.dirname, 'samples', lines.join(''));
  });
});
