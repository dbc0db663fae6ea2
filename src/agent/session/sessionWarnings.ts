import type { AgentSession } from './agentSession.js';

/** The warnings for an agent that gets the output of a session. */
export function sessionWarnings(session: AgentSession): readonly string[] {
  const { secret } = session;
  const warnings: string[] = [];
  if (secret.awaited) {
    warnings.push(secretText(session));
  }
  if (session.left === 'notKept') {
    warnings.push('its output is not kept any more: too many other sessions have ended since.');
  }
  const { process } = session;
  if (process?.info().tty === true && !secret.detectable && !session.saidUndetectable) {
    session.saidUndetectable = true;
    warnings.push(
      'whether a program waits for a password cannot be detected here: look at the output, never send a secret, and do not ask for one in chat.',
    );
  }
  if (session.seenStreams.has('stdout') && session.seenStreams.has('stderr') && !session.knownApart) {
    session.knownApart = true;
    warnings.push(
      'there was no pipe for both outputs on that machine: stdout and stderr came apart, and their lines may be in another order than they were written in. 2>&1 in a command line keeps the order.',
    );
  }
  return warnings;
}

/** Advice for an agent about a program that waits for a secret. */
export function secretText({ secret }: AgentSession): string {
  if (secret.personCalled && secret.personMayBeAway) {
    return 'The program is waiting for a secret. Do not send it and do not ask for it in chat: each window of VS Code that is open on this machine asks a person to type it in the terminal. wait_for, with exit or a pattern of what comes next, tells when the program goes on. If nobody answers, write_stdin takes keys ["C-c"], which gives the prompt up, and ["Enter"] for an empty answer, such as no passphrase.';
  }
  return secret.personCalled
    ? 'The program is waiting for a secret. Do not send it and do not ask for it in chat: a person has been asked to type it in the terminal. wait_for, with exit or a pattern of what comes next, tells when the program goes on. write_stdin takes keys ["C-c"], which gives the prompt up, and ["Enter"] for an empty answer, such as no passphrase.'
    : 'The program is waiting for a secret, and nobody can be asked for it here. Do not send one and do not ask for it in chat: answer with an empty line (write_stdin keys ["Enter"]) if that will do, such as for no passphrase, or give the prompt up (["C-c"]), and find a way that needs no secret, or let the user run it.';
}
