import { join } from 'node:path';

import { quoteCommandLine, WRAPPER_VARIABLE } from '../../core/index.js';

/** A text in every wrapper of ours, so that a link to one can be told from a file of another program. */
export const WRAPPER_MARK = 'Written by the VS Code extension Exec Sessions';

/** The command line as a program on the PATH: a small script that stays where it is when the extension is updated. */
export interface Wrapper {
  /** The folder that goes onto the PATH. There is nothing else in it. */
  readonly folder: string;
  readonly file: string;
  readonly text: string;
}

/**
 * @param storage A folder that belongs to the extension in this VS Code, and that no update moves.
 * @param extension The folder of the extension, which each update moves.
 * @param node The program of the extension host: VS Code itself, which can be used as Node, or a Node.
 */
export function wrapperFor(
  storage: string,
  extension: string,
  { node = process.execPath, platform = process.platform } = {},
): Wrapper {
  const folder = join(storage, 'bin');
  const program = join(extension, 'dist', 'exec-sessions.js');
  return platform === 'win32'
    ? { folder, file: join(folder, 'exec-sessions.cmd'), text: batchText(node, program) }
    : {
        folder,
        file: join(folder, 'exec-sessions'),
        text: shellText(node, program, join(folder, 'exec-sessions')),
      };
}

/**
 * The user's NODE_OPTIONS may come from VS Code's debugger, which sets them in its terminals. They are passed to
 * started programs in the variable that VS Code itself uses for them.
 */
function shellText(node: string, program: string, file: string): string {
  return `#!/bin/sh
# ${WRAPPER_MARK}
node=${quoteCommandLine([node])}
program=${quoteCommandLine([program])}
if [ ! -f "$program" ]; then
  echo "exec-sessions: $program is gone. Open a VS Code with Exec Sessions, or remove $0" >&2
  exit 127
fi
[ -z "$NODE_OPTIONS" ] || export VSCODE_NODE_OPTIONS="$NODE_OPTIONS"
unset NODE_OPTIONS
export ELECTRON_RUN_AS_NODE=1
[ "$1" != connect ] || export ${WRAPPER_VARIABLE}=${quoteCommandLine([file])}
if [ ! -x "$node" ] && ! node=$(command -v node); then
  echo "exec-sessions: there is no Node. Open a VS Code with Exec Sessions, or install Node 20 or later" >&2
  exit 127
fi
exec "$node" "$program" "$@"
`;
}

function batchText(node: string, program: string): string {
  return `@echo off
rem ${WRAPPER_MARK}
setlocal
set "node=${batchQuoted(node)}"
if not exist "%node%" set "node=node"
set ELECTRON_RUN_AS_NODE=1
if "%~1"=="connect" set ${WRAPPER_VARIABLE}=%~f0
"%node%" "${batchQuoted(program)}" %*
`.replaceAll('\n', '\r\n');
}

function batchQuoted(text: string): string {
  return text.replaceAll('%', '%%');
}
