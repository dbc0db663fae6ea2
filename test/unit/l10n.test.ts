import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';

import { bundleFile, collectMessages } from '../rig/l10n.js';

describe('The messages for translators', () => {
  it('are those of the program; npm run l10n writes them', () => {
    assert.equal(existsSync(bundleFile) ? readFileSync(bundleFile, 'utf8') : '', collectMessages());
  });

  it('are found wherever they are', () => {
    const messages = Object.keys(JSON.parse(collectMessages()) as Record<string, string>);
    // One each of core, sessions and vscode.
    assert.ok(messages.includes('There is no command to start: the argument list is empty.'));
    assert.ok(messages.includes('this session was removed'));
    assert.ok(messages.includes('New Session'));
  });
});
