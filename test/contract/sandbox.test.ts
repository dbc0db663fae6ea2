import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { Sandbox } from '../../src/core/index.js';
import { removeFolder } from '../rig/lifetime.js';
import { assertRejects } from '../support/assertRejects.js';
import { untilEvent } from '../support/collect.js';
import { INHERITING } from '../support/envPolicy.js';
import { sh } from '../support/startParams.js';
import { until } from '../support/until.js';
import { backendKinds, useBackend } from './backends.js';

for (const kind of backendKinds) {
  describe(`A sandbox of the ${kind.name} backend`, () => {
    const fixture = useBackend(kind);
    let folder: string;
    beforeEach(() => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sandbox-'));
    });
    afterEach(() => removeFolder(folder));
    const sandbox = (): Sandbox => ({
      places: [{ path: path.join(folder, 'web'), access: 'write' }],
      network: false,
    });

    if (kind.server === undefined) {
      it('is refused, as this backend was not made with any', async () => {
        const start = fixture.start({ argv: ['true'], sandbox: sandbox() });
        await assertRejects(start, -32600, 'the exec-server does not support sandbox');
      });
      return;
    }

    it('has a network if that is asked for, unless the server lets in every program', async () => {
      const start = fixture.start({
        argv: ['true'],
        envPolicy: INHERITING,
        sandbox: { ...sandbox(), network: true },
      });
      if (kind.name === 'own server (WebSocket)') {
        await assertRejects(start, -32602, /on the exec-server, which asks for no token; give it a token/);
      } else {
        await untilEvent(await start, 'closed');
        assert.equal((await start).info().exit?.exitCode, 0);
      }
    });

    it('lets a program write where it may, and says so of what it refused', async () => {
      fs.mkdirSync(path.join(folder, 'web'));
      const started = await fixture.start({
        argv: sh('touch web/ok && echo x > "$PWD/other"'),
        cwd: folder,
        envPolicy: INHERITING,
        sandbox: sandbox(),
      });
      await untilEvent(started, 'closed');
      // The protected folders in it are removed a moment later.
      await until(() => fs.readdirSync(path.join(folder, 'web')).join(), 'ok');
      assert.deepEqual(fs.readdirSync(folder), ['web']);
      const { exit } = started.info();
      assert.ok(exit?.exitCode !== 0);
      assert.deepEqual(exit?.refused, kind.server === 'own' ? { file: path.join(folder, 'other') } : {});
      assert.deepEqual(started.info().sandbox, sandbox());
      assert.deepEqual((await started.startedWith()).sandbox, sandbox());
    });
  });
}
