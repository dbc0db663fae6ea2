import assert from 'node:assert/strict';

import { english, type HostInfo, type ServerProgram } from '../../../src/core/index.js';
import { environmentRow } from '../../../src/sessions/environments/environmentRow.js';
import { serverRisks, serverRiskText } from '../../../src/sessions/words/serverRisks.js';
import { thisMachine } from './snapshots.js';

const SAFE: ServerProgram = {
  pid: 7,
  node: '/usr/bin/node',
  nodeVersion: 'v24.0.0',
  electron: false,
  files: '/home/me/.cache/exec-sessions/server-1-x',
  copied: true,
};

const host = (some: Partial<ServerProgram>, platform = 'linux'): HostInfo => ({
  platform,
  server: { ...SAFE, ...some },
});
const texts = (of: HostInfo) => serverRisks(of).map((risk) => serverRiskText(risk, english));

describe('The risk of a session server', () => {
  it('is empty for a copy on its own Node outside of services, or if the server does not tell', () => {
    assert.deepEqual(texts(host({})), []);
    assert.deepEqual(texts({ platform: 'linux' }), []);
  });

  it('is an update of VS Code if it runs on the Node of VS Code; on Windows that ends it for certain', () => {
    const [may, ...none] = texts(host({ electron: true }));
    assert.match(may ?? '', /^An update of VS Code may end the sessions .* Install Node\.js 20 or later/);
    assert.deepEqual(none, []);
    assert.match(
      texts(host({ electron: true }, 'win32')).join(),
      /^The next update of VS Code ends the sessions .* Install Node\.js 20 or later/,
    );
  });

  it('is an update of the extension if it runs from its files', () => {
    assert.match(texts(host({ copied: false })).join(), /^An update of the extension may disturb .* log/);
  });

  it('is the end of the service that it is a part of, which is named', () => {
    assert.match(
      texts(host({ service: 'code-server@me.service' })).join(),
      /end when code-server@me\.service is stopped or restarted/,
    );
  });

  it('is a logout that systemd lets end them, on this machine and on others', () => {
    const of = { ...thisMachine, host: host({ endsAtLogout: true }) };
    assert.match(environmentRow(of, 0, english).tooltip, /end with your logout there/);
    assert.match(
      environmentRow({ ...of, kind: 'command' }, 0, english).tooltip,
      /end with your logout there/,
    );
  });

  it('is in the tooltip of this machine, and of no other, whose server may tell anything', () => {
    const of = { ...thisMachine, host: host({ copied: false, service: 'a*b.service' }) };
    const { tooltip } = environmentRow(of, 0, english);
    assert.match(tooltip, /\n\nAn update of the extension may .*\n\n.* when a\\\*b\\\.service is/);
    assert.doesNotMatch(environmentRow({ ...of, kind: 'command' }, 0, english).tooltip, /may disturb/);
  });
});
