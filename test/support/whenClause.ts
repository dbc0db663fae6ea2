/** The context keys of a moment; one that is missing is unset. */
export type ContextKeys = Readonly<Record<string, string | boolean>>;

const TOKEN = /\s*(\|\||&&|==|=~|!|\/(?:[^/\\]|\\.)+\/[a-z]*|'[^']*'|[\w.-]+)/y;

/**
 * Whether a `when` clause of package.json holds: what VS Code makes of the operators that ours use, `||`, `&&`, `!`, `==`
 * and `=~`. No library on npm has that.
 *
 * @throws Error about anything else in the clause.
 */
export function holdsWhen(clause: string | undefined, keys: ContextKeys): boolean {
  const tokens = tokensOf(clause ?? '');
  return tokens.length === 0 || either(tokens, keys);
}

/** No part is skipped when the result is known, since each part takes its own tokens. */
function either(tokens: string[], keys: ContextKeys): boolean {
  let result = both(tokens, keys);
  while (tokens[0] === '||') {
    tokens.shift();
    result = both(tokens, keys) || result;
  }
  if (tokens.length > 0) {
    throw new Error(`A when clause goes on with ${tokens.join(' ')}`);
  }
  return result;
}

function both(tokens: string[], keys: ContextKeys): boolean {
  let result = one(tokens, keys);
  while (tokens[0] === '&&') {
    tokens.shift();
    result = one(tokens, keys) && result;
  }
  return result;
}

function one(tokens: string[], keys: ContextKeys): boolean {
  const first = tokens.shift() ?? '';
  if (first === '!') {
    return !one(tokens, keys);
  }
  if (!/^[\w.-]+$/.test(first)) {
    throw new Error(`A when clause has "${first}" where a key should be`);
  }
  const value = keys[first];
  const operator = tokens[0];
  if (operator !== '==' && operator !== '=~') {
    return value === true || (typeof value === 'string' && value !== '');
  }
  tokens.shift();
  const wanted = tokens.shift() ?? '';
  return operator === '=~'
    ? typeof value === 'string' && regExp(wanted).test(value)
    : (value ?? '').toString() === wanted.replace(/^'(.*)'$/, '$1');
}

function regExp(text: string): RegExp {
  const [, source, flags] = /^\/(.+)\/([a-z]*)$/.exec(text) ?? [];
  if (source === undefined) {
    throw new Error(`A when clause has "${text}" where a regular expression should be`);
  }
  return new RegExp(source, flags);
}

function tokensOf(clause: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < clause.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(clause)?.[1];
    if (token === undefined) {
      throw new Error(`A when clause has "${clause.slice(at)}"`);
    }
    tokens.push(token);
  }
  return tokens;
}
