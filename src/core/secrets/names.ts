import { isLiteral, isNumber, isPlain, isPlainWords } from './values.js';

/** The most characters at the end of a name that are looked at. */
const LONGEST_NAME = 100;

/** The names of variables, options, headers and members whose value is a secret. */
const SECRET = endingIn([
  String.raw`passw(?:or)?d|passwort|passphrase|passcode|secret|token(?!s)|credentials?`,
  String.raw`(?:^|-)(?:pass|pwd|pw|psk|otp)`,
  String.raw`(?:store|key|db|user|root|admin|smb|ftp|mail|ssh|my|pg|require)-?(?:pass|pw)`,
  String.raw`secret-(?:string|value|base|key-base)|mnemonic|seed-phrase`,
  String.raw`(?:api|access|private|secret|auth|encryption|encrypt|encoding|signing|license|licence|account|master|shared|app|session|deploy|deployment|service|record|write|client|admin|storage|hmac|aes|jwt|webhook|webpack|integration)-?keys?`,
]);
/** The names whose value is a secret unless it is a number or plain words. */
const LIKELY = /(?:^|-)(?:auth|pat|key|sig|signature)$/;
/** The names of variables that are sure only in capitals. */
const VARIABLE = /^(?:[A-Z\d_]+_)?(?:KEY|PASSWORDS|SECRETS|COOKIE|JWT|BEARER)$|^BW_SESSION$/;
/** The names that end like a secret and are about something else. */
const OTHER = endingIn([
  String.raw`(?:^|-)(?:public|pub|primary|foreign|partition|sort|cache|group|gpg|pgp|host|range|hash|index|row|object|idempotency|hot|short|map|lookup|unique|composite|dict|routing|message|translation|known|trusted|authorized|user-signing|default|web-?socket|surrogate|arrow|tab|enter|compose|hotkey|registry|config)-?keys?`,
  String.raw`(?:^|-)(?:next|page|starting|continuation|pagination|sync|bos|eos|pad|unk|stop|mask|sep|cls|max|min|num|special|unexpected|reserved)-(?:token|key)|(?:existing|pull|tls)-secret`,
]);
/** The first word of an option that asks for a secret or for something to be done with it. */
const FLAG =
  /^(?:no|with|without|show|ask|skip|use|enable|disable|require|need|prompt|export|import|gen|generate|delete|list|get|print|edit|search|recv|send|fetch|reset|rotate|create|has|is|allow|force|check|verify|sign|lsign|quick)-/;

function endingIn(names: readonly string[]): RegExp {
  return new RegExp(`(?:${names.join('|')})(?:-?\\d{1,2})?$`);
}

/** How surely the value of a name is a secret. */
type Secrecy = 'sure' | 'likely';

/** `dbPassword`, `DB_PASSWORD` and `--db.password` are one name. */
function secrecyOf(name: string): Secrecy | undefined {
  // The variable of a shell with its directory.
  if (name === 'PWD') return undefined;
  const plain = name
    .slice(-LONGEST_NAME)
    .replace(/([a-z\d])(?=[A-Z])/g, '$1-')
    .toLowerCase()
    .replace(/[_.\s]+/g, '-');
  if (OTHER.test(plain)) return undefined;
  return SECRET.test(plain) || VARIABLE.test(name) ? 'sure' : LIKELY.test(plain) ? 'likely' : undefined;
}

/** Whether the value at this place is the secret of this name. */
export function isSecret(name: string, text: string, at: number, open: string): boolean {
  const secrecy = secrecyOf(name);
  return (
    secrecy !== undefined &&
    !isPlain(text, at, isLiteral(text, at, open)) &&
    !isNumber(text, at) &&
    (secrecy === 'sure' || !isPlainWords(text, at))
  );
}

/** Whether the name alone announces a secret without doubt. */
export function isSureName(name: string): boolean {
  return secrecyOf(name) === 'sure';
}

/** Whether an option has no value of its own. */
export function isFlag(option: string): boolean {
  return FLAG.test(option.replace(/^[-/]+/, '').toLowerCase());
}
