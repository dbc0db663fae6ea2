import assert from 'node:assert/strict';

import { freePort } from '../support/freePort.js';
import { startHolder } from '../support/portHolder.js';
import { pictureOfFailure, startDrive, type Drive } from './harness.js';
import { until } from './waits.js';
import type { Workbench } from './workbench.js';

/** A session is found by its port, its words and its output. */
describe('A person who looks for something', () => {
  let drive: Drive;
  let vscode: Workbench;
  let port: number;

  before(async () => {
    port = await freePort();
    drive = await startDrive({
      settings: { 'remote.autoForwardPorts': false },
    });
    vscode = drive.workbench;
    await vscode.activity('Exec Sessions');
    await start(`exec python3 -m http.server ${port} --bind 127.0.0.1`, /Serving HTTP/);
    await start('seq 1 400; echo "the needle"; echo after; exec sleep 1001', /after/);
    await start('echo "an older needle"; exit 3', /older needle/);
  });

  after(() => drive.close());

  afterEach(async function () {
    await pictureOfFailure(drive, this.currentTest);
  });

  const view = () => vscode.view('Sessions');
  const rowsHave = (...wanted: readonly RegExp[]) => vscode.rowsHave(view(), wanted);
  const start = async (commandLine: string, says: RegExp) => {
    await vscode.palette('Exec Sessions: New Session…');
    await vscode.answer(commandLine, 'New Session');
    await vscode.terminalHas(says);
  };
  const press = (key: string) => vscode.page.keyboard.press(key);

  it('sees the port in the row, and finds the session by it while typing', async () => {
    await rowsHave(new RegExp(`http\\.server.*:${port} · `), /needle.*exit 3/);
    await vscode.screenshot('finding-1-ports');
    await vscode.palette('Exec Sessions: Filter…');
    const input = await vscode.fillInput(`:${port}`, 'Filter');
    const only = (rows: readonly string[]) => rows.length === 2 && (rows[1] ?? '').includes('http.server');
    await vscode.rowsAre(view(), 'the server alone', only);
    assert.match((await vscode.quickRows())[0] ?? '', new RegExp(`^":${port}" ?1 session$`));
    await vscode.screenshot('finding-2-filter');
    await input.press('Escape');
    await rowsHave(/http\.server/, /sleep 1001/, /exit 3/);
  });

  it('finds an earlier session with the same filter, and clears it', async () => {
    await vscode.palette('Exec Sessions: Clear Closed');
    await rowsHave(/^Ended Earlier/);
    await vscode.palette('Exec Sessions: Filter…');
    const input = await vscode.fillInput('older', 'Filter');
    await vscode.rowsAre(view(), 'the earlier one', (rows) => /^Ended Earlier.*1$/.test(rows[0] ?? ''));
    await rowsHave(/older needle.*exit 3/);
    await vscode.screenshot('finding-3-earlier');
    await input.press('Enter');
    await view().getByText('Filter: "older"').waitFor();
    await vscode.palette('Exec Sessions: Clear Filter');
    await rowsHave(/http\.server/, /sleep 1001/);
  });

  it('finds a line in the output of any session, and opens it there', async () => {
    await vscode.palette('Exec Sessions: Search Output…');
    const input = await vscode.fillInput('the needle', 'Search Output');
    await until('the line is found', async () =>
      (await vscode.quickRows()).some((row) => /the needle.*line 401/.test(row)),
    );
    await vscode.screenshot('finding-4-search');
    await input.press('Enter');
    await vscode.page.locator('.part.statusbar', { hasText: /Ln 401, Col 1\b/ }).waitFor();
    await vscode.screenshot('finding-5-line');
  });

  it('stops what listens at a port, and ends a program that is no session only after a question', async () => {
    const stranger = await startHolder();
    try {
      await vscode.palette('Exec Sessions: Stop What Listens at Port (Kill Port)…');
      const input = await vscode.fillInput('no such', 'Stop What Listens at Port');
      await until('no row fits', async () => !(await vscode.quickRows()).join().includes('http.server'));
      await press('Enter');
      await vscode.screenshot('finding-8-nothing-fits');
      await rowsHave(new RegExp(`http\\.server.*:${port} · `));
      await input.press('Escape');
      await vscode.palette('Exec Sessions: Stop What Listens at Port (Kill Port)…');
      await vscode.fillInput(String(stranger.port), 'Stop What Listens at Port');
      await vscode.quickRow(`:${stranger.port}`).waitFor();
      await press('Enter');
      const question = vscode.page.locator('.monaco-dialog-box', {
        hasText: `It listens at port ${stranger.port}.`,
      });
      await question.waitFor();
      await vscode.screenshot('finding-6-stranger');
      assert.ok(!stranger.hasEnded(), 'nobody has agreed');
      await question.getByRole('button', { name: 'End Process' }).click();
      await until('it has ended', () => stranger.hasEnded());
      await vscode.palette('Exec Sessions: Stop What Listens at Port (Kill Port)…');
      await vscode.fillInput(String(port), 'Stop What Listens at Port');
      await until('the row names the session', async () =>
        ((await vscode.quickRows())[0] ?? '').includes('http.server'),
      );
      await vscode.screenshot('finding-7-port');
      await press('Enter');
      await rowsHave(/http\.server.*stopped/);
    } finally {
      stranger.end();
    }
  });
});
