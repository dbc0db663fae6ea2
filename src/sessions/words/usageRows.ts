import type { Localizer, ProcessUsage, UsedPort } from '../../core/index.js';
import { byteText, processCount } from './quantities.js';
import { errorText } from './errorText.js';
import type { RowIcon } from './rows.js';

/** A row below a session that says what it uses. Equal rows look the same. */
export interface UsageRow extends RowIcon {
  /** Different for each row of a session. */
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly accessibilityLabel: string;
  readonly contextValue: string;
  /** Where a browser of the session's machine finds the port; absent for other rows. */
  readonly address?: string;
}

/** The result of a look. */
type UsageFound =
  { readonly usage: ProcessUsage; readonly cpuPercent?: number } | { readonly error: unknown };

/** The most ports that have rows. */
const MOST_PORTS = 20;
/** A program that listens at one of these addresses listens at `localhost`. */
const OF_THIS_MACHINE: ReadonlySet<string> = new Set(['0.0.0.0', '::', '127.0.0.1', '::1']);

/**
 * The rows below a session.
 *
 * @param found Undefined before the first look.
 * @param isHere Whether the session runs on this machine, where a browser finds its ports.
 */
export function usageRows(
  found: UsageFound | undefined,
  isHere: boolean,
  l10n: Localizer,
): readonly UsageRow[] {
  if (found === undefined) {
    return [plainRow('looking', 'loading~spin', l10n.t('Reading its CPU, memory and ports…'))];
  }
  if ('error' in found) {
    const label = l10n.t('Its CPU, memory and ports are not known');
    return [plainRow('unknown', 'info', label, errorText(found.error, l10n))];
  }
  const { ports } = found.usage;
  const shown = (ports ?? []).slice(0, MOST_PORTS);
  const more = (ports ?? []).length - shown.length;
  return [
    loadRow(found.usage, found.cpuPercent, l10n),
    ...shown.map((port) => portRow(port, isHere, l10n)),
    ...(more > 0 ? [plainRow('more', 'ellipsis', l10n.t('{0} more ports', more))] : []),
    ...(ports === undefined ? [plainRow('noPorts', 'info', l10n.t('Its ports are not known'))] : []),
  ];
}

function loadRow(
  { memoryBytes, processes }: ProcessUsage,
  cpuPercent: number | undefined,
  l10n: Localizer,
): UsageRow {
  const cpu = cpuPercent === undefined ? [] : [l10n.t('CPU {0} %', Math.round(cpuPercent))];
  return plainRow(
    'load',
    'pulse',
    [...cpu, byteText(memoryBytes, l10n)].join(' · '),
    processCount(processes, l10n),
  );
}

function portRow({ port, addresses }: UsedPort, isHere: boolean, l10n: Localizer): UsageRow {
  const key = `port:${port}`;
  const address = `http://${hostOf(addresses)}:${port}`;
  if (!isHere) {
    return {
      ...plainRow(key, 'globe', l10n.t('Port {0}', port), addresses.join(', ')),
      contextValue: ';portThere;',
      address,
    };
  }
  return {
    ...plainRow(key, 'globe', address),
    accessibilityLabel: l10n.t('Listens at {0}', address),
    contextValue: ';port;',
    address,
  };
}

/** The name of one of these addresses in an address of the web. */
function hostOf(addresses: readonly string[]): string {
  const [first = ''] = addresses;
  if (addresses.length === 0 || addresses.some((address) => OF_THIS_MACHINE.has(address))) {
    return 'localhost';
  }
  return first.includes(':') ? `[${first}]` : first;
}

function plainRow(key: string, icon: string, label: string, description = ''): UsageRow {
  return {
    key,
    icon,
    label,
    description,
    accessibilityLabel: description === '' ? label : `${label}, ${description}`,
    contextValue: ';usage;',
  };
}
