import path from 'node:path';

import * as vscode from 'vscode';

import { commandLineFor } from '../../../core/index.js';
import { LOCAL_ID } from '../../../sessions/list/index.js';
import { userShell } from '../../thisMachine.js';
import type { TreeNode } from '../../tree/nodes.js';
import { UserError } from '../../userError.js';
import { askAndStart, type AskFrom } from './askAndStart.js';
import type { CommandContext } from '../context.js';

/**
 * Starts a command for something that a person has dropped onto the view, after a question. Says why if it cannot be
 * started.
 *
 * @param target The row that it was dropped onto. The row of an environment stands for the environment.
 */
export async function startDropped(
  context: CommandContext,
  target: TreeNode | undefined,
  dropped: vscode.DataTransfer,
): Promise<void> {
  try {
    context.starter.checkTrust();
    if (target?.kind !== 'environment' || target.id === LOCAL_ID) {
      await askAndStart(context, undefined, await readDrop(dropped, userShell(context.settings).shell));
      return;
    }
    const from = await readDrop(dropped, undefined);
    const environment = await context.connector.connectVisibly(target.id);
    if (environment !== undefined) {
      await askAndStart(context, environment, from);
    }
  } catch (error) {
    context.messages.failed(error);
  }
}

/**
 * The beginning of a question, from something that a person has dropped onto the view. A folder is the directory to run
 * in. Files are the command line, in the directory of the first file. A line of text is the command line.
 *
 * @param shell The shell that runs it on this machine, where the files are; undefined for other machines.
 * @throws UserError if nothing can be made of it.
 */
async function readDrop(dropped: vscode.DataTransfer, shell: string | undefined): Promise<AskFrom> {
  const uris = await urisOf(dropped);
  if (uris.length > 0) {
    if (shell === undefined) {
      throw new UserError(
        vscode.l10n.t('Files and folders can be started on this machine only. Drop them onto another row.'),
      );
    }
    return startOfFiles(uris, shell);
  }
  const text = ((await dropped.get('text/plain')?.asString()) ?? '').trim();
  if (text === '') {
    throw new UserError(vscode.l10n.t('Drop a file, a folder or a line of text onto the view.'));
  }
  // The box for the command has one line, and would join these.
  if (/[\r\n]/.test(text)) {
    throw new UserError(
      vscode.l10n.t(
        'That text has several lines. Drop one line, or save the text as a script and drop its file.',
      ),
    );
  }
  return { initial: text };
}

async function urisOf(dropped: vscode.DataTransfer): Promise<readonly vscode.Uri[]> {
  const list = (await dropped.get('text/uri-list')?.asString()) ?? '';
  // The form of such a list: https://www.rfc-editor.org/rfc/rfc2483#section-5
  const lines = list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => vscode.Uri.parse(line));
}

async function startOfFiles(uris: readonly vscode.Uri[], shell: string): Promise<AskFrom> {
  const [first] = uris;
  if (first === undefined || uris.some(({ scheme }) => scheme !== 'file')) {
    throw new UserError(vscode.l10n.t('Choose a file or a folder of this machine to start something there.'));
  }
  const { type } = await vscode.workspace.fs.stat(first);
  if (uris.length === 1 && (type & vscode.FileType.Directory) !== 0) {
    return { cwd: first.fsPath };
  }
  const cwd = path.dirname(first.fsPath);
  const files = uris.map(({ fsPath }) => fromThere(cwd, fsPath));
  return { cwd, initial: commandLineFor(shell, files) };
}

/**
 * A path as a shell in `cwd` finds it. The leading `./` keeps a file from being looked up on the PATH or read as an
 * option.
 */
function fromThere(cwd: string, file: string): string {
  const relative = path.relative(cwd, file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : `.${path.sep}${relative}`;
}
