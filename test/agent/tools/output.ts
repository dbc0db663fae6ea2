import assert from 'node:assert/strict';

import { untilPrinted } from '../toolsSetup.js';
import type { DeclareToolTest } from '../toolsSetup.js';

/** More than a log keeps. */
export const LONG_BUILD =
  'echo "error TS1: the first one"; seq -f "%.0f: a line of a long build, of which little is kept" 70000';

/** Output for agents. */
export function outputTests(test: DeclareToolTest): void {
  test('a command that goes on can be read, waited for and read again', async (fixture) => {
    const { call, start } = fixture;
    const session = await start({ cmd: 'echo one; read line; echo "two $line"; exit 3', stdin: true });
    assert.equal((await untilPrinted(fixture, session, 'one')).structured['state'], 'running');
    const written = await call('write_stdin', { session, chars: 'é\n', yield_time_ms: 55_000 });
    assert.equal(written.output, 'two é\n');
    assert.equal(written.line('State'), 'exited with code 3');
    // Nothing of an ended session is lost.
    assert.equal((await call('read_output', { session, cursor: '0' })).output, 'one\ntwo é\n');
    assert.equal((await call('read_output', { session })).output, '');
    const waited = await call('wait_for', { session, exit: true, closed: true });
    assert.deepEqual(waited.structured['met'], ['exit', 'closed']);
    const late = await call('write_stdin', { session, chars: 'x' });
    assert.deepEqual([late.isError, late.line('State')], [false, 'exited with code 3']);
  });

  test('the last lines can be read, of pipes and of terminals, and what follows them', async (fixture) => {
    const { call, start } = fixture;
    for (const tty of [false, true]) {
      // More than a log keeps.
      const cmd = 'for i in $(seq 150000); do echo "line $i of it"; done; read line; echo "then $line"';
      const session = await start({ cmd, tty, stdin: true });
      await untilPrinted(fixture, session, '^line 150000 of it');
      const tail = await call('read_output', { session, tail: 3 });
      assert.equal(tail.output, 'line 149998 of it\nline 149999 of it\nline 150000 of it\n');
      const { from } = tail.structured;
      assert.equal(tail.line('Last lines'), `3, from cursor "${String(from)}" on`);
      const again = await call('read_output', { session, cursor: from });
      assert.equal(again.output, tail.output);
      await call('write_stdin', { session, chars: 'on\n', yield_time_ms: 55_000 });
      const rest = await call('read_output', { session, cursor: tail.line('Cursor') });
      assert.match(rest.output, /^(?:on\n)?then on\n$/);
    }
    const both = await call('read_output', { session: 1, tail: 3, search: 'x' });
    assert.deepEqual([both.isError, both.text.includes('"tail" is alone')], [true, true]);
  });

  test('pages, searches and budgets lose nothing', async ({ call }) => {
    const reply = await call('exec_command', {
      cmd: 'for i in $(seq 5000); do echo "line $i of it"; [ $i = 2500 ] && echo "Error: number $i"; done; true',
      max_output_tokens: 1_000,
      yield_time_ms: 55_000,
    });
    assert.match(reply.output, /^line 1 of it\n/);
    assert.match(reply.output, /line 5000 of it\n$/);
    assert.match(reply.output, /\nError: number 2500\n/);
    const left =
      /\[\.\.\. [\d,]+ lines \([\d,]+ tokens\) left out; read_output cursor="([\d+]+)" has them \.\.\.\]/.exec(
        reply.output,
      );
    assert.ok(left, reply.output);
    const there = await call('read_output', { session: 1, cursor: left[1] ?? '', max_output_tokens: 100 });
    const before = reply.output.slice(0, left.index).trimEnd().split('\n').length;
    assert.ok(there.output.startsWith(`line ${before + 1} of it\n`), there.output);
    let whole = '';
    for (let cursor = '0', more: unknown = true; more === true;) {
      const page = await call('read_output', { session: 1, cursor, max_output_tokens: 5_000 });
      cursor = page.line('Cursor');
      more = page.structured['more'];
      whole += page.output.replace(/\[\.\.\. more follows; .* \.\.\.\]$/, '');
    }
    const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1} of it\n`);
    lines.splice(2_500, 0, 'Error: number 2500\n');
    assert.equal(whole, lines.join(''));
    const found = await call('read_output', { session: 1, search: '^Error: number \\d+$' });
    assert.equal(found.line('Matching lines'), '1');
    assert.match(found.output, /Error: number 2500/);
  });

  test('a note on output that is gone by now says so, and what it promises is there', async ({ call }) => {
    const reply = await call('exec_command', {
      cmd: LONG_BUILD,
      yield_time_ms: 50_000,
    });
    assert.equal(reply.line('State'), 'exited with code 0');
    const left =
      /([\d,]+) lines \([\d,]+ tokens\) left out; read_output cursor="(\d+)" has about the last ([\d,]+), the rest is gone/.exec(
        reply.output,
      );
    assert.ok(left, reply.output.replace(/^\d+: .*\n/gm, ''));
    const cursor = left[2] ?? '';
    const there = await call('read_output', { session: 1, cursor, max_output_tokens: 1_000 });
    assert.match(there.output, /^[^[]*\d+: a line of a long build/);
    assert.doesNotMatch(there.output, /gone/);
    const before = await call('read_output', { session: 1, cursor: '1', max_output_tokens: 1_000 });
    assert.match(before.output, /^\[\.\.\. about [\d,]+ bytes are gone/);
  });

  test('the later output of a full-screen program is told as a part of its screen', async ({ call }) => {
    const begun = await call('exec_command', { cmd: 'less /etc/passwd', tty: true, yield_time_ms: 0 });
    const session = 1;
    const first = await call('wait_for', { session, pattern: '^root:' });
    assert.match(
      begun.output + first.output,
      /\[a full-screen program has the terminal; its screen so far:\]\n/,
    );
    const typed = await call('write_stdin', { session, chars: '/daemon\r', yield_time_ms: 0 });
    const next = await call('wait_for', { session, pattern: 'daemon', from: first.line('Cursor') });
    assert.match(
      typed.output + next.output,
      /^\[a full-screen program has the terminal: this is only what it has changed;/,
    );
    const end = await call('write_stdin', { session, chars: 'q', yield_time_ms: 50_000 });
    assert.equal(end.line('State'), 'exited with code 0');
  });

  test('binary output is one line that says what it is', async ({ call }) => {
    const reply = await call('exec_command', { cmd: 'head -c 100000 /bin/bash' });
    assert.match(
      reply.output,
      /^\[\.\.\. 100,000 bytes of output not shown: binary \(ELF\); [^\n]* \.\.\.\]\n*$/,
    );
  });

  test('a flood is short to read, and ends', async ({ call }) => {
    const reply = await call('exec_command', { cmd: 'yes | head -n 1000000', yield_time_ms: 55_000 });
    assert.equal(reply.line('State'), 'exited with code 0');
    assert.ok(reply.output.length < 1_000, reply.output.slice(0, 2_000));
    assert.match(reply.output, /^y\n/);
  });
}
