import { commandLineFor } from '../../core/index.js';

/** The shells that completion is made for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A command of the program, for completion. */
export interface Completed {
  readonly name: string;
  readonly description: string;
  /** Its options, the commands under it, and the words that its argument can be. */
  readonly options: readonly string[];
  /** Whether its arguments are sessions. */
  readonly takesIds: boolean;
}

/** The script that completes commands, their options, and the numbers and ids of sessions in a shell. */
export function completionScript(shell: Shell, commands: readonly Completed[]): string {
  switch (shell) {
    case 'bash':
      return bashScript(commands);
    case 'zsh':
      // zsh runs completions of bash. It can register them only once its own completions have been started.
      return `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`;
    case 'fish':
      return fishScript(commands);
  }
}

/**
 * Prints the number and the id of each session, if they are words that no shell takes for more. One of another server
 * may have no number.
 */
const IDS = `exec-sessions ls --all 2>/dev/null | awk "NR > 1 { for (i = 1; i < 3; i++) if (\\$i ~ /^[0-9A-Za-z_][0-9A-Za-z_.:-]*\\$/) print \\$i }"`;

/** No word of the list is ever evaluated: ids are chosen by others. */
function bashScript(commands: readonly Completed[]): string {
  const lines = (words: readonly string[]) => `printf '%s\\n' ${words.join(' ')}`;
  const cases = commands.map(
    ({ name, options, takesIds }) => `    ${name}) ${lines(options)}${takesIds ? `; ${IDS}` : ''} ;;`,
  );
  return [
    '_exec_sessions_words() {',
    '  case "$1" in',
    `    '') ${lines(commands.map(({ name }) => name))} ;;`,
    ...cases,
    '  esac',
    '}',
    '_exec_sessions() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" command="" word',
    '  if [ "$COMP_CWORD" -gt 1 ]; then command="${COMP_WORDS[1]}"; fi',
    '  COMPREPLY=()',
    '  while IFS= read -r word; do',
    '    if [[ "$word" == "$current"* ]]; then COMPREPLY+=("$word"); fi',
    '  done < <(_exec_sessions_words "$command")',
    '}',
    'complete -o default -F _exec_sessions exec-sessions',
    '',
  ].join('\n');
}

function fishScript(commands: readonly Completed[]): string {
  const first = '__fish_use_subcommand';
  return commands
    .flatMap(({ name, description, options, takesIds }) => {
      const here = `__fish_seen_subcommand_from ${name}`;
      return [
        `complete -c exec-sessions -f -n ${first} -a ${name} -d ${commandLineFor('fish', [description])}`,
        ...options.map((option) =>
          option.startsWith('--')
            ? `complete -c exec-sessions -n '${here}' -l ${option.slice(2)}`
            : `complete -c exec-sessions -f -n '${here}' -a ${option}`,
        ),
        ...(takesIds ? [`complete -c exec-sessions -f -n '${here}' -a '(${IDS})'`] : []),
      ];
    })
    .join('\n')
    .concat('\n');
}
