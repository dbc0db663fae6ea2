import type { ConnectFailure } from '../../core/index.js';

/** The beginnings of Node's codes for faults of a certificate, and of the handshake itself. */
const TLS_CODES =
  /^(?:ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|HOSTNAME_MISMATCH|PATH_LENGTH)/;

const REASONS: Readonly<Record<string, string>> = {
  ECONNRESET: 'the other side hung up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENETDOWN: 'the network is down',
  EACCES: 'it is not permitted',
  EPERM: 'it is not permitted',
};

/** Translates the error of a socket into the reason why an attempt to connect failed. */
export function networkFailure(error: Error, target: string, host: string): ConnectFailure {
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code !== 'string') {
    // Errors without a code come from the WebSocket library, if the answer is not a WebSocket server's.
    return { kind: 'notExecServer', target, reason: lowerFirst(error.message) };
  }
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return { kind: 'connectionRefused', target };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_NODATA':
    case 'EAI_NONAME':
      return { kind: 'unknownHost', target, host };
    case 'ENOTSOCK':
      return { kind: 'notExecServer', target, reason: 'it is not a socket' };
    case 'ETIMEDOUT':
      return { kind: 'connectFailed', target, reason: 'the host does not answer' };
    default:
      break;
  }
  if (code.startsWith('HPE_')) {
    return { kind: 'notExecServer', target, reason: 'it does not speak HTTP' };
  }
  if (TLS_CODES.test(code)) {
    return { kind: 'tlsFailed', target, reason: tlsReason(code, error.message) };
  }
  return { kind: 'connectFailed', target, reason: REASONS[code] ?? lowerFirst(error.message) };
}

function tlsReason(code: string, message: string): string {
  // OpenSSL's own messages name its source files.
  return code === 'EPROTO' || code.startsWith('ERR_SSL_')
    ? `the server does not speak TLS as expected (${code})`
    : lowerFirst(message);
}

function lowerFirst(text: string): string {
  return (text.charAt(0).toLowerCase() + text.slice(1)).replace(/\.$/, '');
}
