import { type HostInfo, type Localizer, oneLine } from '../../core/index.js';

/** A reason why a session server may end too early, with all of its sessions. */
type ServerRisk =
  | { readonly kind: 'editorsNode'; readonly certain: boolean }
  | { readonly kind: 'notCopied' }
  | { readonly kind: 'service'; readonly name: string }
  | { readonly kind: 'logout' };

/** The risks of a session server, from the way it runs. A server that does not report this has no known risks. */
export function serverRisks({ platform, server }: HostInfo): readonly ServerRisk[] {
  if (server === undefined) {
    return [];
  }
  const { electron, copied, service, endsAtLogout = false } = server;
  return [
    // The updater of Windows ends every process of the program that it replaces.
    ...(electron ? [{ kind: 'editorsNode', certain: platform === 'win32' } as const] : []),
    ...(copied ? [] : [{ kind: 'notCopied' } as const]),
    ...(service === undefined ? [] : [{ kind: 'service', name: service } as const]),
    ...(endsAtLogout ? [{ kind: 'logout' } as const] : []),
  ];
}

/** Sentences that say what is at risk, why, and what people can do about it. */
export function serverRiskText(risk: ServerRisk, l10n: Localizer): string {
  switch (risk.kind) {
    case 'editorsNode': {
      const what = risk.certain
        ? l10n.t(
            'The next update of VS Code ends the sessions of this machine, since their server runs on the Node of VS Code.',
          )
        : l10n.t(
            'An update of VS Code may end the sessions of this machine, since their server runs on the Node of VS Code.',
          );
      return `${what} ${l10n.t('Install Node.js 20 or later and have it on the PATH: the next session server runs on that.')}`;
    }
    case 'notCopied':
      return l10n.t(
        'An update of the extension may disturb the sessions of this machine. Their server runs from the files of the extension, which could not be copied into your cache. The log of the window that started it says why.',
      );
    case 'service':
      return l10n.t(
        'The sessions of this machine end when {0} is stopped or restarted, for example by an update. Their server is part of that service, because systemd gave it no scope of its own. The log of the window that started it says why.',
        oneLine(risk.name),
      );
    case 'logout':
      return l10n.t(
        'Its sessions end with your logout there, since systemd ends what logins leave (KillUserProcesses). "loginctl enable-linger" keeps those of the next session server.',
      );
  }
}
