import { until } from '../../e2e/waits.js';
import type { Workbench } from '../../e2e/workbench.js';
import { extensionId } from '../../rig/paths.js';
import { bundlePrograms } from '../bundle.js';
import type { Measurement } from '../measurement.js';
import { startVsCode } from '../vscode/window.js';

const ROUNDS = { full: 7, quick: 2, check: 3 } as const;

/** Ours in three windows, in the order in which one window becomes them, and two extensions of VS Code in the first. */
const OURS = ['extension', 'visible', 'bring-back'] as const;
const PEERS: Readonly<Record<string, string>> = { 'git': 'Git', 'merge-conflict': 'Merge Conflict' };

/** The times that VS Code itself reports for our activation. */
export const activation: Measurement = {
  name: 'activation',
  title: 'Activation in the real VS Code',
  about:
    'What VS Code has measured in the extension host, from "Developer: Show Running Extensions": the load of the code and ' +
    'the call of `activate`. In a new window with nothing to bring back, whose view nobody sees (`extension`); after a ' +
    'reload with the view open (`visible`), which loads the rest when VS Code asks for its rows (`main` of `loading`); ' +
    'after another with an MCP server to bring back (`bring-back`), for which `activate` loads the rest and builds the first ' +
    "tree. VS Code's own extensions Git and Merge Conflict are activated in the first of these windows. The load contains " +
    'the wait for the others that are loaded at the same time; Merge Conflict is as small as an extension can be.',
  quantities: [{ name: 'activation', unit: 'ms', better: 'lower', statistics: ['p50'] }],
  claims: [
    { quantity: 'activation', statistic: 'p50', of: 'extension', atMost: 5 },
    { quantity: 'activation', statistic: 'p50', of: 'visible', atMost: 5 },
    { quantity: 'activation', statistic: 'p50', of: 'bring-back', atMost: 30 },
    { quantity: 'activation', statistic: 'p50', of: 'extension', to: 'git' },
    { quantity: 'activation', statistic: 'p50', of: 'extension', to: 'merge-conflict', atMost: 1.2 },
  ],
  onRequest: true,
  async open(options) {
    const { vscodeHost } = await bundlePrograms();
    const vscode = await startVsCode({ hostProgram: vscodeHost });
    const contenders = [...OURS, ...Object.keys(PEERS)].filter(
      (name) => options.contenders?.has(name) !== false,
    );
    const ofOurs = OURS.findLastIndex((name) => contenders.includes(name));
    const measure = async (): Promise<Readonly<Record<string, number>>> => {
      const workbench = await vscode.openPage();
      try {
        const times: Record<string, number> = await activationTimes(workbench, {
          extension: extensionId,
          ...PEERS,
        });
        for (const name of OURS.slice(1, ofOurs + 1)) {
          await prepare[name]?.(workbench);
          await workbench.reload();
          Object.assign(times, await activationTimes(workbench, { [name]: extensionId }));
        }
        return times;
      } finally {
        await workbench.page.close();
      }
    };
    let current: { readonly round: number; readonly times: ReturnType<typeof measure> } | undefined;
    return {
      contenders,
      rounds: options.rounds ?? ROUNDS[options.scale],
      notes: [],
      // The first window of a VS Code reads everything from the disk.
      warmUp: async (name) => {
        if (name === contenders[0]) await measure();
      },
      run: async (name, round) => {
        // One page shows the times of all contenders.
        if (current?.round !== round) current = { round, times: measure() };
        return { activation: [(await current.times)[name] ?? Number.NaN] };
      },
      close: () => vscode.close(),
    };
  },
};

/** Brings a window into the state in which it is reloaded next. */
const prepare: Readonly<Record<string, (workbench: Workbench) => Promise<void>>> = {
  'visible': async (workbench) => {
    await workbench.activity('Exec Sessions');
    await workbench.view('Sessions').getByRole('button', { name: 'New Session…' }).waitFor();
  },
  'bring-back': async (workbench) => {
    await workbench.palette('Exec Sessions: Copy MCP Configuration…');
    await workbench.pick('Claude Code');
    await until('the configuration is copied', () =>
      workbench.page.evaluate<boolean>(
        "navigator.clipboard.readText().then((text) => text.includes('claude mcp add'))",
      ),
    );
  },
};

/** @param rows The names of extensions that VS Code shows, by those that the result has. */
async function activationTimes(
  workbench: Workbench,
  rows: Readonly<Record<string, string>>,
): Promise<Record<string, number>> {
  await workbench.palette('Developer: Show Running Extensions');
  const times: Record<string, number> = {};
  for (const [name, title] of Object.entries(rows)) {
    const row = workbench.page.locator('.runtime-extensions-editor .monaco-list-row', {
      has: workbench.page.locator('.header .name', { hasText: new RegExp(`^${title}$`) }),
    });
    const time = row.locator('.activation-time').filter({ hasText: /\d+ms/ });
    times[name] = Number(/(\d+)ms/.exec(await time.innerText())?.[1]);
  }
  // It lies in front of everything else, also after a reload.
  await workbench.page.keyboard.press('Escape');
  await workbench.page.locator('.runtime-extensions-editor').waitFor({ state: 'detached' });
  return times;
}
