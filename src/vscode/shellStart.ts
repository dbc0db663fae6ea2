import { type ExecBackend, interactiveShell, shellName, shellThere } from '../core/index.js';
import type { CheckedStart } from '../sessions/options/index.js';
import type { SettingsReader } from './settingsReader.js';
import { shellForPeople } from './terminals/shellIntegration.js';
import { userShell } from './thisMachine.js';

const inTerminal = { tty: true, pipeStdin: false, show: true } as const;

/** The start of a shell on this machine for a person to type into. */
export function shellStart({
  settings,
  storage,
}: {
  readonly settings: SettingsReader;
  readonly storage: string;
}): CheckedStart {
  const { argv, env, name } = shellForPeople(userShell(settings).shell, {
    storage,
    env: settings.get('env'),
  });
  return { ...inTerminal, command: { kind: 'argv', argv }, shownAs: name, env };
}

/** The start of a shell in another environment: that of the user there. */
export function shellStartThere({
  id,
  backend,
}: {
  readonly id: string;
  readonly backend: Pick<ExecBackend, 'host'>;
}): CheckedStart {
  const { host } = backend;
  const { shell } = shellThere(host);
  const argv = interactiveShell(shell, host.platform);
  return {
    ...inTerminal,
    command: { kind: 'argv', argv },
    shownAs: shellName(shell),
    environment: id,
    env: {},
  };
}
