import assert from 'node:assert/strict';

import { english, ExecError, type UsedPort } from '../../../src/core/index.js';
import { usageRows } from '../../../src/sessions/words/index.js';

const usage = { processes: 3, cpuSeconds: 10, memoryBytes: 41 * 1024 * 1024 };
const withPorts = (...ports: readonly UsedPort[]) => ({ usage: { ...usage, ports } });
const labels = (found: Parameters<typeof usageRows>[0], isHere = true) =>
  usageRows(found, isHere, english).map(({ label, description }) => [label, description]);

describe('The rows below a session', () => {
  it('say what it uses: no percentage before the second look', () => {
    assert.deepEqual(labels(undefined), [['Reading its CPU, memory and ports…', '']]);
    assert.deepEqual(labels(withPorts()), [['41 MiB', '3 processes']]);
    assert.deepEqual(labels({ ...withPorts(), cpuPercent: 149.6 }), [['CPU 150 % · 41 MiB', '3 processes']]);
  });

  it('have an address for each port that a browser of this machine finds', () => {
    const found = withPorts(
      { port: 80, addresses: ['::'] },
      { port: 3000, addresses: ['127.0.0.1'] },
      { port: 3001, addresses: ['10.0.0.7', '::1'] },
      { port: 3002, addresses: ['10.0.0.7'] },
      { port: 3003, addresses: ['fe80::1'] },
    );
    const addresses = usageRows(found, true, english).flatMap(({ address }) => address ?? []);
    assert.deepEqual(addresses, [
      'http://localhost:80',
      'http://localhost:3000',
      'http://localhost:3001',
      'http://10.0.0.7:3002',
      'http://[fe80::1]:3003',
    ]);
    assert.ok(
      usageRows(found, true, english)
        .slice(1)
        .every(({ contextValue }) => contextValue === ';port;'),
    );
  });

  it('have the address on its machine for each port of another one, which no browser of this one finds', () => {
    const rows = usageRows(withPorts({ port: 80, addresses: ['::', '10.0.0.7'] }), false, english);
    assert.deepEqual(
      rows.map(({ label, description, address, contextValue }) => [
        label,
        description,
        address,
        contextValue,
      ]),
      [
        ['41 MiB', '3 processes', undefined, ';usage;'],
        ['Port 80', '::, 10.0.0.7', 'http://localhost:80', ';portThere;'],
      ],
    );
  });

  it('are no more than can be looked through', () => {
    const ports = Array.from({ length: 25 }, (_, place) => ({ port: 1000 + place, addresses: ['::'] }));
    assert.equal(labels(withPorts(...ports)).length, 22);
    assert.deepEqual(labels(withPorts(...ports)).at(-1), ['5 more ports', '']);
  });

  it('say what cannot be known, and why', () => {
    assert.deepEqual(labels({ usage }).at(-1), ['Its ports are not known', '']);
    const error = new ExecError({ kind: 'unsupported', feature: 'usage' });
    assert.deepEqual(labels({ error }), [
      ['Its CPU, memory and ports are not known', 'This exec-server cannot tell what a process uses.'],
    ]);
  });
});
