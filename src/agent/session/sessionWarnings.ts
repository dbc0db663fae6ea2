import type { KnownAgent } from './agents.js';
import type { AgentSession } from './agentSession.js';

/** The warnings for an agent that gets the output of a session. */
export function sessionWarnings(session: AgentSession, agent: KnownAgent): readonly string[] {
  const { secret } = session;
  const warnings: string[] = [];
  if (secret.tell(agent)) {
    warnings.push(secretText(session));
  }
  if (session.left === 'notKept') {
    warnings.push('its output is not kept any more: too many other sessions have ended since.');
  }
  const { process } = session;
  if (process?.info().tty === true && !session.look.findsSecrets && !session.saidUndetectable) {
    session.saidUndetectable = true;
    warnings.push(
      'it cannot be detected here whether a program waits for a password. Look at the output, never send a secret, and do not ask for one in chat.',
    );
  }
  if (session.seenStreams.has('stdout') && session.seenStreams.has('stderr') && !session.knownApart) {
    session.knownApart = true;
    warnings.push(
      'that machine has no pipe for both outputs. The lines of stdout and stderr may be in another order than they were written in. Put 2>&1 into a command line to keep the order.',
    );
  }
  return warnings;
}

/** Advice for an agent about a program that waits for a secret. */
export function secretText({ id, secret }: AgentSession): string {
  if (secret.personCalled && secret.personMayBeAway) {
    return `The program is waiting for a secret. Do not send it and do not ask for it in chat. Ask the user to type it in the session's terminal: in VS Code, if a window is open, or with "exec-sessions attach ${id} --take-control". Then wait_for the exit or a pattern of what comes next. To give the prompt up, use write_stdin keys ["C-c"]; ["Enter"] is an empty answer, such as no passphrase.`;
  }
  return secret.personCalled
    ? 'The program is waiting for a secret. Do not send it and do not ask for it in chat. A person has been asked to type it in the terminal. Use wait_for, with exit or a pattern of what comes next, to learn when the program goes on. To give the prompt up, use write_stdin keys ["C-c"]; ["Enter"] is an empty answer, such as no passphrase.'
    : 'The program is waiting for a secret, and nobody can be asked for it here. Do not send one and do not ask for it in chat. If an empty answer will do, such as no passphrase, use write_stdin keys ["Enter"]. Otherwise give the prompt up (["C-c"]), and find a way that needs no secret, or let the user run it.';
}
