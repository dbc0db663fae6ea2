import assert from 'node:assert/strict';

import { type MachineModule, loadMachine } from '../../src/vscode/machine/sessionServer.js';
import { until } from '../support/until.js';
import { endSessionServers } from '../support/sessionServers.js';
import { chosenBackend, Fixture, setSetting } from './fixture.js';

/** The times for which a session server is told to keep sessions while no window is open. */
type Told = Parameters<
  NonNullable<Awaited<ReturnType<MachineModule['connectMachine']>>>['backend']['keepWithoutClient']
>[0];

/** Notes the messages to session servers that a window uses; the servers get them all the same. */
function listen(window: Fixture): readonly Told[] {
  const told: Told[] = [];
  window.loadMachine = async () => {
    const machine = await loadMachine();
    return {
      ...machine,
      connectMachine: async (options) => {
        const found = await machine.connectMachine(options);
        if (found !== undefined) {
          const { backend } = found;
          const tell = backend.keepWithoutClient.bind(backend);
          backend.keepWithoutClient = async (times) => {
            await tell(times);
            told.push(times);
          };
        }
        return found;
      },
    };
  };
  return told;
}

describe('the time for which sessions go on without a window', () => {
  const KEY = 'local.keepWithoutClient';
  let window: Fixture | undefined;

  beforeEach(() => setSetting('local.backend', 'server'));

  afterEach(async () => {
    await window?.dispose();
    window = undefined;
    await endSessionServers();
    await setSetting(KEY, undefined);
    await setSetting('local.backend', chosenBackend);
  });

  it('reaches the session server in seconds with its start and with each change, beside ten minutes for agents', async () => {
    window = new Fixture();
    const told = listen(window);
    await window.run('true');
    const times = () => told.map(({ personSeconds, agentSeconds }) => [personSeconds, agentSeconds]);
    assert.deepEqual(times(), [[12 * 3_600, 600]], 'by default');
    const changes = [
      [0, 0],
      [-1, -1],
      [1.5, 5_400],
    ] as const;
    for (const [hours, seconds] of changes) {
      const before = told.length;
      await setSetting(KEY, hours);
      await until(() => told.length > before);
      assert.deepEqual(times().at(-1), [seconds, 600], `${hours} hours`);
    }
  });
});
