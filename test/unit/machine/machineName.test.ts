import assert from 'node:assert/strict';

import {
  bootNumber,
  filesInName,
  machineDigest,
  type MachineFacts,
  socketNameOf,
} from '../../../src/machine/machineName.js';

const NUMBER = '5E6FFEBE-0D6A-4C3B-9C5D-2F1E8A7B6C5D';
const FILES = '0123456789ab';
const FACTS: MachineFacts = {
  host: 'laptop',
  machine: '5b2c',
  boot: '77aa',
  processes: 'pid:[4026531836]',
  mounts: 'mnt:[4026531841]',
};
/** Whether a program on one machine takes the socket of a server on another for one of its own. */
const finds = (server: MachineFacts, seeker: MachineFacts) =>
  filesInName(socketNameOf(FILES, machineDigest(server)), machineDigest(seeker)) === FILES;

describe('The name of a session server', () => {
  it('is that of another machine after a boot, on other hardware, and in a container', () => {
    assert.ok(finds(FACTS, { ...FACTS }));
    for (const name of ['machine', 'boot', 'processes', 'mounts'] as const) {
      assert.ok(!finds(FACTS, { ...FACTS, [name]: 'another' }), name);
    }
  });

  it('is the same after the machine was given another name, where its boot has a number', () => {
    assert.ok(finds(FACTS, { ...FACTS, host: 'laptop.office' }));
    const plain = { ...FACTS, machine: '', boot: '', processes: '', mounts: '' };
    assert.ok(finds(plain, plain));
    assert.ok(!finds(plain, { ...plain, host: 'laptop.office' }));
  });
});

describe('The number of a boot of macOS', () => {
  it('is what its system says', () => {
    const asked: unknown[] = [];
    const ask = (...question: readonly unknown[]) => {
      asked.push(question);
      return `${NUMBER}\n`;
    };
    assert.equal(bootNumber('darwin', ask), NUMBER);
    assert.deepEqual(asked, [['/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']]]);
  });

  it('is missing if the system says something else, or fails', () => {
    for (const answer of ['', 'unknown oid', `${NUMBER} ${NUMBER}`, NUMBER.slice(1)]) {
      assert.equal(
        bootNumber('darwin', () => answer),
        '',
        answer,
      );
    }
    const failing = () => {
      throw new Error('spawn /usr/sbin/sysctl ENOENT');
    };
    assert.equal(bootNumber('darwin', failing), '');
  });

  it('is not asked for elsewhere', () => {
    for (const platform of ['linux', 'win32', 'freebsd'] as const) {
      assert.equal(
        bootNumber(platform, () => NUMBER),
        '',
      );
    }
  });
});
