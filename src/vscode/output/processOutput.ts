import { constants, type FileHandle, open, readlink, stat } from 'node:fs/promises';

import * as vscode from 'vscode';

import { oneLine, type ProcessIdentity } from '../../core/index.js';
import { byteText } from '../../sessions/words/index.js';
import { plainText } from '../../terminal/index.js';
import { UserError } from '../userError.js';

/** The most output of a process that is shown, in bytes. */
const MOST_BYTES = 1024 * 1024;

/**
 * Opens the file that is the standard output of a process. It can be read while it is open, even if it is deleted.
 *
 * @throws UserError if the process has ended, or writes to no file that can be read.
 */
export async function openOutputOf(identity: ProcessIdentity): Promise<FileHandle> {
  const { stillRuns } = await import('../../local/index.js');
  const name = `/proc/${identity.pid}/fd/1`;
  const isFile = (await stat(name).catch(() => undefined))?.isFile() === true;
  // A pipe that takes the place of the file is not waited for.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK;
  const file = isFile ? await open(name, flags).catch(() => undefined) : undefined;
  const runs = stillRuns({ ...identity });
  if (file !== undefined && runs && (await file.stat()).isFile()) {
    return file;
  }
  await file?.close();
  const place = await readlink(name).catch(() => vscode.l10n.t('not readable'));
  throw new UserError(
    runs
      ? vscode.l10n.t('The output of this process cannot be shown. It goes to: {0}.', oneLine(place))
      : vscode.l10n.t('This process has ended, and its output was not kept.'),
  );
}

/** The newest output in a file as plain text. Its first line says if there was more. */
export async function newestIn(file: FileHandle): Promise<string> {
  const { size } = await file.stat();
  const from = Math.max(0, size - MOST_BYTES);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), { position: from });
  const text = plainText([{ stream: 'stdout', bytes: buffer.subarray(0, bytesRead) }]);
  const [newest, all] = [size - from, size].map((bytes) => byteText(bytes, vscode.l10n));
  return from === 0 ? text : `${vscode.l10n.t('[The newest {0} of {1}]', newest ?? '', all ?? '')}\n${text}`;
}
