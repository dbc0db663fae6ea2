import { type FailureForm, type FailureForms, internal, NOT_SAID, type WithReason } from './failureForm.js';

/** `target` is the place where a server is looked for: an address, a path or a command. */
interface OfTarget {
  readonly target: string;
}

/** Reasons why a server cannot be reached. */
export interface ConnectFailures {
  badAddress: OfTarget;
  tokenInTheClear: OfTarget;
  badToken: OfTarget;
  connectionRefused: OfTarget;
  unknownHost: OfTarget & { readonly host: string };
  connectTimeout: OfTarget & { readonly seconds: number };
  connectFailed: OfTarget & WithReason;
  connectCancelled: OfTarget;
  tokenMissing: OfTarget;
  unauthorized: OfTarget & WithReason;
  forbidden: OfTarget;
  tlsFailed: OfTarget & WithReason;
  notExecServer: OfTarget & WithReason;
  serverCommandEnded: OfTarget & WithReason;
  /** The login ends, or waits, before the first word of ours. */
  loginEnded: OfTarget;
  loginSilent: OfTarget & { readonly seconds: number };
  hostKeyRefused: OfTarget;
  noShellThere: OfTarget & WithReason;
  noSpaceThere: OfTarget;
  noExecThere: OfTarget;
  oldLibcThere: OfTarget & WithReason & { readonly least: string };
  noNodeThere: OfTarget;
  nodeNotFetched: OfTarget & WithReason;
  installFailed: OfTarget & WithReason;
  removeFailed: OfTarget & WithReason;
  /** For the session server of this machine. */
  sessionServer: WithReason;
}

/** The form of a failure to reach a server, which is never sent over a wire. */
function notReached<K extends keyof ConnectFailures>(
  words: FailureForm<ConnectFailures, K>['words'],
): FailureForm<ConnectFailures, K> {
  return { code: internal, wire: () => 'not connected', members: NOT_SAID, words };
}

export const CONNECT_FORMS: FailureForms<ConnectFailures> = {
  badAddress: notReached(({ target }, l10n) =>
    l10n.t('{0} is not the address of an exec-server: it must begin with ws:// or wss://.', target),
  ),
  tokenInTheClear: notReached(({ target }, l10n) =>
    l10n.t(
      'The token is not sent to {0}, because anybody on the way could read it. Use a wss:// address, or a tunnel to this machine.',
      target,
    ),
  ),
  badToken: notReached(({ target }, l10n) =>
    l10n.t('The token for {0} contains characters that a token cannot have. Set it again.', target),
  ),
  connectionRefused: notReached(({ target }, l10n) =>
    l10n.t(
      'Cannot connect to {0}: nothing is listening there. Check the address, and that the exec-server runs.',
      target,
    ),
  ),
  unknownHost: notReached(({ target, host }, l10n) =>
    l10n.t(
      'Cannot connect to {0}: there is no host called "{1}". Check the address and the network.',
      target,
      host,
    ),
  ),
  connectTimeout: notReached(({ target, seconds }, l10n) =>
    l10n.t(
      'Cannot connect to {0}: no answer within {1} seconds. Check the address and the network.',
      target,
      seconds,
    ),
  ),
  connectFailed: notReached(({ target, reason }, l10n) =>
    l10n.t('Cannot connect to {0}: {1}.', target, reason),
  ),
  connectCancelled: notReached(({ target }, l10n) => l10n.t('Connecting to {0} was cancelled.', target)),
  tokenMissing: notReached(({ target }, l10n) =>
    l10n.t('The exec-server at {0} asks for a token. Set it.', target),
  ),
  unauthorized: notReached(({ target, reason }, l10n) =>
    l10n.t('The exec-server at {0} does not accept the token: {1}. Set another one.', target, reason),
  ),
  forbidden: notReached(({ target }, l10n) =>
    l10n.t('The server at {0} refuses the connection (403 Forbidden). Check what it allows.', target),
  ),
  tlsFailed: notReached(({ target, reason }, l10n) =>
    l10n.t(
      'Cannot connect to {0} safely: {1}. Check the address and the certificate of the server.',
      target,
      reason,
    ),
  ),
  notExecServer: notReached(({ target, reason }, l10n) =>
    l10n.t('{0} is not an exec-server: {1}. Check the address.', target, reason),
  ),
  serverCommandEnded: notReached(({ target, reason }, l10n) =>
    l10n.t('The command {0} did not reach an exec-server: {1}.', target, reason),
  ),
  loginEnded: notReached(({ target }, l10n) =>
    l10n.t(
      'The login on {0} ended before the server could start. A file such as .bashrc may end it, or the key or account has a fixed command.',
      target,
    ),
  ),
  loginSilent: notReached(({ target, seconds }, l10n) =>
    l10n.t(
      'Nothing came from {0} within {1} seconds. A login file there may wait for input, or the machine does not answer. Try it in a terminal.',
      target,
      seconds,
    ),
  ),
  hostKeyRefused: notReached(({ target }, l10n) =>
    l10n.t(
      'The host key of {0} is unknown, or not the one of last time. Connect once with ssh in a terminal, and compare the key.',
      target,
    ),
  ),
  noShellThere: notReached(({ target, reason }, l10n) =>
    l10n.t('There is no sh on {0}, which the server needs to get there: {1}.', target, reason),
  ),
  noSpaceThere: notReached(({ target }, l10n) =>
    l10n.t(
      'The disk of {0} has no space for the server. Make some in the home there: 5 MB, and 200 MB more if Node is sent.',
      target,
    ),
  ),
  noExecThere: notReached(({ target }, l10n) =>
    l10n.t(
      'On {0} no program may run from the home (noexec). Set XDG_CACHE_HOME there to a folder where programs may run.',
      target,
    ),
  ),
  oldLibcThere: notReached(({ target, reason, least }, l10n) =>
    l10n.t(
      'The Node that can be sent does not run on {0}: {1}. It needs glibc {2}. Install Node 20 or newer there.',
      target,
      reason,
      least,
    ),
  ),
  noNodeThere: notReached(({ target }, l10n) =>
    l10n.t('There is no Node 20 or newer on {0}. Install it there, for example the package nodejs.', target),
  ),
  nodeNotFetched: notReached(({ target, reason }, l10n) =>
    l10n.t('Node for {0} cannot be fetched here: {1}. Install Node 20 or newer there.', target, reason),
  ),
  installFailed: notReached(({ target, reason }, l10n) =>
    l10n.t('The server cannot be installed on {0}: {1}.', target, reason),
  ),
  removeFailed: notReached(({ target, reason }, l10n) =>
    l10n.t('The server cannot be removed from {0}: {1}.', target, reason),
  ),
  sessionServer: notReached(({ reason }, l10n) =>
    l10n.t('The session server of this machine cannot be used: {0}.', reason),
  ),
};
