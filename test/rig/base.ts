import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { temporaryFolder } from './lifetime.js';

/** The folder of everything that a VS Code of the rig reads and writes. It is removed when the rig ends. */
export interface Base {
  readonly folder: string;
  readonly workspace: string;
  readonly userData: string;
  readonly extensions: string;
  readonly serverLog: string;
  /**
   * The environment of everything that is started on this base. It takes only a few variables from the caller, and none
   * from npm.
   */
  readonly env: Readonly<Record<string, string>>;
  /** A text in the environment of every process of this base, and of no other process. */
  readonly marker: string;
  remove(): Promise<void>;
}

export interface BaseOptions {
  /** A folder that is copied to become the workspace; without it the workspace has one text file. */
  readonly workspace?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Settings of scope machine, which a VS Code on a server reads only from the machine's settings file. */
  readonly machineSettings?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** The settings of every run in a browser. */
export const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'window.commandCenter': false,
  'workbench.colorTheme': 'Default Dark Modern',
} as const;

/** The settings of a test: in addition, a terminal whose text is in the page, and the same prompt on every machine. */
export const testSettings = {
  ...quietSettings,
  // The pipes of Windows are in no folder: a session server there would be that of the user.
  'execSessions.local.backend':
    process.env['EXEC_SESSIONS_LOCAL_BACKEND'] ?? (process.platform === 'win32' ? 'extensionHost' : 'server'),
  'security.workspace.trust.enabled': false,
  // The rows would be those of the machine. The tests of it turn it on.
  'execSessions.view.otherProcesses': false,
  // A login shell for each window would take time. The tests of it turn it on.
  'execSessions.shell.folderEnvironment': false,
  'workbench.reduceMotion': 'on',
  'terminal.integrated.gpuAcceleration': 'off',
  'terminal.integrated.defaultProfile.linux': 'plain',
  'terminal.integrated.profiles.linux': {
    plain: { path: '/bin/bash', args: ['--norc', '--noprofile'], env: { PS1: 'rig$ ' } },
  },
} as const;

const inherited = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'NODE_EXTRA_CA_CERTS', 'DISPLAY', 'WAYLAND_DISPLAY'];

/**
 * The variables of a program that runs with those of the caller, as a desktop VS Code does. Its session server, and the
 * copy of that, are in the base. Wayland's socket is named in full, since it is in the folder that the base takes the
 * place of.
 */
export function desktopVariables({ folder, env }: Base): Readonly<Record<string, string>> {
  const { WAYLAND_DISPLAY: display, XDG_RUNTIME_DIR: runtime = '' } = process.env;
  return {
    EXEC_SESSIONS_RIG: folder,
    ...Object.fromEntries(
      ['XDG_RUNTIME_DIR', 'XDG_CACHE_HOME', 'XDG_STATE_HOME'].map(
        (name) => [name, env[name] ?? folder] as const,
      ),
    ),
    ...(display !== undefined && { WAYLAND_DISPLAY: path.resolve(runtime, display) }),
  };
}

export function makeBase(options: BaseOptions = {}): Base {
  const { workspace, settings = testSettings, machineSettings = {}, env = {} } = options;
  // The path is short: the sockets that VS Code creates below it are limited to 107 characters.
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'r-')));
  const remove = temporaryFolder(folder);
  const inside = (name: string): string => path.join(folder, name);
  for (const name of [
    'home',
    'tmp',
    'xdg/config',
    'xdg/data',
    'xdg/cache',
    'user/User',
    'user/Machine',
    'extensions',
    'ws',
  ]) {
    fs.mkdirSync(inside(name), { recursive: true });
  }
  fs.mkdirSync(inside('xdg/run'), { mode: 0o700 });
  fs.writeFileSync(inside('config.yaml'), 'auth: none\ncert: false\n');
  const server = process.platform === 'win32' ? { 'execSessions.local.backend': 'extensionHost' } : {};
  fs.writeFileSync(
    inside('user/User/settings.json'),
    JSON.stringify({ ...server, ...settings }, undefined, 2),
  );
  fs.writeFileSync(inside('user/Machine/settings.json'), JSON.stringify(machineSettings, undefined, 2));
  if (workspace === undefined) fs.writeFileSync(inside('ws/readme.txt'), 'The workspace of a test.\n');
  else fs.cpSync(workspace, inside('ws'), { recursive: true });
  return {
    folder,
    workspace: inside('ws'),
    userData: inside('user'),
    extensions: inside('extensions'),
    serverLog: inside('server.log'),
    marker: folder,
    remove,
    env: {
      ...Object.fromEntries(
        inherited.flatMap((name) => {
          const value = process.env[name];
          return value === undefined ? [] : [[name, value]];
        }),
      ),
      EXEC_SESSIONS_RIG: folder,
      HOME: inside('home'),
      TMPDIR: inside('tmp'),
      XDG_CONFIG_HOME: inside('xdg/config'),
      XDG_DATA_HOME: inside('xdg/data'),
      XDG_CACHE_HOME: inside('xdg/cache'),
      XDG_STATE_HOME: inside('xdg/state'),
      XDG_RUNTIME_DIR: inside('xdg/run'),
      SHELL: '/bin/bash',
      // Without a marketplace VS Code makes no requests to it.
      EXTENSIONS_GALLERY: '{"serviceUrl":""}',
      ...env,
    },
  };
}
