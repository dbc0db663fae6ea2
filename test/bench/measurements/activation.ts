import type { Workbench } from '../../e2e/workbench.js';
import { extensionId } from '../../rig/paths.js';
import { bundlePrograms } from '../bundle.js';
import type { Measurement } from '../measurement.js';
import { startVsCode } from '../vscode/window.js';

const ROUNDS = { full: 7, quick: 2, check: 3 } as const;

/** Our extension, and two that come with VS Code, a large one and a small one, by the names that VS Code shows. */
const rows: Readonly<Record<string, string>> = {
  'extension': extensionId,
  'git': 'Git',
  'merge-conflict': 'Merge Conflict',
};

/** The times that VS Code itself reports for our activation. */
export const activation: Measurement = {
  name: 'activation',
  title: 'Activation in the real VS Code',
  about:
    'Opens the view of the sessions in a new window, and reads from "Developer: Show Running Extensions" what VS Code has ' +
    "measured in the extension host: the load of the code and the call of `activate`, which builds the first tree. VS Code's " +
    'own extensions Git and Merge Conflict are activated in the same window.',
  quantities: [{ name: 'activation', unit: 'ms', better: 'lower', statistics: ['p50'] }],
  claims: [
    { quantity: 'activation', statistic: 'p50', of: 'extension', atMost: 30 },
    { quantity: 'activation', statistic: 'p50', of: 'extension', to: 'git' },
    { quantity: 'activation', statistic: 'p50', of: 'extension', to: 'merge-conflict' },
  ],
  onRequest: true,
  async open(options) {
    const { vscodeHost } = await bundlePrograms();
    const vscode = await startVsCode({ hostProgram: vscodeHost });
    const measure = async (): Promise<readonly (readonly [string, number])[]> => {
      const workbench = await vscode.openPage();
      try {
        return await activationTimes(workbench);
      } finally {
        await workbench.page.close();
      }
    };
    let current: { readonly round: number; readonly times: ReturnType<typeof measure> } | undefined;
    return {
      contenders: Object.keys(rows),
      rounds: options.rounds ?? ROUNDS[options.scale],
      notes: [],
      // The first window of a VS Code reads everything from the disk.
      warmUp: async (name) => {
        if (name === 'extension') await measure();
      },
      run: async (name, round) => {
        // One window shows the times of all contenders.
        if (current?.round !== round) current = { round, times: measure() };
        const times = await current.times;
        return { activation: times.filter(([other]) => other === name).map(([, ms]) => ms) };
      },
      close: () => vscode.close(),
    };
  },
};

async function activationTimes(workbench: Workbench): Promise<readonly (readonly [string, number])[]> {
  await workbench.activity('Exec Sessions');
  await workbench.view('Sessions').getByRole('button', { name: 'New Session…' }).waitFor();
  await workbench.palette('Developer: Show Running Extensions');
  const times: [string, number][] = [];
  for (const [name, title] of Object.entries(rows)) {
    const row = workbench.page.locator('.runtime-extensions-editor .monaco-list-row', {
      has: workbench.page.locator('.header .name', { hasText: new RegExp(`^${title}$`) }),
    });
    const time = row.locator('.activation-time').filter({ hasText: /\d+ms/ });
    const text = await time.innerText();
    times.push([name, Number(/(\d+)ms/.exec(text)?.[1])]);
  }
  return times;
}
