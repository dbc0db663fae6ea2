import { type Localizer, oneLine, shorten } from '../../core/index.js';
import {
  codeBlock,
  escapeMarkdown,
  lossText,
  lostText,
  type RowIcon,
  serverRisks,
  serverRiskText,
} from '../words/index.js';
import { type EnvironmentSnapshot, type EnvironmentState, isOpen, secondsLeft } from '../list/index.js';

/** One environment as the tree shows it. Equal rows look the same. */
export interface EnvironmentRow extends RowIcon {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly accessibilityLabel: string;
  readonly contextValue: string;
  /** Markdown. */
  readonly tooltip: string;
}

const LABEL_LENGTH = 60;

export function environmentRow(
  environment: EnvironmentSnapshot,
  now: number,
  l10n: Localizer,
): EnvironmentRow {
  const label = shorten(oneLine(environment.label), LABEL_LENGTH);
  return {
    id: environment.id,
    label,
    description: environmentStatus(environment, now, l10n),
    ...environmentIcon(environment),
    accessibilityLabel: l10n.t('{0}, environment, {1}', label, spokenStatus(environment, l10n)),
    contextValue: `;${environmentFlags(environment).join(';')};`,
    tooltip: tooltipOf(environment, l10n),
  };
}

/** The status in a row: `connected`, `recovering · 40 s left`, `lost: reason`; empty for this machine. */
export function environmentStatus(
  { kind, state, removed }: EnvironmentSnapshot,
  now: number,
  l10n: Localizer,
): string {
  if (kind === 'local') {
    return '';
  }
  const facts =
    state.kind === 'recovering'
      ? [stateText(state, l10n), l10n.t('{0} s left', secondsLeft(state.until, now))]
      : [stateText(state, l10n)];
  return [...facts, ...(removed ? [l10n.t('not in the settings any more')] : [])].join(' · ');
}

function stateText(state: EnvironmentState, l10n: Localizer): string {
  switch (state.kind) {
    case 'disconnected':
      return l10n.t('not connected');
    case 'connecting':
      return l10n.t('connecting…');
    case 'connected':
      return l10n.t('connected');
    case 'recovering':
      return l10n.t('recovering');
    case 'lost':
      return lostText(lossText(state.reason, l10n), l10n);
  }
}

function stateSentence(state: EnvironmentState, l10n: Localizer): string {
  return state.kind === 'recovering'
    ? l10n.t('the connection is being restored: {0}', lossText(state.reason, l10n))
    : stateText(state, l10n);
}

/** The status for screen readers: without the seconds, which would be read out one by one. */
function spokenStatus({ state, removed }: EnvironmentSnapshot, l10n: Localizer): string {
  return [stateSentence(state, l10n), ...(removed ? [l10n.t('not in the settings any more')] : [])].join(
    ', ',
  );
}

/** A fact about a row that the conditions of menus can test, between semicolons. */
type EnvironmentFlag = 'environment' | 'connectable' | 'disconnectable' | 'startable' | 'token' | 'installed';

/** Whether the server of such an environment is installed from here. */
export function installsServer(kind: EnvironmentSnapshot['kind']): boolean {
  return kind !== 'local' && kind !== 'websocket' && kind !== 'command';
}

export function environmentFlags({ kind, state, removed }: EnvironmentSnapshot): readonly EnvironmentFlag[] {
  const remote = kind !== 'local';
  const resting = state.kind === 'disconnected' || state.kind === 'lost';
  const known = !removed || isOpen(state);
  const flags: Readonly<Record<EnvironmentFlag, boolean>> = {
    environment: true,
    connectable: remote && resting && !removed,
    disconnectable: remote && !resting,
    startable: known,
    token: kind === 'websocket' && !removed,
    installed: installsServer(kind) && !removed,
  };
  return (Object.keys(flags) as EnvironmentFlag[]).filter((flag) => flags[flag]);
}

export function environmentIcon({ kind, state }: EnvironmentSnapshot): RowIcon {
  if (kind === 'local') {
    return { icon: 'device-desktop' };
  }
  switch (state.kind) {
    case 'disconnected':
      return { icon: 'vm-outline', color: 'disabledForeground' };
    case 'connecting':
      return { icon: 'loading~spin' };
    case 'connected':
      return { icon: 'vm-active' };
    case 'recovering':
      return { icon: 'sync~spin', color: 'problemsWarningIcon.foreground' };
    case 'lost':
      return { icon: 'debug-disconnect', color: 'problemsWarningIcon.foreground' };
  }
}

function tooltipOf({ id, label, kind, target, state, host }: EnvironmentSnapshot, l10n: Localizer): string {
  // The tooltip has room for more of the reason than the row.
  const text =
    state.kind === 'lost' ? l10n.t('lost: {0}', lossText(state.reason, l10n)) : stateText(state, l10n);
  const reason = state.kind === 'recovering' ? [escapeMarkdown(lossText(state.reason, l10n))] : [];
  const risks = (host === undefined ? [] : serverRisks(host)).filter(
    (risk) => kind === 'local' || risk.kind === 'logout',
  );
  return [
    `**${escapeMarkdown(label)}** (${escapeMarkdown(id)})`,
    escapeMarkdown(text),
    ...reason,
    ...risks.map((risk) => escapeMarkdown(serverRiskText(risk, l10n))),
    ...(target === '' ? [] : [codeBlock(target)]),
  ].join('\n\n');
}
