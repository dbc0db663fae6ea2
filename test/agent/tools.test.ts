import assert from 'node:assert/strict';

import { backendKinds } from '../contract/backends.js';
import { bridgeKind } from './bridgeKind.js';
import { codexToolDeviations } from './codexToolDeviations.js';
import { commandTests } from './tools/commands.js';
import { echoTests } from './tools/echoes.js';
import { inputTests } from './tools/input.js';
import { outputTests } from './tools/output.js';
import { portTests } from './tools/ports.js';
import { secretTests } from './tools/secrets.js';
import { sessionTests } from './tools/sessions.js';
import { startTests } from './tools/starts.js';
import { stopTests } from './tools/stop.js';
import { waitTests } from './tools/waits.js';
import { tagOf, toolTests } from './toolsSetup.js';

const titles = new Set<string>();

for (const kind of [...backendKinds, bridgeKind]) {
  describe(`The tools of agents on the ${kind.name} backend${tagOf(kind)}`, () => {
    const declare = toolTests(kind);
    const test: typeof declare = (title, ...rest) => {
      titles.add(title);
      declare(title, ...rest);
    };

    commandTests(test);
    outputTests(test);
    inputTests(test);
    waitTests(test);
    portTests(test);
    // Codex's server does not tell what its processes use.
    if (kind.server !== 'codex') startTests(test);
    echoTests(test);
    stopTests(test);
    secretTests(test);
    sessionTests(test, kind);
  });
}

describe('The deviations of the tools', () => {
  it('name tests that there are, once, with a reason', () => {
    const names = codexToolDeviations.map(({ test }) => test);
    assert.deepEqual(names, [...new Set(names)]);
    assert.deepEqual(
      names.filter((name) => !titles.has(name)),
      [],
    );
    assert.ok(codexToolDeviations.every(({ reason }) => reason.length > 0));
  });
});
