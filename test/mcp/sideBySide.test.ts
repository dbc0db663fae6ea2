import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { killIfThere } from '../support/killIfThere.js';
import { onLinux } from '../support/onLinux.js';
import { isRunning } from '../support/processes.js';
import { until } from '../support/until.js';
import { useMcpPrograms } from './program.js';
import { callTool } from './reply.js';

describe('Two programs of one client side by side', () => {
  const programs = useMcpPrograms();

  it('have numbers and lists of their own, and know the owner of an unknown number', async () => {
    const [one, two] = await Promise.all([programs.start(), programs.start()]);
    const start = { argv: ['cat'], stdin: true, yield_time_ms: 0 };
    const [first, second] = await Promise.all([
      callTool(one.client, 'exec_command', start),
      callTool(two.client, 'exec_command', start),
    ]);
    assert.notEqual(first.session, second.session);
    // The numbers are short: they come from the claims of the user, which are in the home folder of the programs.
    assert.match(`${first.session} ${second.session}`, /^\d{4} \d{4}$/);
    const claims = path.join(programs.folder, '.local/state/exec-sessions/session-numbers');
    assert.equal(fs.readdirSync(claims).length, 2);

    const { text } = await callTool(two.client, 'list_sessions');
    assert.match(text, new RegExp(`^1 session of yours, 1 running\\.\nSession ${second.session}: cat `));
    assert.doesNotMatch(text, new RegExp(`of other agents|${first.session}`));

    const typed = await callTool(two.client, 'write_stdin', { session: first.session, chars: 'x\n' });
    assert.equal(typed.isError, true);
    assert.ok(
      typed.text.startsWith(
        `Session ${first.session} belongs to another server, which still runs (process ${one.pid})`,
      ),
      typed.text,
    );
    await one.client.close();
    await until(async () => !(await isRunning(one.pid)));
    const read = await callTool(two.client, 'read_output', { session: first.session });
    assert.ok(
      read.text.startsWith(`Session ${first.session} belonged to another server, which has ended`),
      read.text,
    );
  });

  onLinux('are told what the one that has ended has left running', async () => {
    const [one, two] = await Promise.all([programs.start(), programs.start()]);
    const cmd = 'setsid sleep 1000 </dev/null >/dev/null 2>&1 & echo $!';
    const { text } = await callTool(one.client, 'exec_command', { cmd, yield_time_ms: 50_000 });
    const pid = Number(/^(\d+)$/m.exec(text)?.[1]);
    const isTold = async () =>
      new RegExp(
        `^\\d+ process(?:es)? left running by sessions of servers that have ended: .*sleep \\(pid ${pid}\\)`,
        'm',
      ).test((await callTool(two.client, 'list_sessions')).text);
    try {
      await until(
        async () => (await callTool(one.client, 'list_sessions')).text,
        (seen) => seen.includes(`(pid ${pid})`),
      );
      assert.equal(await isTold(), false);
      await one.client.close();
      await until(async () => !(await isRunning(one.pid)));
      await until(isTold);
    } finally {
      killIfThere(pid);
    }
    await until(async () => !(await isTold()));
  });
});
