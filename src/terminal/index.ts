export { commandBegins, commandEnds, type MarkedCommand } from './commandMarks.js';
export { CursorKeyMode } from './cursorKeyMode.js';
export { EmulatorLink, PIECE_CHARACTERS, WINDOW_CHARACTERS } from './emulatorLink.js';
export { EmulatorAnswers } from './emulatorAnswers.js';
export { INPUT_LIMIT_BYTES, InputQueue } from './inputQueue.js';
export { LineInput } from './lineInput.js';
export { type OutputWriter, Pacer, slices } from './pacedWriter.js';
export { plainText } from './plainText.js';
export { terminalText, type TerminalText } from './terminalText.js';
