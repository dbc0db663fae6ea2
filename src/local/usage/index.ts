export { belongingsOf } from './belongings.js';
export { isUsageKnown, usageOf } from './usageOf.js';
