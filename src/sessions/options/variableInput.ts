import { checkVariable, type Localizer, type VariableChanges } from '../../core/index.js';
import type { Parsed } from './commandInput.js';

/** One assignment: a name, and a value that may be in quotes. */
const ASSIGNMENT = /\s*([^\s=]+)=(?:"([^"]*)"|'([^']*)'|([^\s"']\S*|))(?=\s|$)/y;

/** Reads variables as a person types them: `NAME=value OTHER="two words"`. Nothing in a value is replaced. */
export function parseVariableInput(text: string, l10n: Localizer): Parsed<VariableChanges> {
  const found: [name: string, value: string][] = [];
  let at = 0;
  while (text.slice(at).trim() !== '') {
    ASSIGNMENT.lastIndex = at;
    const match = ASSIGNMENT.exec(text);
    const [, name = '', double, single, plain] = match ?? [];
    if (match === null || checkVariable(name, '') !== 'ok') {
      return {
        ok: false,
        message: l10n.t(
          'Write variables as NAME=value, with spaces between them: DEBUG=1 TITLE="two words".',
        ),
      };
    }
    found.push([name, double ?? single ?? plain ?? '']);
    at = ASSIGNMENT.lastIndex;
  }
  return { ok: true, value: Object.fromEntries(found) };
}

/** Writes variables so that {@link parseVariableInput} reads them. Removals of variables are left out. */
export function variableInput(changes: VariableChanges): string {
  return Object.entries(changes)
    .flatMap(([name, value]) => (value === null ? [] : [`${name}=${quoted(value)}`]))
    .join(' ');
}

function quoted(value: string): string {
  if (value !== '' && !/[\s"']/.test(value)) {
    return value;
  }
  return value.includes('"') ? `'${value}'` : `"${value}"`;
}
