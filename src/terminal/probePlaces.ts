/** ESC, CSI and OSC as C1 controls, and the C1 controls that open another string. */
const OPENING = /[\u001b\u0090\u0098\u009b\u009d-\u009f]/g;

/** What can lead back to text from anywhere else: BEL, CAN, SUB, ESC and every C1 control. */
const LEADING_BACK = /[\u0007\u0018\u001a\u001b\u0080-\u009f]/g;

/**
 * A sequence that is complete and well formed: control sequences, OSC, other escape sequences. An ESC begins anew
 * everywhere, so behind one of these the emulator is back at text, wherever it was before.
 */
const COMPLETE = new RegExp(
  [
    '(?:\\u001b\\[|\\u009b)[<-?]?[0-9:;]*[ -/]*[@-~]',
    '(?:\\u001b\\]|\\u009d)[^\\u0000-\\u001f\\u007f-\\u009f]*(?:\\u0007|\\u001b\\\\)',
    '\\u001b(?:[ -/]+[0-~]|[0-OQ-WYZ\\\\`-~])',
  ].join('|'),
  'y',
);

/**
 * Finds the places in what an emulator is given where a query of our own changes nothing: not inside a sequence, and
 * not between a character and what may still belong to it. A mark joins the character before it, and `CSI b` repeats
 * that; the emulator forgets it with every sequence, so also with a query.
 *
 * It can miss places. It takes none for one that is none: after anything unusual it waits for what ends all sequences.
 */
export class ProbePlaces {
  /** What was given so far ends with text or a complete sequence. */
  #atText = true;
  /** It ends inside an OSC, which a BEL ends. */
  #inOsc = false;
  /** It ends with a character of ASCII, as text. */
  #behindAscii = false;

  /** @returns the last such place in the text that is given next, as the number of characters before it. */
  follow(text: string): number | undefined {
    const behindAscii = this.#behindAscii;
    let place: number | undefined;
    let from = 0;
    while (from < text.length) {
      if (!this.#atText) {
        [from, place] = this.#leadBack(text, from, place);
        continue;
      }
      const end = indexOf(OPENING, text, from);
      const behind = end < text.length ? endOfSequence(text, end) : undefined;
      if (behind !== undefined) {
        place = behind;
        from = behind;
        continue;
      }
      place = lastControl(text, from, end) ?? place ?? lastBetweenAscii(text, from, end, behindAscii);
      if (end < text.length) {
        this.#leaveText(text, end);
      }
      from = end + 1;
    }
    if (text !== '') {
      this.#behindAscii = this.#atText && place !== text.length && isAscii(text.charCodeAt(text.length - 1));
    }
    return place;
  }

  #leaveText(text: string, at: number): void {
    this.#atText = false;
    this.#inOsc = text.startsWith('\u001b]', at) || text.charAt(at) === '\u009d';
  }

  /** Goes on to behind the next character or sequence that could lead back to text; returns that and the place. */
  #leadBack(
    text: string,
    from: number,
    place: number | undefined,
  ): [from: number, place: number | undefined] {
    const at = indexOf(LEADING_BACK, text, from);
    const char = text.charAt(at);
    const cancels = char === '\u0018' || char === '\u001a' || (char === '\u0007' && this.#inOsc);
    const behind = cancels ? at + 1 : endOfSequence(text, at);
    if (behind !== undefined) {
      this.#atText = true;
      return [behind, behind];
    }
    if (char !== '' && char !== '\u0007') {
      this.#leaveText(text, at);
    }
    return [at + 1, place];
  }
}

function indexOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

function endOfSequence(text: string, at: number): number | undefined {
  COMPLETE.lastIndex = at;
  return COMPLETE.test(text) ? COMPLETE.lastIndex : undefined;
}

/** Behind the last control character of a piece of text. */
function lastControl(text: string, from: number, end: number): number | undefined {
  for (let index = end; index > from; index--) {
    if (text.charCodeAt(index - 1) < 0x20) {
      return index;
    }
  }
  return undefined;
}

/** Between the last two characters of ASCII that are neighbours: neither joins the other, in any version of Unicode. */
function lastBetweenAscii(text: string, from: number, end: number, behindAscii: boolean): number | undefined {
  for (let index = end - 1; index > from; index--) {
    if (isAscii(text.charCodeAt(index)) && isAscii(text.charCodeAt(index - 1))) {
      return index;
    }
  }
  return from === 0 && behindAscii && isAscii(text.charCodeAt(0)) ? 0 : undefined;
}

function isAscii(code: number): boolean {
  return code >= 0x20 && code < 0x7f;
}
