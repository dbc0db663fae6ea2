/** Scripts of Node that read several lines from a terminal. They have no single quotes. */

/** Asks three questions, each with a new line editor, which drops what has come with the line before: as npm does. */
export const ASKS_ANEW = `
  const { createInterface } = require("readline/promises");
  (async () => {
    for (const name of ["first", "second", "third"]) {
      const lines = createInterface({ input: process.stdin, output: process.stdout });
      const answer = await lines.question(name + "? ");
      lines.close();
      console.log(name + " is " + answer);
    }
  })();`;

/** Tells pasted text from typed lines, and indents the latter: as Python does. */
export const KNOWS_PASTES = `
  let typed = "";
  process.stdin.setRawMode(true);
  process.stdin.on("data", (bytes) => {
    typed += bytes;
    const pasted = /^\\x1b\\[200~([^]*)\\x1b\\[201~\\r$/.exec(typed);
    if (pasted !== null || /^[^\\x1b]*\\r$/.test(typed)) {
      console.log(pasted === null ? "typed" : "pasted " + JSON.stringify(pasted[1]));
      process.exit();
    }
  });
  console.log("\\x1b[?2004hready");`;
