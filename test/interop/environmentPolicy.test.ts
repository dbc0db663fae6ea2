import assert from 'node:assert/strict';

import { exec, resultOf } from './calls.js';
import { interopServers, useServer } from './servers.js';

/** The variables of the server besides the usual ones, such as MARK, PATH and HOME. */
const GIVEN = { KEEP_ONE: '1', KEEP_TWO: '2', DROP_ONE: '3', A_SECRET: '4', LOGNAME: 'somebody' };

type Names = keyof typeof GIVEN | 'MARK' | 'HOME' | 'NEW' | 'NEW_TOKEN';

interface Policy {
  readonly title: string;
  /** Lines of [shell_environment_policy] in the client's config.toml. */
  readonly policy: readonly string[];
  /** The names above that the command has. */
  readonly has: readonly Names[];
}

const policies: readonly Policy[] = [
  {
    title: 'everything, when nothing is said',
    policy: [],
    has: ['A_SECRET', 'DROP_ONE', 'HOME', 'KEEP_ONE', 'KEEP_TWO', 'LOGNAME', 'MARK'],
  },
  {
    title: 'everything',
    policy: ['inherit = "all"'],
    has: ['A_SECRET', 'DROP_ONE', 'HOME', 'KEEP_ONE', 'KEEP_TWO', 'LOGNAME', 'MARK'],
  },
  {
    title: 'everything but what sounds secret',
    policy: ['inherit = "all"', 'ignore_default_excludes = false'],
    has: ['DROP_ONE', 'HOME', 'KEEP_ONE', 'KEEP_TWO', 'LOGNAME', 'MARK'],
  },
  { title: 'the core', policy: ['inherit = "core"'], has: ['HOME', 'LOGNAME'] },
  { title: 'nothing', policy: ['inherit = "none"'], has: [] },
  {
    title: 'all but what is excluded',
    policy: ['exclude = ["drop_*", "KEEP_?WO"]'],
    has: ['A_SECRET', 'HOME', 'KEEP_ONE', 'LOGNAME', 'MARK'],
  },
  {
    title: 'only what is included',
    policy: ['include_only = ["KEEP_*", "MARK"]', 'set = { NEW = "5" }'],
    has: ['KEEP_ONE', 'KEEP_TWO', 'MARK'],
  },
  {
    title: 'what is set, whatever is excluded',
    policy: ['inherit = "core"', 'ignore_default_excludes = false', 'set = { NEW = "5", NEW_TOKEN = "6" }'],
    has: ['HOME', 'LOGNAME', 'NEW', 'NEW_TOKEN'],
  },
];

for (const kind of interopServers) {
  describe(`${kind.name}: what a command of the real client inherits from the server`, () => {
    const bench = useServer(kind, { env: GIVEN });

    for (const { title, policy, has } of policies) {
      it(title, async () => {
        const { outputs } = await bench.run(
          // A shell adds variables of its own to those that it was started with; /proc has only the latter.
          [[exec('env', `tr '\\0' '\\n' < /proc/$$/environ`)]],
          { config: ['[shell_environment_policy]', ...policy, ''].join('\n') },
        );
        const seen = Object.fromEntries(
          resultOf(outputs, 'env')
            .output.trimEnd()
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
        );
        const values: Readonly<Record<Names, string>> = {
          ...GIVEN,
          MARK: bench.mark,
          HOME: bench.server.home,
          NEW: '5',
          NEW_TOKEN: '6',
        };
        const names = (Object.keys(values) as Names[]).sort();
        assert.deepEqual(
          Object.fromEntries(names.filter((name) => name in seen).map((name) => [name, seen[name]])),
          Object.fromEntries(has.map((name) => [name, values[name]])),
        );
        // Our server adds the mark of the session to what inherits everything.
        const marked = kind.ours === true && has.includes('MARK') && has.includes('HOME');
        assert.equal('EXEC_SESSION_ID' in seen, marked);
        // The variables that the client lays over the result are not subject to the policy.
        assert.deepEqual([seen['TERM'], seen['CODEX_CI'], seen['NO_COLOR']], ['dumb', '1', '1']);
      });
    }
  });
}
