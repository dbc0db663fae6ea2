/** One small fault, as anybody could make it, and the tests that notice it. */
export interface Mutation {
  readonly file: string;
  /** Occurs once in the file. */
  readonly from: string;
  readonly to: string;
  /** Files of tests; the whole suite is built and started for one in test/vscode. */
  readonly tests: readonly string[];
  /** Words of the titles of these tests, where the rest need not run. */
  readonly grep?: string;
  /** The tests run the files in dist. */
  readonly built?: true;
  /** The harm that it does. */
  readonly why: string;
}

const guard: readonly Mutation[] = [
  {
    file: 'src/local/guard/guard.ts',
    from: 'this.#times.filter((time) => now - time < RESTARTS_WITHIN_MS)',
    to: 'this.#times',
    tests: ['test/faults/guardMessages.test.ts'],
    why: 'A server that runs for months has no guard any more after the third kill.',
  },
  {
    file: 'src/local/guard/main.ts',
    from: "begun = lines.pop() ?? '';",
    to: "begun = lines.at(-1) ?? '';",
    tests: ['test/faults/guardMessages.test.ts'],
    why: 'Half a list of sessions counts as a whole one.',
  },
  {
    file: 'src/local/guard/command.ts',
    from: 'if [ -n "$begun" ] && [ -n "$known" ] && [ "$begun" != "$known" ]; then continue; fi',
    to: '',
    tests: ['test/faults/guardMessages.test.ts'],
    why: 'The shell kills a process that has got the number of an ended session.',
  },
  {
    file: 'src/local/guard/guard.ts',
    from: '    this.#over.delete(identity.sid);\n    if',
    to: '    if',
    tests: ['test/faults/guardMessages.test.ts'],
    why: 'The guard forgets a session because an earlier one had its number.',
  },
  {
    file: 'src/local/guard/guard.ts',
    from: 'detached: true,',
    to: 'detached: false,',
    tests: ['test/faults/guard.test.ts', 'test/faults/guardMessages.test.ts'],
    why: 'The guard dies with the process group of its host, and nobody ends the sessions.',
  },
];

const log: readonly Mutation[] = [
  {
    file: 'src/core/log/chunkRing.ts',
    from: '    this.#chunkHead = 0;\n',
    to: '',
    tests: ['test/unit/core/log/chunkRing.test.ts'],
    why: 'A ring that has grown after an eviction reads the wrong chunks.',
  },
  {
    file: 'src/core/log/processLog.ts',
    from: 'afterSeq < answer.nextSeq - 1',
    to: 'afterSeq < answer.nextSeq',
    tests: ['test/unit/core/log/processLog.test.ts'],
    why: 'A reader that waits for the close after the exit turns in circles.',
  },
  {
    file: 'src/core/log/processLog.ts',
    from: 'const subscriptions = [...this.#subscriptions].filter(({ passive }) => !passive);',
    to: 'const subscriptions = [...this.#subscriptions];',
    tests: ['test/unit/core/log/processLog.test.ts', 'test/unit/core/log/logSubscription.test.ts'],
    why: 'A program is not held back for its only slow reader, since a passive one is fast.',
  },
  {
    file: 'src/core/log/processLog.ts',
    from: '        this.#waitingReads.delete(lookAgain);\n',
    to: '',
    tests: ['test/unit/core/log/processLog.test.ts'],
    why: 'Each read that has waited stays in memory and is asked at each event.',
  },
  {
    file: 'src/core/log/logSubscription.ts',
    from: 'oldest.seq <= throughSeq',
    to: 'oldest.seq < throughSeq',
    tests: ['test/unit/core/log/logSubscription.test.ts'],
    why: 'The window never opens again for a reader that has acknowledged everything.',
  },
  {
    file: 'src/core/log/logSubscription.ts',
    from: 'const kept = lent && !this.#borrows &&',
    to: 'const kept = lent && this.#borrows &&',
    tests: ['test/unit/core/log/logSubscription.test.ts', 'test/unit/core/log/processLog.test.ts'],
    why: 'A reader that keeps its bytes sees them overwritten by later output.',
  },
];

const wire: readonly Mutation[] = [
  {
    file: 'src/protocol/transport/messageSplitter.ts',
    from: 'bytes.copy(this.#held, this.#heldBytes, start, start + length - this.#heldBytes)',
    to: 'bytes.copy(this.#held, this.#heldBytes, start, start + length)',
    tests: ['test/unit/protocol/messageSplitter.test.ts'],
    why: 'A frame in pieces swallows the beginning of the next message.',
  },
  {
    file: 'src/protocol/transport/messageSplitter.ts',
    from: 'if (this.#bytes + piece.length > this.#maxBytes) {',
    to: 'if (piece.length > this.#maxBytes) {',
    tests: ['test/unit/protocol/messageSplitter.test.ts', 'test/unit/protocol/lineTransport.test.ts'],
    why: 'A client that sends a line without end in small pieces fills the memory.',
  },
  {
    file: 'src/protocol/connection/serveConnection.ts',
    from: '    if (this.#cutOff) {\n      return null;\n    }\n',
    to: '',
    tests: ['test/unit/protocol/serveConnection.test.ts'],
    why: 'The server carries out requests behind a message that ended the connection.',
  },
  {
    file: 'src/server/methods/processMethods.ts',
    from: '(one < other ? 1 : -1)',
    to: '(one < other ? -1 : 1)',
    tests: ['test/server/processParity.test.ts'],
    grep: 'environments',
    built: true,
    why: 'Of two variables with one name the child gets the wrong one.',
  },
  {
    file: 'src/remote/log/eventSorter.ts',
    from: "if (!full || event.type === 'exited' || event.type === 'closed') {",
    to: 'if (!full) {',
    tests: ['test/unit/remote/eventSorter.test.ts'],
    why: 'An exit that comes early during a flood is lost, and the session never ends.',
  },
  {
    file: 'src/remote/log/outputCredit.ts',
    from: 'if (this.#bytes >= this.#step && !this.#log.paused) {',
    to: 'if (this.#bytes >= this.#step) {',
    tests: ['test/unit/remote/creditWindow.test.ts'],
    why: 'A slow terminal does not hold back its program on another machine.',
  },
  {
    file: 'src/remote/log/catchUp.ts',
    from: 'this.#again = this.#reading;',
    to: 'this.#again = false;',
    tests: ['test/unit/remote/catchUp.test.ts'],
    why: 'A reading that a new connection has overtaken is not begun anew, and output is missing.',
  },
  {
    file: 'src/remote/process/remoteInput.ts',
    from: 'if (error instanceof WireClosedError) {',
    to: 'if (false) {',
    tests: ['test/unit/remote/remoteInput.test.ts'],
    why: 'Input that was on its way at a cut is lost.',
  },
];

const receipts: readonly Mutation[] = [
  {
    file: 'src/core/receipts/makeReceipt.ts',
    from: 'argv: maskArguments(argv),',
    to: 'argv,',
    tests: ['test/unit/core/receipts.test.ts'],
    why: 'Passwords from command lines are written to a file.',
  },
  {
    file: 'src/core/receipts/makeReceipt.ts',
    from: 'commandLine.length > limit ||',
    to: '',
    tests: ['test/unit/core/receipts.test.ts'],
    why: 'Run Again runs half a command line.',
  },
  {
    file: 'src/machine/receipts/readRuns.ts',
    from: 'return leader?.pid === sid && leader.startTime === startTime;',
    to: 'return leader?.pid === sid;',
    tests: ['test/contract/receipts.test.ts'],
    grep: 'say what the guard has stopped',
    why: 'A session is said to have been stopped by the guard that had stopped another one.',
  },
  {
    file: 'src/machine/runOwner.ts',
    from: " && owner['boot'] === bootId()",
    to: '',
    tests: ['test/unit/machine/runOwner.test.ts'],
    why: 'A server from before the last boot counts as there.',
  },
  {
    file: 'src/machine/receipts/receiptFile.ts',
    from: '[ownerLine(), ...this.#running.values(), ...lines]',
    to: '[ownerLine(), ...lines]',
    tests: ['test/contract/receipts.test.ts'],
    why: 'A session that outlives the part with its start has no receipt.',
  },
  {
    file: 'src/machine/receipts/receiptBook.ts',
    from: '    if (removed) {\n      this.#write(entry);\n',
    to: '    if (removed) {\n',
    tests: ['test/contract/receiptBook.test.ts'],
    grep: 'is removed',
    why: 'Who stopped a session is not written if it is removed from the list at once.',
  },
];

const marks: readonly Mutation[] = [
  {
    file: 'src/local/marks/sessionMark.ts',
    from: 'if (!isFirst && before < 0) {',
    to: 'if (before < 0) {',
    tests: ['test/unit/local/marks/sessionMark.test.ts'],
    why: 'A process whose first variable is the mark is not found.',
  },
  {
    file: 'src/local/marks/sessionMark.ts',
    from: 'const isHere = namespace === processNamespace() && ',
    to: 'const isHere = ',
    tests: ['test/unit/local/marks/sessionMark.test.ts'],
    why: 'A process of a container is taken for one whose server has ended.',
  },
  {
    file: 'src/local/stop/leftByEnded.ts',
    from: '.filter(([mark]) => !isOfAnotherBoot(mark))',
    to: '',
    tests: ['test/unit/local/stop/leftByEnded.test.ts'],
    why: 'Leftovers lists services that have an old mark from a file.',
  },
  {
    file: 'src/terminal/commandMarks.ts',
    from: "return exitCode === undefined ? mark('D')",
    to: "return !exitCode ? mark('D')",
    tests: ['test/unit/terminal/commandMarks.test.ts'],
    why: 'VS Code shows no success of a command that has exited with 0.',
  },
  {
    file: 'src/sessions/viewer/outputMarks.ts',
    from: 'fullScreen || safePlace === undefined',
    to: 'safePlace === undefined',
    tests: ['test/unit/sessions/outputMarks.test.ts'],
    why: 'The end of a command is marked on the alternate screen, and lost with it.',
  },
];

const replay: readonly Mutation[] = [
  {
    file: 'src/sessions/viewer/sessionPlayer.ts',
    from: 'seq > this.#replayThrough && this.#listener.claim(seq)',
    to: 'this.#listener.claim(seq)',
    tests: ['test/unit/sessions/sessionViewer.test.ts', 'test/unit/terminal/replay.test.ts'],
    why: 'Opening a terminal types answers to old questions into the program.',
  },
  {
    file: 'src/sessions/viewer/sessionPlayer.ts',
    from: 'this.#replayThrough = options.fresh ? 0 :',
    to: 'this.#replayThrough = ',
    tests: ['test/unit/sessions/sessionViewer.test.ts'],
    why: 'A program that asks its terminal something at its start gets no answer.',
  },
  {
    file: 'src/terminal/terminalModes.ts',
    from: "(final === 'h' || final === 'l')",
    to: "final === 'h'",
    tests: ['test/unit/terminal/terminalFilter.test.ts'],
    why: 'A terminal counts as drawn on for good once an editor has run in it.',
  },
  {
    file: 'src/terminal/terminalQueries.ts',
    from: "payload.includes('?') || payload.length > MAX_JUDGED",
    to: "payload.includes('?')",
    tests: ['test/unit/terminal/terminalFilter.test.ts'],
    why: 'A string without an end fills the memory during a replay.',
  },
  {
    file: 'src/terminal/sgrState.ts',
    from: "items[index + 1] === '2' ? 4 : 2",
    to: "items[index + 1] === '2' ? 3 : 2",
    tests: ['test/unit/terminal/sgrState.test.ts'],
    why: 'The blue of a colour counts as a style of its own.',
  },
];

const notices: readonly Mutation[] = [
  {
    file: 'src/sessions/words/attention.ts',
    from: ' && !waiting.includes(session),',
    to: ',',
    tests: ['test/unit/sessions/attention.test.ts'],
    why: 'The status bar counts a session that waits twice.',
  },
  {
    file: 'src/sessions/words/stopText.ts',
    from: " && exit.signal !== 'SIGKILL'",
    to: '',
    tests: ['test/unit/sessions/stopText.test.ts'],
    why: 'A message says of each killed session that something that it had left had to be killed.',
  },
  {
    file: 'src/sessions/viewer/notices.ts',
    from: "state === 'closed' || state === 'lost' ||",
    to: "state === 'closed' ||",
    tests: ['test/unit/sessions/notices.test.ts'],
    why: 'The terminal of a lost session says that the connection is back.',
  },
  {
    file: 'src/vscode/notice/endNotices.ts',
    from: "(about === 'failures' && hasFailed(session.snapshot()))",
    to: "about === 'failures'",
    tests: ['test/vscode/notices.test.ts'],
    grep: 'tell of what ends soon after one',
    why: 'A message tells of each session, also of one that has ended well.',
  },
  {
    file: 'src/vscode/notice/endNotices.ts',
    from: '    this.#pausing = true;\n',
    to: '',
    tests: ['test/vscode/notices.test.ts'],
    grep: 'tell of what ends soon after one',
    why: 'Ten sessions that end together make ten messages.',
  },
];

export const mutations: readonly Mutation[] = [
  ...guard,
  ...log,
  ...wire,
  ...receipts,
  ...marks,
  ...replay,
  ...notices,
];
