import { english } from '../../core/index.js';
import type { Machine } from '../../machine/index.js';
import { serverRisks, serverRiskText } from '../../sessions/words/index.js';
import type { DiagnosticsSection } from './diagnosticsText.js';

/** A session server that this window is connected with. */
export type ConnectedServer = Pick<Machine, 'socket' | 'files' | 'isAtBestPlace'> & {
  readonly backend: Pick<Machine['backend'], 'host'>;
};

/** How a session server runs, and what that means for its sessions. */
export function serverSection(
  { socket, files, isAtBestPlace, backend }: ConnectedServer,
  ofThisVersion: boolean,
): DiagnosticsSection {
  const { host } = backend;
  const { server } = host;
  const place = isAtBestPlace
    ? socket
    : `${socket} (not the usual place, where windows and agents find it as well)`;
  const risks = serverRisks(host).map((risk) => ['Risk', serverRiskText(risk, english)] as const);
  return {
    title: ofThisVersion ? 'Session server' : 'Session server of another version',
    facts: [
      ['Place', place],
      ['Digest of its files', files],
      ...(server === undefined
        ? []
        : [
            ['Process', String(server.pid)] as const,
            [
              'Node',
              `${server.node} ${server.nodeVersion}${server.electron ? ', which is that of VS Code' : ''}`,
            ] as const,
            [
              'Files',
              `${server.files}${server.copied ? ', a copy that no update touches' : ', which are not a copy'}`,
            ] as const,
            ['Service', server.service ?? 'none that it would end with'] as const,
            ...(risks.length === 0 ? [['Risk', 'none that is known'] as const] : risks),
          ]),
    ],
  };
}
