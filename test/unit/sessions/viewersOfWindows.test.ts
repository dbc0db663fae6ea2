import assert from 'node:assert/strict';

import { turn, ViewerSetup } from '../../support/viewerSetup.js';

const CURSOR_QUERY = '\u001b[6n';

describe('terminals of several windows on one session', () => {
  it('say to the other windows what this one shows', async () => {
    const setup = new ViewerSetup();
    const { session, process } = await setup.start();
    const { viewer } = await setup.view(session, { focused: false });
    const other = await setup.view(session);
    setup.viewers.focus(viewer);
    setup.viewers.remove(viewer);
    assert.deepEqual(process.views, ['shown', 'focused', 'focused']);
    setup.viewers.remove(other.viewer);
    assert.deepEqual(process.views.slice(3), ['none']);
  });

  it('leave the size and the answers to the one in front, wherever it is', async () => {
    const setup = new ViewerSetup();
    const { session, process } = await setup.start();
    const { viewer, seen } = await setup.view(session);
    process.isViewedElsewhere(true);
    setup.viewers.look(session);
    setup.resized.length = 0;
    viewer.resize({ columns: 70, rows: 20 });
    process.prints(`first${CURSOR_QUERY}`);
    await turn();
    assert.deepEqual(setup.resized, []);
    assert.ok(seen.text.includes('first'));
    assert.ok(!seen.text.includes(CURSOR_QUERY), 'the emulator is not asked');

    process.isViewedElsewhere(false);
    setup.viewers.look(session);
    assert.deepEqual(setup.resized, [{ columns: 70, rows: 20 }], 'this one is in front again');
    process.prints(CURSOR_QUERY);
    await turn();
    assert.ok(seen.text.includes(CURSOR_QUERY));
  });

  it('have a program draw anew if earlier output is missing, once the terminal in front shows it again', async () => {
    const setup = new ViewerSetup();
    const { session, process } = await setup.start();
    process.isViewedElsewhere(true);
    process.prints('\u001b[?1049h');
    process.prints('screen');
    process.evictTo(6);
    const { viewer } = await setup.view(session, { focused: false });
    await turn();
    viewer.resize({ columns: 70, rows: 20 });
    assert.deepEqual(setup.redrawn, [], 'another window is in front');
    process.isViewedElsewhere(false);
    setup.viewers.look(session);
    viewer.resize({ columns: 70, rows: 21 });
    assert.deepEqual(setup.redrawn, [{ columns: 70, rows: 20 }], 'once');
  });

  it('leave alone a program whose output is all there', async () => {
    const setup = new ViewerSetup();
    const { session, process } = await setup.start();
    process.prints('\u001b[?1049hscreen');
    await setup.view(session, { size: { columns: 70, rows: 20 } });
    await turn();
    assert.deepEqual(setup.redrawn, []);
  });
});
