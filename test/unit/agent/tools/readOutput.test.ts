import assert from 'node:assert/strict';

import { line, parts } from '../replyParts.js';
import { scriptedTools } from '../scriptedHost.js';

describe('read_output', () => {
  it('remembers for each agent what it has been given', async () => {
    const { starts, call, process } = scriptedTools();
    await starts();
    process(1).prints('one\n');
    const read = async (agent: string) => parts(await call('read_output', { session: 1 }, { agent })).output;
    assert.equal(await read('a'), 'one\n');
    process(1).prints('two\n');
    assert.equal(await read('b'), 'one\ntwo\n');
    assert.equal(await read('a'), 'two\n');
    assert.equal(await read('a'), undefined);
  });

  it('with a cursor answers from there, and does not lose the place', async () => {
    const { starts, call, process } = scriptedTools();
    await starts();
    process(1).prints('one\n');
    process(1).prints('two\n');
    const page = await call('read_output', { session: 1, cursor: '1' });
    assert.deepEqual([parts(page).output, line(page, 'Cursor')], ['two\n', '2']);
    // The page began after the output that the agent had, so that the first line is still news.
    assert.equal(parts(await call('read_output', { session: 1 })).output, 'one\ntwo\n');
    assert.equal(parts(await call('read_output', { session: 1, cursor: '0' })).output, 'one\ntwo\n');
    process(1).prints('three\n');
    assert.equal(parts(await call('read_output', { session: 1, cursor: '0' })).output, 'one\ntwo\nthree\n');
    assert.equal(parts(await call('read_output', { session: 1 })).output, undefined);
  });

  it('refuses a cursor of another session', async () => {
    const { starts, call } = scriptedTools();
    await starts();
    const reply = await call('read_output', { session: 1, cursor: '77' });
    assert.equal(reply.isError, true);
    assert.match(
      reply.text,
      /"cursor" 77 is after the end of the output of Session 1 \(run\), which is at 0\./,
    );
  });

  it('pages through everything without a hole', async () => {
    const { starts, call, process } = scriptedTools();
    await starts();
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index} ${'é'.repeat(index % 50)}\n`);
    lines.forEach((text) => process(1).prints(text));
    process(1).ends(0);
    let whole = '';
    let cursor = '0';
    for (let pages = 0; ; pages++) {
      const reply = await call('read_output', { session: 1, cursor, max_output_tokens: 300 });
      cursor = line(reply, 'Cursor') ?? assert.fail();
      const more = `[... more follows; read_output cursor="${cursor}" has it ...]`;
      whole += (parts(reply).output ?? '').replace(more, '');
      if (reply.structured['more'] === false) {
        assert.ok(pages > 10);
        break;
      }
      assert.ok(parts(reply).output?.endsWith(more));
    }
    assert.equal(whole, lines.join(''));
  });

  it('finds lines', async () => {
    const { starts, call, process } = scriptedTools();
    await starts();
    for (let index = 0; index < 100; index++) {
      process(1).prints(index % 10 === 0 ? `Error ${index}\n` : 'fine\n');
    }
    const found = await call('read_output', { session: 1, search: 'error \\d', ignore_case: true });
    assert.equal(line(found, 'Matching lines'), '10');
    assert.match(parts(found).output ?? '', /Error 0\n.*Error 10\n/s);
    assert.equal(line(await call('read_output', { session: 1, search: 'error' }), 'Matching lines'), '0');
    const broken = await call('read_output', { session: 1, search: '(' });
    assert.equal(broken.isError, true);
    assert.match(broken.text, /^read_output was not called: "search": /);
  });

  it('says where a long line was compared with a large pattern only in part', async () => {
    const { starts, call, process } = scriptedTools();
    await starts();
    process(1).prints(`short\n${' '.repeat(1_000)}${'x'.repeat(1_000)}\n`);
    const warning =
      /^Warning: only the first 1046 characters of a line were compared with the pattern\. The first longer line is at cursor "0\+6"\./m;
    const large = 'x{1000}';
    assert.match((await call('read_output', { session: 1, search: large })).text, warning);
    assert.doesNotMatch((await call('read_output', { session: 1, search: 'x+' })).text, /^Warning/m);
    process(1).ends(0);
    assert.match((await call('wait_for', { session: 1, pattern: large })).text, warning);
  });

  it('has a screen only of a terminal, and alone', async () => {
    const { starts, call } = scriptedTools();
    await starts();
    assert.match((await call('read_output', { session: 1, mode: 'screen' })).text, /has no screen/);
    const both = await call('read_output', { session: 1, mode: 'screen', cursor: '0' });
    assert.match(both.text, /mode "screen" is alone/);
  });

  it('folds the equal rows of a screen', async () => {
    const { starts, call, process } = scriptedTools();
    await starts({ cmd: 'vi', tty: true });
    process(1).prints(`\u001b[?1049h\u001b[Hfirst\r\n${'~\r\n'.repeat(20)}last`);
    const { output } = parts(await call('read_output', { session: 1, mode: 'screen' }));
    assert.equal(output, 'first\n~\n[the line above 19 times more]\nlast');
  });

  it('does not count output as read when it is cancelled', async () => {
    const { starts, call, process } = scriptedTools();
    await starts();
    process(1).prints('news\n');
    const reply = await call('read_output', { session: 1 }, { signal: AbortSignal.abort() });
    assert.match(reply.text, /cancelled/);
    assert.equal(parts(await call('read_output', { session: 1 })).output, 'news\n');
  });
});
