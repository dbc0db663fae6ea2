import fs from 'node:fs';
import path from 'node:path';

import { format, resolveConfig } from 'prettier';

import { root } from '../paths.js';
import { commandTexts } from './commandTexts.js';

/** Makes docs/commands-and-settings.md from package.json and its texts. `npm run docs` writes it. */

export const commandsFile = path.join(root, 'docs/commands-and-settings.md');

interface Keybinding {
  readonly command: string;
  readonly key: string;
  readonly mac?: string;
}

interface Property {
  readonly default: unknown;
  readonly enum?: readonly string[];
  readonly markdownDescription?: string;
  readonly markdownEnumDescriptions?: readonly string[];
  readonly enumDescriptions?: readonly string[];
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly keybindings: readonly Keybinding[];
    readonly configuration: readonly {
      readonly title: string;
      readonly properties: Readonly<Record<string, Property>>;
    }[];
  };
}

const HEAD = `# Commands and settings

<!-- Made by npm run docs from package.json, package.nls.json and test/rig/documents/commandTexts.ts. -->

All commands are in the command palette under **Exec Sessions**. A command that needs a session asks for one, unless it is
used on a row. Keys work in the view, and the key of **Split Into New Session** in our terminals.`;

const SETTINGS = `A message names a setting that makes no sense; its default is used then. The settings of a
workspace count only once you trust it. It cannot set what the session server keeps.`;

export async function commandsPage(): Promise<string> {
  const { contributes } = readJson('package.json') as Manifest;
  const texts = readJson('package.nls.json') as Readonly<Record<string, string>>;
  const text = (key = ''): string => texts[key.replaceAll('%', '')] ?? key;

  const titles = new Map(contributes.commands.map(({ command, title }) => [command, text(title)]));
  const commands = Object.entries(commandTexts).map(([heading, group]) =>
    list(
      heading,
      Object.entries(group).map(([name, effect]) => {
        const id = `execSessions.${name}`;
        return `**${titles.get(id) ?? name}**${keyOf(contributes.keybindings, id)}: ${effect}`;
      }),
    ),
  );
  const settings = contributes.configuration.map(({ title, properties }) =>
    list(
      text(title),
      Object.entries(properties).map(
        ([id, property]) =>
          `\`${id}\`, by default \`${JSON.stringify(property.default)}\`: ${meaning(property, text)}`,
      ),
    ),
  );
  const page = [HEAD, '## Commands', ...commands, '## Settings', SETTINGS, ...settings].join('\n\n');
  const options = { ...(await resolveConfig(commandsFile)), filepath: commandsFile };
  return format(page, options);
}

function readJson(file: string): unknown {
  return JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'));
}

function list(heading: string, entries: readonly string[]): string {
  return [`### ${heading}`, entries.map((entry) => `- ${entry}`).join('\n')].join('\n\n');
}

function keyOf(keybindings: readonly Keybinding[], id: string): string {
  const found = keybindings.find(({ command }) => command === id);
  if (found === undefined) return '';
  const mac = found.mac === undefined || found.mac === found.key ? '' : ` (macOS ${keys(found.mac)})`;
  return `, ${keys(found.key)}${mac}`;
}

function keys(binding: string): string {
  const names = binding.split('+').map((key) => key.charAt(0).toUpperCase() + key.slice(1));
  return `<kbd>${names.join('+')}</kbd>`;
}

/** The description, without its example, and each value with its meaning. */
function meaning(property: Property, text: (key?: string) => string): string {
  const [description = ''] = text(property.markdownDescription).split(/(?: An example [^.]*:)?\n\n/);
  const meanings = property.markdownEnumDescriptions ?? property.enumDescriptions;
  const values = (property.enum ?? []).map((value, index) => `  - \`${value}\`: ${text(meanings?.[index])}`);
  return [description.replaceAll(/`#([^#]+)#`/g, '`$1`'), ...values].join('\n');
}

if (require.main === module) {
  void commandsPage().then((page) => {
    fs.writeFileSync(commandsFile, page);
  });
}
