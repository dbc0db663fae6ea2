import * as vscode from 'vscode';

import type { Session } from '../../sessions/list/index.js';
import { evictionNote } from '../../sessions/words/index.js';
import { plainText } from '../../terminal/index.js';

/** The retained output of a session as plain text, with a first line if some of the output is not in it. */
export async function textOfOutput(session: Session): Promise<string> {
  const { chunks } = await session.process.read();
  return evictionNote(session.process.info().output, vscode.l10n) + plainText(chunks);
}

/**
 * The retained output as the program wrote it, including the escape sequences.
 *
 * @param options.note Whether to begin with a line, as in {@link textOfOutput}, if some of the output is not in it.
 */
export async function bytesOfOutput(
  session: Session,
  options: { readonly note: boolean },
): Promise<Uint8Array> {
  const { chunks } = await session.process.read();
  const note = options.note ? evictionNote(session.process.info().output, vscode.l10n) : '';
  return Buffer.concat([Buffer.from(note), ...chunks.map(({ bytes }) => bytes)]);
}
