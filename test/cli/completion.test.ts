import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { useMachine } from '../server/machine/machineFixture.js';
import { params } from '../support/startParams.js';
import { until } from '../support/until.js';
import { cli, runLine, writeProgram } from './cliFixture.js';
import { tmuxFor } from './tmux.js';

/** How each shell is started without a configuration of its user, and gets the completion. */
const SHELLS: Readonly<Record<string, { readonly argv: readonly string[]; readonly load: string }>> = {
  'bash': { argv: ['bash', '--norc', '-i'], load: 'source <(exec-sessions completion bash)' },
  'zsh': { argv: ['zsh', '-f', '-i'], load: 'source <(exec-sessions completion zsh)' },
  'zsh after compinit @all': {
    argv: ['zsh', '-f', '-i'],
    load: 'autoload -Uz compinit; compinit -u -D; source <(exec-sessions completion zsh)',
  },
  'fish': {
    argv: ['fish', '--private', '-i'],
    load: 'mkdir -p ~/.config/fish/completions; exec-sessions completion fish > ~/.config/fish/completions/exec-sessions.fish',
  },
  'fish that reads it @all': {
    argv: ['fish', '--private', '--no-config', '-i'],
    load: 'exec-sessions completion fish | source',
  },
};

describe('exec-sessions in a shell', () => {
  const machine = useMachine();
  const { tmux, openPane, screen } = tmuxFor(machine);

  for (const [shell, ...options] of [['bash'], ['zsh', '-f'], ['fish']] as const) {
    it(`has a completion for ${shell} that says nothing when it is loaded, also where nobody types`, async () => {
      const home = path.join(machine.folder, 'home');
      writeProgram(home, 'exec-sessions', [process.execPath, cli]);
      const load =
        shell === 'fish'
          ? 'exec-sessions completion fish | source'
          : `source <(exec-sessions completion ${shell})`;
      const argv = [shell, ...options, '-c', `'${load}; echo loaded'`];
      const loaded = await runLine(machine, `PATH='${home}':"$PATH" ${argv.join(' ')}`);
      assert.deepEqual(loaded, { stdout: 'loaded\n', stderr: '', code: 0 });
    });
  }

  // Inside, so that tmux ends while the folder of its socket is there.
  describe('is completed', () => {
    afterEach(() => tmux('kill-server'));

    for (const [name, { argv, load }] of Object.entries(SHELLS)) {
      it(`with commands, their options and what is under them, ids and numbers by ${name}`, async () => {
        const home = path.join(machine.folder, 'home');
        writeProgram(home, 'exec-sessions', [process.execPath, cli]);
        const { stdout } = await runLine(machine, 'exec-sessions run --detach -- sleep 1000');
        const id = stdout.trim();
        const listed = await runLine(machine, 'exec-sessions ls --json');
        const number = /"number":(\d+)/.exec(listed.stdout)?.[1] ?? assert.fail(listed.stdout);
        openPane('shell', ['env', `PATH=${home}:${machine.env['PATH'] ?? ''}`, ...argv]);
        const type = (...keys: readonly string[]) => tmux('send-keys', '-t', 'shell', ...keys);
        // fish forgets what is typed before its prompt is there.
        await until(() => screen('shell').trim() !== '');
        // The word on the screen is not the one that was typed.
        type(`${load}; echo load""ed`, 'Enter');
        await until(
          () => screen('shell'),
          (seen) => seen.includes('\nloaded'),
        );
        assert.doesNotMatch(screen('shell'), /not found|error/i);
        for (const [typed, completed] of [
          ['exec-sessions ren', 'exec-sessions rename'],
          ['exec-sessions logs --fo', 'exec-sessions logs --follow'],
          ['exec-sessions server sto', 'exec-sessions server stop'],
          ['exec-sessions completion fi', 'exec-sessions completion fish'],
          [`exec-sessions attach ${id.slice(0, 6)}`, `exec-sessions attach ${id.slice(0, 8)}`],
          [`exec-sessions attach ${number.slice(0, 3)}`, `exec-sessions attach ${number}`],
        ] as const) {
          type(typed, 'Tab');
          // It may be too long for the line.
          await until(
            () => screen('shell').replaceAll('\n', ''),
            (seen) => seen.includes(completed),
          );
          type('C-u');
        }
        const evaluated = path.join(home, 'evaluated');
        const { backend } = (await machine.connect()) ?? assert.fail();
        for (const sessionId of [
          `$(touch ${evaluated})`,
          `\`touch ${evaluated}\``,
          `$(touch\${IFS}${evaluated})`,
        ]) {
          const argv = ['sleep', '1000'];
          const process = await backend.start(
            params({ processId: sessionId.length.toString(), argv, owned: true, metadata: { sessionId } }),
          );
          process.release();
        }
        type(`exec-sessions attach ${id.slice(0, 6)}`, 'Tab');
        await until(
          () => screen('shell').replaceAll('\n', ''),
          (seen) => seen.includes(`attach ${id.slice(0, 8)}`),
        );
        assert.equal(fs.existsSync(evaluated), false, 'The id of a session was evaluated.');
      });
    }
  });
});
