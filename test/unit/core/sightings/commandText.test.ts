import assert from 'node:assert/strict';

import { commandText } from '../../../../src/core/index.js';

describe('The text of a command that an agent runs', () => {
  const claude = (text: string, after = " < /dev/null && pwd -P >| '/tmp/my claude-1a2b-cwd'") =>
    `source /root/.claude/shell-snapshots/snapshot-bash-1-x.sh 2>/dev/null || true && { \\builtin shopt -u extglob || \\builtin setopt NO_EXTENDED_GLOB; } >/dev/null 2>&1 && eval ${text}${after}`;

  const forms: readonly (readonly [of: string, argv: readonly string[], text: string])[] = [
    ['a program', ['node', 'my server.js', '--port=3000'], "node 'my server.js' --port=3000"],
    ['a shell', ['/bin/bash', '-lc', 'npm test && echo done'], 'npm test && echo done'],
    ['a shell with options', ['bash', '--norc', '--noprofile', '-c', 'ls -c'], 'ls -c'],
    ['a shell with options after -c', ['zsh', '-c', '-l', 'make'], 'make'],
    ['a script', ['bash', 'build.sh', '-c', 'fast'], 'bash build.sh -c fast'],
    ['a shell of a person', ['-zsh'], '-zsh'],
    ['Claude Code', ['/bin/zsh', '-c', claude("'npm run dev'")], 'npm run dev'],
    ['Claude Code, with quotes', ['bash', '-c', claude(`'echo '"'"'a b'"'"' "c"'`)], `echo 'a b' "c"`],
    ['Claude Code, with escaped quotes', ['bash', '-c', claude(`'it'\\''s'`)], "it's"],
    [
      'Claude Code, in a group',
      ['bash', '-c', claude("'a'", '; } && pwd -P >| /claude-x-cwd').replace('eval', '{ eval')],
      'a',
    ],
    ['Claude Code, without a snapshot', ['sh', '-c', "eval 'a\nb' && pwd -P >| /tmp/claude-1a-cwd"], 'a\nb'],
    [
      'somebody who imitates Claude Code',
      ['sh', '-c', "rm -rf x; echo /shell-snapshots/ && eval 'npm test'"],
      "rm -rf x; echo /shell-snapshots/ && eval 'npm test'",
    ],
    ['a person, with eval', ['sh', '-c', 'true && eval "$(ssh-agent)"'], 'true && eval "$(ssh-agent)"'],
    [
      'Gemini CLI',
      [
        '/usr/bin/bash',
        '-c',
        'shopt -u promptvars nullglob; _bgpids_file=/tmp/x\n(\n  trap \'jobs -p > "$_bgpids_file"\' EXIT\ncd a\nnpm start\n)\n__code=$?\nexit $__code',
      ],
      'cd a\nnpm start',
    ],
  ];
  for (const [of, argv, text] of forms) {
    it(`is what the model wrote: ${of}`, () => {
      assert.equal(commandText(argv), text);
    });
  }

  it('is found at once for texts that are made to take long', () => {
    const long = ["( trap '' EXIT\n", '&& pwd -P >| ', "eval '", "'\\''", 'shopt { ; }; __code='];
    for (const part of long) {
      // With a pattern that begins again at each place, this would take minutes.
      assert.ok(commandText(['bash', '-c', part.repeat(100_000)]).length > 0);
    }
  });
});
