import assert from 'node:assert/strict';

import type { Sandbox } from '../../../src/core/index.js';
import { processDescription } from '../../../src/protocol/messages/methods/processDescription.js';
import { keptDescription } from '../../../src/remote/process/keptDescription.js';
import { askedSandbox, describedSandbox } from '../../../src/remote/process/sandboxOnWire.js';
import { exitStatus } from '../../../src/remote/session/notifications.js';
import { decodeSandbox } from '../../../src/server/methods/sandbox.js';
import { describeSandbox, howItEnded } from '../../../src/server/sessions/processDescription.js';
import { wireDescription } from '../../support/wireDescription.js';

const sandbox: Sandbox = {
  places: [
    { path: '/w', access: 'write' },
    { path: '/w/ä b#?%', access: 'read' },
  ],
  network: false,
};
const host = { platform: 'linux' };

describe('A sandbox on the wire', () => {
  it('is asked for so that our server reads the same, and that everything can be read', () => {
    const surroundings = { cwd: '/', variables: () => assert.fail('not needed') };
    for (const network of [false, true]) {
      assert.deepEqual(decodeSandbox(askedSandbox({ ...sandbox, network }, host), surroundings), {
        places: [{ path: '/', access: 'read' }, ...sandbox.places],
        network,
      });
    }
  });

  it('comes back as it is described', () => {
    assert.deepEqual(describedSandbox(describeSandbox(sandbox), host), sandbox);
  });

  it('allows no writing if its description is too large to keep', () => {
    const places = Array.from({ length: 300_000 }, () => ({ path: 'file:///', access: 'write' as const }));
    const said = processDescription().parse(wireDescription('p', { sandbox: { places, network: true } }));
    const kept = keptDescription(said);
    assert.deepEqual(kept.sandbox, { places: [], network: false });
  });
});

describe('An end on the wire', () => {
  const read = (status: Parameters<typeof howItEnded>[0]) => {
    const { exitCode } = status;
    return exitStatus({ exitCode, ...howItEnded(status) });
  };

  it('comes back with its signal, and with the file that the sandbox seems to have refused', () => {
    for (const status of [
      { exitCode: 0 },
      { exitCode: 143, signal: 'SIGTERM' },
      { exitCode: 1, refused: {} },
      { exitCode: 1, refused: { file: '/etc/hosts' } },
    ]) {
      assert.deepEqual(read(status), status);
    }
  });

  it('counts as refused only if the server says so, and without a name that no file has', () => {
    assert.deepEqual(exitStatus({ exitCode: 1, deniedFile: '/x' }), { exitCode: 1 });
    assert.deepEqual(exitStatus({ exitCode: 1, sandboxDenied: true, deniedFile: 'x'.repeat(5_000) }), {
      exitCode: 1,
      refused: {},
    });
    assert.deepEqual(exitStatus({ exitCode: null, sandboxDenied: null }), { exitCode: -1 });
  });
});
