import type { Attack } from './attack.js';
import { awkwardFiles } from './awkwardFiles.js';
import { clientFuzz } from './clientFuzz.js';
import { crowds } from './crowds.js';
import { endings } from './endings.js';
import { everyByte } from './everyByte.js';
import { floods } from './floods.js';
import { folderSwaps } from './folderSwaps.js';
import { forkBombs } from './forkBombs.js';
import { frameFuzz } from './frameFuzz.js';
import { hostileText } from './hostileText.js';
import { kills } from './kills.js';
import { largeMessages } from './largeMessages.js';
import { leftSessions } from './leftSessions.js';
import { ownedKills } from './ownedKills.js';
import { pings } from './pings.js';
import { scarce } from './scarce.js';
import { serverFuzz } from './serverFuzz.js';
import { strangers } from './strangers.js';
import { toolFuzz } from './toolFuzz.js';
import { trueReceipts } from './trueReceipts.js';

export const attacks: readonly Attack[] = [
  serverFuzz,
  largeMessages,
  frameFuzz,
  pings,
  strangers,
  leftSessions,
  floods,
  scarce,
  folderSwaps,
  awkwardFiles,
  clientFuzz,
  toolFuzz,
  hostileText,
  everyByte,
  crowds,
  forkBombs,
  endings,
  kills,
  ownedKills,
  trueReceipts,
];
