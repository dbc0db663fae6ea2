import assert from 'node:assert/strict';

import { until } from '../support/until.js';
import { Fixture, setSetting } from './fixture.js';

describe('the settings', () => {
  let fixture: Fixture;

  beforeEach(() => {
    fixture = new Fixture();
  });

  afterEach(() => fixture.dispose());

  const withSetting = async (key: string, value: unknown, work: () => Promise<void> | void) => {
    await setSetting(key, value);
    try {
      await work();
    } finally {
      await setSetting(key, undefined);
    }
  };

  it('name a malformed value once, with the default that is used', async () => {
    const { settings } = fixture.services;
    await withSetting('terminal.onClose', 'keep', async () => {
      const { message, kind, actions } = await fixture.user.hears(/terminal\.onClose/);
      assert.equal(
        message,
        'The setting "execSessions.terminal.onClose" is "keep", but it must be one of "detach", "stop", "ask". ' +
          'The default, "detach", is used.',
      );
      assert.deepEqual([kind, actions], ['warn', ['Open Settings']]);
      assert.equal(settings.get('terminalOnClose'), 'detach');
      assert.equal(settings.get('terminalOnClose'), 'detach');
    });
    assert.equal(fixture.user.said.length, 1);
    await withSetting('terminal.onClose', 'stop', () =>
      assert.equal(settings.get('terminalOnClose'), 'stop'),
    );
    assert.equal(fixture.user.said.length, 1);
    await withSetting('terminal.onClose', 'keep', () =>
      assert.equal(settings.get('terminalOnClose'), 'detach'),
    );
    await until(() => fixture.user.said.length, 2);
  });

  it('are named together if several are wrong', async () => {
    // Both are wrong before anybody looks: two changes come apart on a slow machine.
    await fixture.dispose();
    await setSetting('confirmKill', 'yes');
    await withSetting('notify', 'sometimes', async () => {
      fixture = new Fixture();
      fixture.services.settings.check();
      const { message } = await fixture.user.hears(/execSessions\.notify/);
      assert.match(message, /execSessions\.confirmKill/);
      assert.equal(fixture.user.said.length, 1);
    });
    await setSetting('confirmKill', undefined);
  });

  it('name a null, where a number is wanted', async () => {
    await withSetting('output.retainedMegabytes', null, async () => {
      const { message } = await fixture.user.hears(/output\.retainedMegabytes/);
      assert.match(message, /is null, but it must be a number/);
    });
  });

  it('never stop a session from starting', async () => {
    await withSetting('env', { PASSWORD: ['hunter2'], PORT: 3000 }, async () => {
      const session = await fixture.run('test "$PORT" = 3000');
      assert.equal(session.snapshot().exit?.exitCode, 0);
      const { message } = await fixture.user.hears(/execSessions\.env"/);
      assert.match(message, /"PASSWORD" must be a text/);
      assert.ok(!message.includes('hunter2'));
    });
  });

  it('bound the output of sessions at once', async () => {
    const session = await fixture.start('read; seq 1 100000; read; seq 1 100000', { pipeStdin: true });
    await withSetting('output.retainedMegabytes', 0.0625, async () => {
      await fixture.commands['execSessions.sendText'](session.id, undefined, '');
      await until(() => session.process.info().output.bytes, 588_895);
      const { retainedBytes, evicted } = session.process.info().output;
      assert.ok(retainedBytes <= 65_536, `${retainedBytes}`);
      assert.equal(evicted.bytes, 588_895 - retainedBytes);
    });
    await fixture.commands['execSessions.sendText'](session.id, undefined, '');
    await until(() => session.state, 'closed');
    assert.ok(session.process.info().output.retainedBytes > 500_000);
  });

  it('are named when the shell that they choose cannot be started', async () => {
    await withSetting('shell.path', '/no/such/shell', async () => {
      const { api } = fixture.services;
      await assert.rejects(
        api.start({ commandLine: 'echo hi', show: false }),
        /Cannot start "\/no\/such\/shell".*The setting "execSessions\.shell\.path" names it as the shell\./,
      );
      await assert.rejects(
        api.start({ argv: ['/no/such/program'], show: false }),
        /there is no such program\. [^"]*$/,
      );
    });
  });

  it('choose the shell', async () => {
    await withSetting('shell.path', '/bin/sh', async () => {
      const id = await fixture.commands['execSessions.newSession']({
        commandLine: 'echo "$0"',
        tty: false,
        show: false,
      });
      assert.deepEqual(fixture.list.get(id ?? '')?.snapshot().argv, ['/bin/sh', '-c', 'echo "$0"']);
    });
  });
});
