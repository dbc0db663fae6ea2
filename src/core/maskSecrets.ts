/** The text in place of a secret. */
const MASK = '***';

/** Names of variables, options and headers that announce a secret value. `tokens` are mostly a count. */
const SECRET_NAME =
  /passw(?:or)?d|passphrase|secret|token(?!s)|api[-_]?key|access[-_]?key|private[-_]?key|credential|(?:^|[-_])(?:pass|pwd|pw|auth|pat)$/i;
/** Names whose value is only the place of the secret, or says something about it. */
const PLACE_NAME = /[-_](?:file|path|dir|env|id|name|mode|stdin|sha256)$/i;

/**
 * One word of a shell, with quotes anywhere in it; a quote that was cut off reaches to the end. A word that is already
 * masked does not match: the text after it may be in the quotes of a log.
 */
const WORD = String.raw`(?!\*{3})(?:"(?:[^"\\]|\\[^])*(?:"|\\?$)|'[^']*(?:'|$)|[^\s"'&;|<>()])+`;
/** Stands before a name, so that no place inside a name is tried: that keeps the search linear. */
const BEGIN = String.raw`(?<![\w.-])`;

const ASSIGNED = new RegExp(`${BEGIN}([\\w.-]+)=`, 'g');
/** A quote before the name ends the value: `'TOKEN=two words'`. */
const QUOTED_ASSIGNMENT = /(?<=(['"]))([\w.-]+)=(?!\*{3})(?:(?!\1)[^])+/g;
const OPTION = new RegExp(`${BEGIN}(--?[\\w-]+)\\s+(?!-)`, 'g');
/** A member of JSON, also where its quotes are escaped. */
const MEMBER = /(\\?")([\w.-]+)\1(\s*:\s*)\1(?:(?!\1)[^])+/g;
const HEADER = new RegExp(`${BEGIN}((?:proxy-)?authorization|(?:set-)?cookie)(:\\s*)[^"'\\n]+`, 'gi');
/** Does not match the end of a path, which may precede the text of an error. */
const OTHER_HEADER = /(?<![\w./-])([A-Za-z]+-[A-Za-z-]+)(:\s*)[^\s"']+/g;
/** `https://user:password@host` */
const IN_URL = /(:\/\/[^\s/@:"']*:)[^\s/@"']+(?=@)/g;
/** `-u user:password`, as of curl. */
const USER_OPTION = new RegExp(`${BEGIN}((?:-u|--user)[\\s=]+["']?[^\\s:"'/]+:)[^\\s"'/]+`, 'g');
/** `mysql -pPassword`; after a space it would be the name of a database. */
const GLUED = new RegExp(`${BEGIN}((?:mysql|mariadb)[\\w-]*\\b[^\\n;|&]{0,200}?\\s-p)([^\\s"']+)`, 'g');
const SSHPASS = new RegExp(`${BEGIN}(sshpass\\s+-p\\s*)(${WORD})`, 'g');
const BEARER = /\b(Bearer\s+)[\w.~+/=-]{8,}/g;
/** Tokens that can be known by their first letters: those of GitHub, GitLab, Slack, AWS and others, and signed ones. */
const KNOWN =
  /(?<![\w-])(?:gh[pousr]_|github_pat_|glpat-|sk-|xox[abprs]-|AKIA|npm_|eyJ[\w-]{10,256}\.eyJ)[\w.-]{12,}/g;

/**
 * Takes evident secrets out of a text with command lines, for a log. Secrets are values of variables, options and
 * headers with a telling name, passwords in URLs, and tokens of known forms. Other values stay. Takes linear time.
 */
export function maskSecrets(text: string): string {
  const plain = text
    .replace(IN_URL, `$1${MASK}`)
    .replace(KNOWN, MASK)
    .replace(HEADER, `$1$2${MASK}`)
    .replace(BEARER, `$1${MASK}`)
    .replace(MEMBER, (all, quote: string, name: string, colon: string) =>
      isSecret(name) ? `${quote}${name}${quote}${colon}${quote}${MASK}` : all,
    )
    .replace(QUOTED_ASSIGNMENT, (all, _quote, name: string) => (isSecret(name) ? `${name}=${MASK}` : all));
  return [ASSIGNED, OPTION]
    .reduce(maskWords, plain)
    .replace(OTHER_HEADER, (all, name: string, colon: string) =>
      isSecret(name) ? `${name}${colon}${MASK}` : all,
    )
    .replace(USER_OPTION, `$1${MASK}`)
    .replace(SSHPASS, `$1${MASK}`)
    .replace(GLUED, `$1${MASK}`);
}

/**
 * Masks the word after each name that announces a secret. No other word is read as a whole: it may be a command with
 * secrets of its own, as in `bash -lc 'login --password …'`.
 */
function maskWords(text: string, names: RegExp): string {
  const word = new RegExp(WORD, 'y');
  let masked = '';
  let done = 0;
  for (const { 0: before, 1: name = '', index } of text.matchAll(names)) {
    word.lastIndex = index + before.length;
    if (index >= done && isSecret(name) && word.test(text)) {
      masked += `${text.slice(done, index)}${before}${MASK}`;
      done = word.lastIndex;
    }
  }
  return masked + text.slice(done);
}

function isSecret(name: string): boolean {
  return SECRET_NAME.test(name) && !PLACE_NAME.test(name);
}
