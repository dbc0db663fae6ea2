import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { toolDefinitions } from '../../src/agent/definitions.js';
import { settingDefinitions, settingId, type SettingName } from '../../src/sessions/options/settings.js';
import { CommandId } from '../../src/vscode/commands/commandIds.js';

interface Property {
  readonly default: unknown;
  readonly scope: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Manifest {
  readonly icon: string;
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: {
      readonly supported: string;
      readonly restrictedConfigurations: readonly string[];
    };
  };
  readonly contributes: {
    readonly viewsContainers: { readonly activitybar: readonly { readonly icon: string }[] };
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly category: string;
    }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when?: string }[]>>;
    readonly keybindings: readonly { readonly command: string; readonly when: string }[];
    readonly configuration: readonly {
      readonly title: string;
      readonly order: number;
      readonly properties: Readonly<Record<string, Property>>;
    }[];
    readonly walkthroughs: readonly {
      readonly steps: readonly {
        readonly description: string;
        readonly media: { readonly image: string; readonly altText: string };
        readonly completionEvents: readonly string[];
      }[];
    }[];
    readonly languageModelTools: readonly {
      readonly name: string;
      readonly toolReferenceName: string;
      readonly displayName: string;
      readonly userDescription: string;
      readonly modelDescription: string;
      readonly canBeReferencedInPrompt: boolean;
      readonly icon: string;
      readonly inputSchema: unknown;
    }[];
    readonly mcpServerDefinitionProviders: readonly { readonly id: string }[];
    readonly viewsWelcome: readonly { readonly contents: string }[];
  };
}

const root = path.join(import.meta.dirname, '../..');
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');

describe('package.json', () => {
  const text = read('package.json');
  const manifest = JSON.parse(text) as Manifest;
  const nls = JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>;
  const agentsPage = read('docs/agents.md');
  const { commands, menus, keybindings, configuration, viewsWelcome, viewsContainers } = manifest.contributes;
  const properties = Object.assign({}, ...configuration.map((group) => group.properties)) as Readonly<
    Record<string, Property>
  >;
  const steps = manifest.contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
  const ids = new Set<string>(Object.values(CommandId));

  it('declares every command of the code, and no other', () => {
    assert.deepEqual(new Set(commands.map(({ command }) => command)), ids);
  });

  it('puts only those commands in menus, keys and links', () => {
    const linksIn = (key: string) =>
      [...(nls[key.replaceAll('%', '')] ?? '').matchAll(/\(command:(execSessions\.[^)]+)\)/g)].map(
        ([, id]) => ({ command: id ?? '' }),
      );
    const welcome = viewsWelcome.flatMap(({ contents }) => linksIn(contents));
    assert.equal(welcome.length, 3);
    const guide = steps.flatMap(({ description }) => linksIn(description));
    assert.equal(guide.length, 6);
    const show = 'execSessions.sessions.focus';
    assert.ok(
      guide.some(({ command }) => command === show),
      'VS Code makes this one of the view',
    );
    const links = [...welcome, ...guide.filter(({ command }) => command !== show)];
    for (const { command } of [...Object.values(menus).flat(), ...keybindings, ...links]) {
      assert.ok(ids.has(command), command);
    }
    const inTerminals = 'terminalFocus && execSessions.activeTerminal =~ /;session;/';
    for (const { when } of keybindings.filter((one) => one.when !== inTerminals)) {
      assert.match(
        when,
        /focusedView == 'execSessions\.sessions'/,
        'keys work only in our view, and in our terminals',
      );
      assert.match(when, /&& listFocus && !inputFocus$/, 'and not while somebody types there');
    }
  });

  it('has every command in the palette under one category, and a text for it', () => {
    for (const { command, category, title } of commands) {
      assert.equal(category, '%category%');
      assert.equal(title, `%command.${command.replace(/^execSessions\.|InTerminal$/g, '')}%`);
    }
    const hidden = (menus['commandPalette'] ?? []).filter(({ when }) => when === 'false');
    const withoutKeys = commands.filter(({ command }) => command.endsWith('InTerminal'));
    assert.deepEqual(
      hidden.map(({ command }) => command),
      withoutKeys.map(({ command }) => command),
    );
  });

  it('has no key in the menus of terminals that goes to the program there', () => {
    const inView = new Set(
      keybindings.filter(({ when }) => when.includes('focusedView')).map(({ command }) => command),
    );
    for (const { command } of [...(menus['terminal/context'] ?? []), ...(menus['view/title'] ?? [])]) {
      assert.ok(!inView.has(command), command);
    }
  });

  it('has what is done with a session in the menus of terminals and of their tabs', () => {
    const [terminal, tab] = ['terminal/context', 'terminal/title/context'].map((menu) => menus[menu] ?? []);
    for (const name of ['stopInTerminal', 'restartInTerminal', 'runAgain', 'copyOutput', 'openInEditor']) {
      const entry = terminal?.find(({ command }) => command === `execSessions.${name}`);
      assert.match(entry?.when ?? '', /^execSessions\.activeTerminal =~ /, name);
    }
    assert.deepEqual(tab, terminal);
  });

  it('starts something where a file or folder is, in the Explorer, in an editor and on its tab', () => {
    for (const menu of ['explorer/context', 'editor/context', 'editor/title/context']) {
      const entry = menus[menu]?.find(({ command }) => command === 'execSessions.newSessionHere');
      assert.equal(entry?.when, 'resourceScheme =~ /^(file|vscode-remote)$/', menu);
    }
  });

  it('ends the titles of commands that ask with an ellipsis, and capitalises them', () => {
    const asking = [
      'newSession',
      'newSessionHere',
      'newSessionInEnvironment',
      'newSessionOnSeveral',
      'newAllocation',
      'cancelAllocation',
      'addEnvironment',
      'connectEnvironment',
      'disconnectEnvironment',
      'setToken',
      'removeServer',
      'stopPort',
      'endLeftover',
      'stopSighting',
      'showLeftovers',
      'cleanUp',
      'sendSignal',
      'sendText',
      'rename',
      'searchOutput',
      'saveOutput',
      'filter',
      'groupBy',
      'connectAgent',
      'copyMcpConfiguration',
    ];
    for (const name of Object.keys(CommandId)) {
      const title = nls[`command.${name.replace('InTerminal', '')}`] ?? '';
      assert.equal(title.endsWith('…'), asking.includes(name), title);
      for (const word of title.split(' ')) {
        assert.match(word, /^\(?([A-Z]|(an|as|at|in|on|the|to|from)$)/, title);
      }
    }
  });

  it('declares every setting of the code with the same default and bounds, and no other', () => {
    const names = Object.keys(settingDefinitions) as SettingName[];
    assert.deepEqual(new Set(Object.keys(properties)), new Set(names.map(settingId)));
    for (const name of names) {
      const property = properties[settingId(name)];
      const { fallback } = settingDefinitions[name];
      const parse = (value: unknown): unknown => settingDefinitions[name].parse(value);
      assert.deepEqual(property?.default, fallback, name);
      for (const value of [property.default, property.minimum, property.maximum, ...(property.enum ?? [])]) {
        assert.ok(value === undefined || parse(value) !== undefined, `${name}: ${JSON.stringify(value)}`);
      }
      if (property.minimum !== undefined && property.maximum !== undefined) {
        assert.equal(parse(property.minimum - 0.001), undefined, name);
        assert.equal(parse(property.maximum + 1), undefined, name);
      }
    }
  });

  it('groups the settings, each setting once, and has what is rarely changed last', () => {
    const all = configuration.flatMap((group) => Object.keys(group.properties));
    assert.equal(all.length, new Set(all).size);
    assert.deepEqual(
      configuration.map(({ title, order }) => [nls[title.replaceAll('%', '')], order]),
      ['Sessions', 'Shell and Variables', 'Where Sessions Run', 'Agents', 'Times of Stop', 'Kept Output'].map(
        (title, index) => [title, index + 1],
      ),
    );
    assert.equal(all[0], 'execSessions.terminal.onClose');
    assert.equal(all.at(-1), 'execSessions.output.retainedChunks');
  });

  it('has names of settings that VS Code splits into words', () => {
    for (const id of Object.keys(properties)) {
      // In the editor of settings, "retainedMiB" would be "Retained Mi B".
      assert.match(id, /^execSessions(\.[a-z]+([A-Z][a-z]+)*)+$/, id);
    }
  });

  it('guides through the first steps with pictures, and sees which are done', () => {
    assert.equal(steps.length, 4);
    for (const { media, completionEvents, description } of steps) {
      assert.deepEqual([...fs.readFileSync(path.join(root, media.image)).subarray(1, 4)], [0x50, 0x4e, 0x47]);
      assert.ok(fs.statSync(path.join(root, media.image)).size < 60_000, media.image);
      for (const event of completionEvents) {
        assert.ok(ids.has(event.replace('onCommand:', '')), event);
      }
      assert.ok((nls[description.replaceAll('%', '')] ?? '').includes('](command:'));
      assert.ok((nls[media.altText.replaceAll('%', '')] ?? '').length > 20);
    }
  });

  it('lets no workspace choose what runs before it is trusted', () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.equal(supported, 'limited');
    const ofWorkspaces = Object.entries(properties).filter(([, { scope }]) => scope !== 'machine');
    assert.deepEqual(new Set(restrictedConfigurations), new Set(ofWorkspaces.map(([id]) => id)));
    for (const name of ['shellPath', 'shellArguments', 'env', 'environments'] as const) {
      assert.equal(properties[settingId(name)]?.scope, 'machine-overridable');
    }
  });

  it('lets no workspace choose what the session server keeps, which other windows use too', () => {
    const kept = Object.entries(properties).filter(
      ([id]) => /\.(?:output|list)\./.test(id) || /\.(?:receipts|keepWithoutClient)$/.test(id),
    );
    assert.equal(kept.length, 9);
    assert.deepEqual(new Set(kept.map(([, { scope }]) => scope)), new Set(['machine']));
  });

  it('has nothing that a link of a web page could open', () => {
    assert.ok(!manifest.activationEvents.includes('onUri'));
    const source = path.join(root, 'src');
    const files = fs.readdirSync(source, { recursive: true, encoding: 'utf8' });
    const code = files.filter((file) => file.endsWith('.ts'));
    assert.ok(code.length > 100, `${code.length}`);
    for (const file of code) {
      const text = fs.readFileSync(path.join(source, file), 'utf8');
      assert.ok(!text.includes('registerUriHandler'), file);
    }
  });

  it('has a text for every key, and a key for every text', () => {
    const keys = new Set([...text.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key ?? ''));
    assert.deepEqual(keys, new Set(Object.keys(nls)));
  });

  it('is there once VS Code has started, for the MCP server that others count on, and not before', () => {
    assert.deepEqual(manifest.activationEvents, ['onStartupFinished']);
  });

  it('declares the tools of agents as they are in the code, in their order', () => {
    const declared = manifest.contributes.languageModelTools;
    assert.deepEqual(
      declared.map(({ name, modelDescription, inputSchema }) => ({ name, modelDescription, inputSchema })),
      toolDefinitions.map(({ name, description, inputSchema }) => ({
        name,
        modelDescription: description,
        inputSchema,
      })),
    );
    for (const [index, tool] of declared.entries()) {
      assert.equal(tool.displayName, `%tool.${tool.name}.name%`);
      assert.equal(nls[`tool.${tool.name}.name`], toolDefinitions[index]?.title);
      assert.equal(tool.userDescription, `%tool.${tool.name}.description%`);
      assert.ok(tool.canBeReferencedInPrompt);
      assert.match(tool.toolReferenceName, /^[a-z]+[A-Z][a-z]+$/);
      assert.match(tool.icon, /^\$\([a-z-]+\)$/);
      assert.ok(agentsPage.includes(`- \`${tool.name}\`: `), tool.name);
    }
    assert.equal(new Set(declared.map(({ toolReferenceName }) => toolReferenceName)).size, declared.length);
  });

  it('declares the provider of the MCP server under the name that the code registers', () => {
    assert.deepEqual(
      manifest.contributes.mcpServerDefinitionProviders.map(({ id }) => id),
      ['execSessions.mcp'],
    );
  });

  it('names icons that are there', () => {
    for (const icon of [manifest.icon, ...viewsContainers.activitybar.map(({ icon: file }) => file)]) {
      assert.ok(fs.existsSync(path.join(root, icon)), icon);
    }
  });
});
