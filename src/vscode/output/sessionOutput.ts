import * as vscode from 'vscode';

import type { Session } from '../../sessions/list/index.js';
import { evictionNote } from '../../sessions/words/index.js';
import { plainText } from '../../terminal/index.js';

/** What is kept of a session's output, as text to read, with a first line if some of it is not. */
export async function textOfOutput(session: Session): Promise<string> {
  const { chunks } = await session.process.read();
  return evictionNote(session.process.info().output, vscode.l10n) + plainText(chunks);
}

/** The same as the program wrote it, escape sequences and all. */
export async function bytesOfOutput(session: Session): Promise<Uint8Array> {
  const { chunks } = await session.process.read();
  return Buffer.concat(chunks.map(({ bytes }) => bytes));
}
