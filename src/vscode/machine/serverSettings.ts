import { bytesOfMiB } from '../logLimits.js';
import type { SettingsReader } from '../settingsReader.js';
import type { SessionServerOptions } from './sessionServer.js';

/** The settings that the session server is told. Each is read on request. */
export function serverSettings(
  settings: SettingsReader,
): Pick<SessionServerOptions, 'keepHours' | 'receipts' | 'listLimits' | 'diskLimits'> {
  return {
    keepHours: () => settings.get('keepWithoutClientHours'),
    receipts: () => settings.get('receipts') === 'on',
    listLimits: () => ({
      endedSessions: settings.get('endedSessions'),
      outputBytes: bytesOfMiB(settings.get('totalRetainedMiB')),
    }),
    diskLimits: () => ({
      keep: settings.get('keepOutputOnDisk') === 'on',
      bytes: bytesOfMiB(settings.get('diskMiB')),
      allBytes: bytesOfMiB(settings.get('totalDiskMiB')),
    }),
  };
}
