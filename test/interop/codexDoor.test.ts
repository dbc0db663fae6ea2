import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { type Metadata, metadataIn } from '../../src/core/index.js';
import { runLine, writeProgram } from '../cli/cliFixture.js';
import { ensureCodex } from '../rig/codex.js';
import { useMachine } from '../server/machine/machineFixture.js';
import { execInBackground, resultOf, sessionOf, typeInto } from './calls.js';
import { useWorkspace } from './workspace.js';

describe('The door of Codex', () => {
  const machine = useMachine();
  const workspace = useWorkspace();

  for (const sandbox of ['danger-full-access', 'workspace-write'] as const) {
    it(`makes its commands sessions with owner, name and conversation (${sandbox}) @all`, async () => {
      const bin = path.join(machine.folder, 'bin');
      fs.mkdirSync(bin);
      writeProgram(bin, 'codex', [(await ensureCodex()).binary]);
      const opened = await runLine(machine, `PATH="${bin}:$PATH"; exec-sessions connect codex --yes`);
      assert.deepEqual([opened.stderr, opened.code], ['', 0]);
      const toml = fs.readFileSync(path.join(machine.folder, 'home/.codex/environments.toml'), 'utf8');
      const { backend } = (await machine.connect()) ?? assert.fail();
      const command = `${workspace.tell('ready')}; read word; echo "got $word"; exit 3`;
      let row: { readonly origin: Metadata['origin']; readonly commandLine: string | undefined } | undefined;
      let table = '';
      const { outputs } = await workspace.runIn(
        { toml },
        [
          [execInBackground('run', command, { tty: true })],
          async (seen) => {
            await workspace.untilThere('ready');
            const { metadata } = (await backend.list())[0] ?? assert.fail();
            row = {
              origin: metadataIn(metadata, 'origin'),
              commandLine: metadataIn(metadata, 'commandLine'),
            };
            table = (await runLine(machine, 'exec-sessions ls')).stdout;
            return [typeInto(sessionOf(seen, 'run'), 'type', 'it\n')];
          },
        ],
        { sandbox, env: machine.env },
      );
      assert.match(row?.origin.conversation ?? '', /^[\da-f-]{36}$/);
      assert.deepEqual(
        { ...row, origin: { ...row?.origin, conversation: '' } },
        { origin: { kind: 'agent', name: 'Codex', conversation: '', call: 'run' }, commandLine: command },
      );
      assert.match(table, /running .* Codex +echo "ready/);
      assert.match(resultOf(outputs, 'type').output, /got it/);
      assert.equal(resultOf(outputs, 'type').exitCode, 3);
    });
  }
});
