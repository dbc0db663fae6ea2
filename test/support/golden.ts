import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

/**
 * Compares a text with the golden file `golden/NAME.txt` beside a test, as a whole: the diff shows all that has changed.
 * Files are written with UPDATE_GOLDEN=1 alone, and never in CI.
 *
 * @param folder The folder of the test, `import.meta.dirname`.
 */
export function assertGolden(folder: string, name: string, text: string): void {
  const file = path.join(folder, 'golden', `${name}.txt`);
  if (process.env['UPDATE_GOLDEN'] === '1') {
    assert.ok(process.env['CI'] === undefined, 'Golden files are not renewed in CI: unset UPDATE_GOLDEN.');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return;
  }
  const shown = path.relative(process.cwd(), file);
  const hint = 'If the new text is right, run the test with UPDATE_GOLDEN=1 and check in the difference.';
  assert.ok(fs.existsSync(file), `${shown} is missing. ${hint}`);
  // Git may have turned the ends of lines into those of Windows.
  const golden = fs.readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  assert.equal(text, golden, `${shown} says something else. ${hint}`);
}
