import { checkVariable, type Localizer, type VariableChanges, variableValue } from '../../core/index.js';
import { describeValue } from './commandInput.js';

/** Reads variables from outside. The ones that make no sense are left out and named. */
export function readVariables(
  variables: Readonly<Record<string, unknown>>,
  l10n: Localizer,
): { readonly changes: VariableChanges; readonly problems: readonly string[] } {
  const entries = Object.entries(variables).map(([name, value]) => [name, variableValue(value)] as const);
  const problems = entries.flatMap(([name, value]) => variableProblem(name, value, l10n) ?? []);
  const sound = entries.filter(([name, value]) => checkVariable(name, value) === 'ok');
  return { changes: Object.fromEntries(sound) as VariableChanges, problems };
}

/** The problem of a variable, in words; undefined for a valid one. The value is not shown, since it may be a secret. */
function variableProblem(name: string, value: unknown, l10n: Localizer): string | undefined {
  switch (checkVariable(name, value)) {
    case 'ok':
      return undefined;
    case 'noName':
      return l10n.t('One of the environment variables in "env" has an empty name. Give it one.');
    case 'badName':
      return l10n.t(
        'The environment variable {0} must have a name without "=" and NUL.',
        describeValue(name),
      );
    case 'badValue':
      return l10n.t(
        'The environment variable {0} must be a text or a number, or null to remove it.',
        describeValue(name),
      );
    case 'pattern':
      return l10n.t(
        'The environment variable {0} cannot be removed: "*" and "?" stand for other names there.',
        describeValue(name),
      );
  }
}
