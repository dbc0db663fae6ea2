import assert from 'node:assert/strict';

import { closeGhosts, type MaybeGhost, possibleGhosts } from '../../../src/vscode/terminals/ghosts.js';
import { FakeClock } from '../../support/fakeClock.js';

/**
 * A terminal as VS Code describes it after its extension host was killed. It has no process, or the number of a process
 * that is gone.
 */
const dead = (name: string, some: Partial<MaybeGhost> = {}) => ({
  name,
  creationOptions: { name },
  exitStatus: undefined,
  processId: Promise.resolve<number | undefined>(-1),
  closed: false,
  dispose() {
    this.closed = true;
  },
  ...some,
});

/** The terminals among these that are closed if ours had these names. */
async function closedOf(terminals: readonly ReturnType<typeof dead>[], names: readonly string[]) {
  await closeGhosts(possibleGhosts(terminals, names), names, new FakeClock());
  return terminals.map(({ closed }) => closed);
}

describe('Terminals that a killed extension host has left', () => {
  it('are closed if they have the names of ours', async () => {
    const noNumber = dead('server', { processId: Promise.resolve(undefined) });
    assert.deepEqual(await closedOf([dead('tests'), noNumber], ['server', 'tests']), [true, true]);
    assert.deepEqual(await closedOf([dead('tests'), dead('tests')], ['tests', 'tests']), [true, true]);
  });

  it('are kept if another extension may own terminals that look the same', async () => {
    assert.deepEqual(await closedOf([dead('other'), dead('tests')], ['tests']), [false, true]);
    assert.deepEqual(
      await closedOf([dead('tests'), dead('server'), dead('tests')], ['tests', 'server']),
      [false, true, false],
      'of two with one name, nobody knows which is ours',
    );
  });

  it('are not what is alive, has ended as usual, or is of this window', async () => {
    const alive = dead('tests', { processId: Promise.resolve(4_711) });
    const ended = dead('tests', { exitStatus: { code: 0 } as never });
    const program = dead('tests', { creationOptions: { name: 'tests', shellPath: '/bin/sh' } });
    const drawn = dead('tests', { creationOptions: { name: 'tests', pty: {} as never } });
    const ghost = dead('tests');
    assert.deepEqual(await closedOf([alive, ended, program, drawn, ghost], ['tests']), [
      false,
      false,
      false,
      false,
      true,
    ]);
  });
});
