import { isSureName } from './names.js';
import { isPlain, type Span } from './values.js';

/** Tokens that are known by their first letters. No place inside a word is tried: that keeps the search linear. */
const TOKENS = new RegExp(
  String.raw`(?<![\w.-])(?:` +
    [
      String.raw`gh[pousr]_|github_pat_|gl(?:pat|dt|rt|cbt|ptt|ft|agent|soat)-|sk-|[sr]k_(?:live|test)_|whsec_|xox[abeprs]-|xapp-|A[KS]IA(?=[A-Z\d]{8})`,
      String.raw`AIza|ya29\.|hf_|do[opr]_v1_|SG\.|pypi-|glsa_|shp(?:at|ss|ca|pa)_|sq0[a-z]{3}-|ATATT3|lin_api_|pul-|dckr_pat_|hv[sbr]\.|NRAK-`,
      String.raw`AGE-SECRET-KEY-1|xkeysib-|sbp_|figd_|r8_|gsk_|pplx-|xai-|nvapi-|rubygems_|dapi|PMAK-|sntry[su]_|tskey-|key-(?=[\da-f]{32})`,
      String.raw`npm_(?=[A-Za-z\d]{16})|eyJ[\w-]{10,256}\.eyJ|\d{8,10}:AA(?=[\w-]{30})|[MNO][\w-]{23,25}\.[\w-]{6}\.(?=[\w-]{27})`,
    ].join('|') +
    String.raw`)[\w.-]{12,}`,
  'g',
);
/** Addresses that need no password, since nobody else knows them. */
const WEBHOOKS =
  /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/webhooks\/|api\.telegram\.org\/bot|webhook\.office\.com\/webhookb2\/)[^\s\0"'<>?]+/g;
const HEADERS = /(?<![\w.-])((?:proxy-)?authorization|(?:set-)?cookie)(:\s*)(?![*\s])([^"'\n\0]+)/gi;
const BEARER = /(?<![\w.-])(?:bearer|basic)(\s+)(?=[\w.~+/=-]{8})[\w.~+/=-]*[\d=][\w.~+/=-]*/gi;
const PRIVATE_KEY = /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_LINE = /^(?:\s|\\[rn])*(?:[A-Za-z\d+/=]{16}|Proc-Type:)/;
const HEAD = 60;
/** `ALTER USER bob PASSWORD 'secret'`, `IDENTIFIED BY 'secret'` */
const SQL =
  /\b(?:PASSWORD(?: FOR \S{1,100})?|IDENTIFIED(?: WITH \w{1,40})? BY)(?:\s*=)?\s+(?=\\?["'])(\\?["'])(?!\*{3}|\s)((?:(?!\1)[^\0]|\1\1)+)/gi;
const URL = /(?<!docker:|oci:)\/\/(?:[^\s\0"'<>`]|["'](?=[^\s\0"'<>`/]*@))+/g;
/** Takes the place of a password in an address. */
const STAND_IN = /^(?:\*{3}|\$(?!\w*[a-z]\d)\w+|\$?\{+[^}]*\}+)@/;
/** The value that a variable has if it has none: `${PASSWORD:-secret}`. */
const DEFAULTS = /\$\{(\w+):?[-=]["']?([^\s\0}$"'`]+)/g;
/** Takes the place of a password in a header. */
const VARIABLE = /^(?:(?:bearer|basic|token)\s*$|(?:\w+\s+)?(?:\$|\{\{|<|%))/i;

/** The secrets that are known by their form, whatever stands around them. */
export function knownSecrets(text: string): readonly Span[] {
  return [
    ...[...text.matchAll(TOKENS)].filter(([token]) => /\d/.test(token)).map(spanOfMatch),
    ...[...text.matchAll(WEBHOOKS)].map(spanOfMatch),
    ...[...text.matchAll(HEADERS)]
      .filter(([, , , value = '']) => !VARIABLE.test(value))
      .map((match) => lastOf(match, match[3])),
    ...[...text.matchAll(BEARER)].map((match) => ({
      start: match.index + match[0].indexOf(match[1] ?? '') + (match[1]?.length ?? 0),
      end: match.index + match[0].length,
    })),
    ...privateKeys(text),
    ...[...text.matchAll(SQL)].map((match) => lastOf(match, match[2])),
    ...[...text.matchAll(DEFAULTS)]
      .filter(([, name = '', value = '']) => isSureName(name) && !isPlain(value, 0, false))
      .map((match) => lastOf(match, match[2])),
    ...[...text.matchAll(URL)].flatMap(({ 0: url, index }) => userInfos(url, index)),
  ];
}

function spanOfMatch({ 0: { length }, index }: RegExpExecArray): Span {
  return { start: index, end: index + length };
}

/** The last part of a match. */
function lastOf({ 0: { length }, index }: RegExpExecArray, part = ''): Span {
  return { start: index + length - part.length, end: index + length };
}

function privateKeys(text: string): readonly Span[] {
  const keys: Span[] = [];
  let end = 0;
  for (const { 0: begin, index } of text.matchAll(PRIVATE_KEY)) {
    const start = index + begin.length;
    if (end < start) {
      const found = text.indexOf('-----END', start);
      end = found < 0 ? text.length : found;
    }
    // A key that is cut off shows that it is one by its lines.
    if (
      index >= (keys.at(-1)?.end ?? 0) &&
      (end < text.length || KEY_LINE.test(text.slice(start, start + HEAD)))
    ) {
      keys.push({ start, end });
    }
  }
  return keys;
}

/** The passwords in an address, which may be the parameter of another one. */
function userInfos(url: string, index: number): readonly Span[] {
  let at = index;
  return url.split('//').flatMap((part) => {
    const start = at;
    at += part.length + 2;
    const secret = secretOf(part);
    return secret === undefined ? [] : [{ start: start + secret.start, end: start + secret.end }];
  });
}

/** The password, or the token in its place, before the `@` of an address. */
function secretOf(address: string): Span | undefined {
  const authority = /^[^/?#]*/.exec(address)?.[0] ?? '';
  const colon = authority.startsWith('[') ? -1 : authority.indexOf(':');
  const at = authority.lastIndexOf('@');
  const hasPassword = colon >= 0 && (at < 0 ? !/^\d*$/.test(authority.slice(colon + 1)) : colon < at);
  if (hasPassword) {
    // A password may contain what ends a host.
    const end = address.lastIndexOf('@');
    const isOpen = end <= colon + 1 || STAND_IN.test(address.slice(colon + 1, end + 1));
    return isOpen ? undefined : { start: colon + 1, end };
  }
  const user = authority.slice(0, Math.max(at, 0));
  return /^(?=.*\d)[\w-]{20,}$/.test(user) ? { start: 0, end: at } : undefined;
}
