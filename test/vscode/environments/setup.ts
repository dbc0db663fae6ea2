import assert from 'node:assert/strict';

import { systemClock, type HostInfo } from '../../../src/core/index.js';
import type { Session } from '../../../src/sessions/list/session.js';
import type { ConnectOptions } from '../../../src/vscode/environments/connectRemote.js';
import { until } from '../../support/until.js';
import { ScriptedBackend, type BASE_SERVER } from '../../support/scriptedBackend.js';
import { Fixture, setSetting } from '../fixture.js';

const HOST: HostInfo = {
  platform: 'linux',
  shell: { name: 'zsh', path: '/opt/zsh' },
  cwd: '/srv/work',
  homeDir: '/home/there',
};

export const BUILD = { id: 'build', name: 'Build machine', kind: 'websocket', url: 'ws://127.0.0.1:1' };

/** An environment of the settings, with a server played by the test. */
class BuildMachine {
  readonly fixture = new Fixture();
  readonly backends: ScriptedBackend[] = [];
  readonly asked: ConnectOptions[] = [];
  disconnected = 0;
  /** The errors that refuse the next connections, in order. */
  readonly refusals: Error[] = [];
  capabilities: typeof BASE_SERVER | undefined;

  constructor() {
    this.fixture.connect = (options) => {
      this.asked.push(options);
      const refusal = this.refusals.shift();
      if (refusal !== undefined) {
        return Promise.reject(refusal);
      }
      const backend = new ScriptedBackend(systemClock, {
        host: HOST,
        ...(this.capabilities && { capabilities: this.capabilities }),
      });
      this.backends.push(backend);
      return Promise.resolve({
        backend,
        disconnect: () => {
          this.disconnected += 1;
          backend.fails('disconnected');
        },
      });
    };
  }
}

/** Gives each test of the surrounding `describe` an environment of its own. */
export function useBuildMachine() {
  let current: BuildMachine | undefined;
  const there = () => current ?? assert.fail('There is an environment in tests alone.');
  const environments = () => there().fixture.services.environments;
  const configure = async (list: readonly unknown[]) => {
    await setSetting('environments', list);
    await until(() => environments().all.length > 1);
  };

  beforeEach(async () => {
    current = new BuildMachine();
    await configure([BUILD]);
  });

  afterEach(async () => {
    await setSetting('environments', undefined);
    await there().fixture.dispose();
  });

  return {
    get fixture() {
      return there().fixture;
    },
    get backends() {
      return there().backends;
    },
    get asked() {
      return there().asked;
    },
    get disconnected() {
      return there().disconnected;
    },
    get refusals() {
      return there().refusals;
    },
    /** Sets the capabilities of the next servers. */
    set capabilities(capabilities: typeof BASE_SERVER) {
      there().capabilities = capabilities;
    },
    environments,
    configure,
    state: (id = 'build') => environments().get(id)?.state.kind,
    startThere: async (text = 'make all'): Promise<Session> => {
      const { fixture } = there();
      fixture.user.commandLines.push({ text, mode: 'terminal' });
      const id = await fixture.commands['execSessions.newSessionInEnvironment']('build');
      const session = fixture.list.get(id ?? '');
      assert.ok(session);
      return session;
    },
    backend: () => there().backends.at(-1) ?? assert.fail('nothing was connected'),
  };
}
