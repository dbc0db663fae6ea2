import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { httpMethods } from '../../src/server/methods/http/index.js';
import { until } from '../support/until.js';
import { startOrigin } from './httpOrigin.js';
import { fileMethods, useServer } from './inProcess.js';

describe('Clients of one exec-server', () => {
  const fixture = useServer({ reach: 'server', methods: { ...fileMethods, ...httpMethods } });

  it('run commands, use files and make requests, and share their processes (SECURITY.md: Clients of an exec-server)', async () => {
    const [one, other] = [await fixture.client(), await fixture.client()];
    const file = path.join(fs.mkdtempSync(path.join(process.env['TMPDIR'] ?? '/tmp', 'es-')), 'file');
    await one.start('p', ['sh', '-c', `echo written > ${file}; exec sleep 1000`]);
    const url = pathToFileURL(file).href;
    await until(() => fs.existsSync(file) && fs.readFileSync(file, 'utf8') === 'written\n');
    const { dataBase64 } = await other.request('fs/readFile', { path: url });
    assert.equal(Buffer.from(String(dataBase64), 'base64').toString(), 'written\n');
    const origin = await startOrigin();
    const answer = await other.request('http/request', {
      requestId: 'r',
      method: 'GET',
      url: `${origin.url}/a`,
    });
    assert.equal(answer['status'], 200);
    await origin.stop();
    const { processes } = await other.request('process/list');
    const [{ handle = '' } = {}] = processes as { readonly handle?: string }[];
    await other.request('process/attach', { handle, processId: 'of-the-other' });
    await other.request('process/terminate', { processId: 'of-the-other' });
    await until(async () => (await fixture.backend.list())[0]?.state, 'closed');
  });
});
