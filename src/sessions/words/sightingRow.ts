import { agentName, type Localizer, oneLine, shorten, type Sighting } from '../../core/index.js';
import { byteText, formatDuration, longDuration, shortDuration } from './quantities.js';
import { CLOSED_WELL, ICONS, LABEL_LENGTH, type RowIcon, type SessionRow } from './rows.js';
import { portsText } from './status.js';
import { codeBlock, nameInMessage } from './text.js';
import { COMMAND_LENGTH, factLine } from './tooltip.js';

/** The facts of a row: those of a sighting, or the fewer of a command in a terminal of VS Code. */
export type SightingFacts = Pick<Sighting, 'command' | 'handedOver' | 'kind'> & Partial<Sighting>;

/** @param below For an agent, the number of rows below it; otherwise whether the row is below its agent. */
export function sightingRow(
  id: string,
  sighting: SightingFacts,
  below: number | boolean,
  now: number,
  l10n: Localizer,
): SessionRow {
  const { kind, command, cwd, pid, startedAt = now, end, ports = [] } = sighting;
  const label = shorten(oneLine(command), LABEL_LENGTH);
  const owner = ownerText(sighting, l10n);
  const sure = sighting.handedOver ? l10n.t('handed over') : l10n.t('seen');
  const shown =
    kind === 'agent'
      ? [
          below === 1 ? l10n.t('1 command') : l10n.t('{0} commands', Number(below)),
          l10n.t('pid {0}', pid ?? 0),
          ...(cwd === undefined ? [] : [oneLine(cwd)]),
        ]
      : [
          ...(below === true ? [] : [owner]),
          ...(end === undefined
            ? [...portsText(sighting), shortDuration(now - startedAt, l10n)]
            : [endText(sighting, l10n)]),
          sure,
        ];
  const state = end === undefined ? longDuration(now - startedAt, l10n) : endText(sighting, l10n);
  const heard = [label, owner, state, sure].join(', ');
  return {
    ...{ id, label, description: shown.join(' · '), ...iconOf(sighting) },
    accessibilityLabel:
      ports.length === 0 ? heard : l10n.t('{0}, listens at port {1}', heard, ports.join(', ')),
    contextValue: `;sighting;${end === undefined && pid !== undefined ? 'live;' : ''}`,
  };
}

/** A row that only has others below it. A screen reader names some of them. */
export function holderRow(
  id: string,
  label: string,
  icon: string,
  below: readonly Pick<Sighting, 'command' | 'pid'>[],
): SessionRow {
  const heard = [label, ...below.map(({ command }) => nameInMessage(command))].join(', ');
  return { id, label, icon, description: '', accessibilityLabel: heard, contextValue: ';holder;' };
}

/** Everything known about a sighting, as Markdown without links, HTML or commands. */
export function sightingMarkdown(
  sighting: SightingFacts,
  l10n: Localizer,
  time: (at: number) => string,
): string {
  const {
    command,
    cwd,
    pid,
    processes = 1,
    startedAt,
    end,
    ports,
    cpuSeconds,
    memoryBytes,
    owner,
  } = sighting;
  const orUnknown = <T>(value: T | undefined, text: (value: T) => string) =>
    value === undefined ? l10n.t('not readable') : text(value);
  const usage: readonly (readonly [string, string])[] = [
    [l10n.t('Processes'), String(processes)],
    [l10n.t('Processor time'), orUnknown(cpuSeconds, (seconds) => formatDuration(seconds * 1_000, l10n))],
    [l10n.t('Memory'), orUnknown(memoryBytes, (bytes) => byteText(bytes, l10n))],
    [l10n.t('Ports'), orUnknown(ports, (some) => some.join(', ') || l10n.t('none'))],
  ];
  const facts: readonly (readonly [string, string])[] = [
    [l10n.t('Directory'), orUnknown(cwd, (folder) => folder)],
    [l10n.t('Started'), orUnknown(startedAt, time)],
    ...(end === undefined ? [] : [[l10n.t('Ended'), `${time(end.at)}, ${endText(sighting, l10n)}`] as const]),
    ...(pid === undefined || end !== undefined ? [] : usage),
    [l10n.t('Started by'), ownerText(sighting, l10n)],
    ...(owner?.conversation === undefined ? [] : [[l10n.t('Conversation'), owner.conversation] as const]),
    ...(pid === undefined ? [] : [[l10n.t('Process'), String(pid)] as const]),
  ];
  const code = codeBlock(shorten(command, COMMAND_LENGTH), 'sh');
  return `${code}\n\n${facts.map((fact) => factLine(...fact)).join('  \n')}`;
}

/** The owner in the words of a person's language. */
export function ownerText({ kind, owner }: SightingFacts, l10n: Localizer): string {
  const [first, ...others] = (owner?.agents ?? []).map((id) => nameInMessage(agentName(id)));
  if (first === undefined) {
    return kind === 'command' || kind === 'helper' ? l10n.t('owner unknown') : l10n.t('you');
  }
  const name = others.reduce((one, other) => l10n.t('{0} or {1}', one, other), first);
  return owner?.claimed === true ? l10n.t('claimed: {0}', name) : name;
}

function endText({ end }: SightingFacts, l10n: Localizer): string {
  return end?.exitCode === undefined ? l10n.t('ended, exit code unknown') : l10n.t('exit {0}', end.exitCode);
}

function iconOf({ kind, end, handedOver }: SightingFacts): RowIcon {
  if (end === undefined) {
    return { icon: kind === 'agent' ? 'hubot' : handedOver ? 'play-circle' : 'eye' };
  }
  return end.exitCode === undefined ? ICONS.stopped : end.exitCode === 0 ? CLOSED_WELL : ICONS.failed;
}
