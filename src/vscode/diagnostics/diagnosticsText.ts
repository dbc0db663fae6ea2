import { maskSecrets, oneLine } from '../../core/index.js';
import type { Problem } from '../log.js';

/** The facts about one thing: names with values, in the order in which they are written. */
export interface DiagnosticsSection {
  readonly title: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
}

/**
 * The report as Markdown. It is in English, as the log is: it is written for those who look into a problem. Evident
 * secrets are masked, and the home directory is `~`.
 *
 * @param problems The last warnings and errors, oldest first.
 */
export function diagnosticsText(options: {
  readonly sections: readonly DiagnosticsSection[];
  readonly problems: readonly Problem[];
  readonly homeDir: string;
}): string {
  const { sections, problems, homeDir } = options;
  const parts = sections.map(({ title, facts }) => [
    `## ${title}`,
    '',
    ...facts.map(([name, value]) => `- ${oneLine(name)}: ${oneLine(value)}`),
  ]);
  const last = problems.map(({ at, level, text }) => `- ${at.toISOString()} ${level}: ${oneLine(text)}`);
  const lines = [
    '# Exec Sessions: Diagnostics',
    '',
    ...parts.flatMap((part) => [...part, '']),
    '## Last warnings and errors',
    '',
    ...(last.length === 0 ? ['No warnings or errors since the extension was loaded in this window.'] : last),
    '',
  ];
  return withoutHome(maskSecrets(lines.join('\n')), homeDir);
}

/** A home directory has the name of a person in it. */
function withoutHome(text: string, homeDir: string): string {
  return homeDir.length > 1 ? text.replaceAll(homeDir, '~') : text;
}
