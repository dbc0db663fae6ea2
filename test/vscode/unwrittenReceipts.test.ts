import assert from 'node:assert/strict';
import fs from 'node:fs';

import * as vscode from 'vscode';

import { receiptPlace } from '../../src/machine/index.js';
import { until } from '../support/until.js';
import { endSessionServers } from '../support/sessionServers.js';
import { chosenBackend, Fixture, setSetting } from './fixture.js';

for (const backend of ['server', 'extensionHost'] as const) {
  describe(`receipts that cannot be written, with the sessions in the ${backend}`, () => {
    const folder = receiptPlace(process.env)?.folder ?? '';
    const windows: Fixture[] = [];
    const openWindow = () => {
      const window = new Fixture();
      windows.push(window);
      return window;
    };

    beforeEach(async () => {
      await endSessionServers();
      fs.mkdirSync(folder, { recursive: true });
      // Nothing is written into a folder that others can look into.
      fs.chmodSync(folder, 0o755);
      await setSetting('local.backend', backend);
    });

    afterEach(async () => {
      fs.chmodSync(folder, 0o700);
      await Promise.all(windows.splice(0).map((window) => window.leave()));
      await endSessionServers();
      await setSetting('local.backend', chosenBackend);
    });

    it('are told of once, by the window that has started something', async () => {
      const window = openWindow();
      const first = await window.start('sleep 1000');
      const said = await window.user.hears(/^Receipts cannot be written: others can look into/);
      assert.deepEqual([said.kind, said.actions], ['warn', ['Open Settings', 'Show Log']]);
      await window.commands['execSessions.copyDiagnostics']();
      const diagnostics = await vscode.env.clipboard.readText();
      assert.match(diagnostics, /^- Receipts: cannot be written: others can look into/m);
      const second = await window.start('sleep 1001');
      await until(() => second.record.receiptUnwritten !== undefined);
      const late = openWindow();
      if (backend === 'server') {
        await late.services.lookForSessions();
        await until(() => late.list.get(second.id)?.record.receiptUnwritten !== undefined);
      }
      fs.chmodSync(folder, 0o700);
      const third = await window.run('true');
      await until(() => [first, second, third].every(({ record }) => record.receiptUnwritten === undefined));
      const messages = (one: Fixture) => one.user.said.map(({ message }) => message);
      assert.deepEqual([messages(window), messages(late)], [[said.message], []]);
    });
  });
}
