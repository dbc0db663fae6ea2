import * as vscode from 'vscode';

import { AGENT_PROGRAMS } from '../../core/index.js';
import {
  claudeCommandLine,
  codexConfiguration,
  type McpAddress,
  mcpServersJson,
} from '../agents/mcpConfiguration.js';
import { putPrivateFile } from '../privateFile.js';
import { inTerminal } from '../shellStart.js';
import { CommandId, type CommandHandlers } from './commandIds.js';
import type { CommandContext } from './context.js';
import { startForUser } from './start/askAndStart.js';

/** Commands for agents outside VS Code. */
export function agentCommands(context: CommandContext) {
  const { cliWrapper, mcpServer, dialogs, messages } = context;
  return {
    // The command line shows the changes and asks, in a session where the person sees it.
    [CommandId.connectAgent]: async () => {
      const { doorsOf } = await import('../../machine/index.js');
      const agents = AGENT_PROGRAMS.map(({ id, name: label }) => {
        const doors = doorsOf(id, { env: process.env, program: [cliWrapper.file] });
        const isOpen = doors.every(({ state }) => state === 'open');
        const description = isOpen ? vscode.l10n.t('connected; choose it to take that back') : '';
        return { label, description, args: ['connect', ...(isOpen ? ['--undo'] : []), id] };
      });
      const picked = await dialogs.pick(agents, { title: vscode.l10n.t('Connect an Agent') });
      if (picked !== undefined) {
        putPrivateFile(cliWrapper.file, cliWrapper.text);
        const command = { kind: 'argv', argv: [cliWrapper.file, ...picked.args] } as const;
        await startForUser(context, { ...inTerminal, command, env: {} });
      }
    },
    [CommandId.copyMcpConfiguration]: async () => {
      const picked = await dialogs.pick(clients(), {
        title: vscode.l10n.t('Copy MCP Configuration'),
        placeHolder: vscode.l10n.t('The program that will use the sessions of this workspace'),
        matchOnDescription: true,
      });
      if (picked === undefined) {
        return;
      }
      const address = await mcpServer.start(true);
      await vscode.env.clipboard.writeText(picked.format(address));
      messages.tell(
        vscode.l10n.t(
          'Copied the configuration for {0}. It contains the token, with which anybody can run commands on this machine as you. Keep it secret; New MCP Token makes it invalid.',
          picked.name ?? picked.label,
        ),
        // VS Code shows a message without a button in one line, and cuts it off.
        [
          {
            title: vscode.l10n.t('New MCP Token'),
            run: () => vscode.commands.executeCommand(CommandId.newMcpToken),
          },
        ],
      );
    },
    [CommandId.newMcpToken]: async () => {
      if (!(await mcpServer.renewToken())) {
        messages.tell(
          vscode.l10n.t('The MCP server of this workspace has no token yet. It gets one when it starts.'),
        );
        return;
      }
      messages.tell(
        vscode.l10n.t(
          'The MCP server has a new token. Programs with the old one are shut out until they get the new configuration.',
        ),
        [
          {
            title: vscode.l10n.t('Copy MCP Configuration…'),
            run: () => vscode.commands.executeCommand(CommandId.copyMcpConfiguration),
          },
        ],
      );
    },
    [CommandId.stopMcpServer]: async () => {
      const ran = await mcpServer.stop();
      await mcpServer.forget();
      if (ran) {
        messages.did(vscode.l10n.t('Stopped the MCP server. Its sessions keep running.'));
      } else {
        messages.tell(vscode.l10n.t('The MCP server does not run; there is nothing to stop.'));
      }
    },
  } satisfies Partial<CommandHandlers>;
}

interface Client extends vscode.QuickPickItem {
  /** The name in a sentence, if it is not the label. */
  readonly name?: string;
  readonly format: (address: McpAddress) => string;
}

/**
 * The programs to choose from, each with the form of its configuration. A function, since the language is not known
 * when this file is loaded.
 */
const clients = (): readonly Client[] => [
  {
    label: 'Claude Code',
    description: vscode.l10n.t('A command line to run in a terminal'),
    format: claudeCommandLine,
  },
  {
    label: 'Codex',
    description: vscode.l10n.t('Lines for ~/.codex/config.toml'),
    format: codexConfiguration,
  },
  {
    label: vscode.l10n.t('Another Program'),
    name: vscode.l10n.t('another program'),
    description: vscode.l10n.t('JSON with "mcpServers"'),
    format: mcpServersJson,
  },
];
