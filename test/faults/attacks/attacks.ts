import type { Attack } from './attack.js';
import { clientFuzz } from './clientFuzz.js';
import { everyByte } from './everyByte.js';
import { kills } from './kills.js';
import { serverFuzz } from './serverFuzz.js';
import { toolFuzz } from './toolFuzz.js';

export const attacks: readonly Attack[] = [serverFuzz, clientFuzz, toolFuzz, everyByte, kills];
