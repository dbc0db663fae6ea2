export { noticeLine } from './notices.js';
export type { PlayerMarks } from './outputMarks.js';
export { SessionViewer, type ViewerOptions } from './sessionViewer.js';
export { TabName } from './tabName.js';
export { type Viewer, Viewers } from './viewers.js';
