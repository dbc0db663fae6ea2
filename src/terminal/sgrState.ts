/** An attribute that an SGR parameter sets; setting it again replaces its value. */
type Attribute =
  | 'foreground'
  | 'background'
  | 'underlineColor'
  | 'bold'
  | 'dim'
  | 'italic'
  | 'underline'
  | 'blink'
  | 'inverse'
  | 'hidden'
  | 'strike'
  | 'overline';

/** The parameters that set an attribute, other than colours. */
const SETTERS: Readonly<Record<number, Attribute>> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  21: 'underline',
  5: 'blink',
  6: 'blink',
  7: 'inverse',
  8: 'hidden',
  9: 'strike',
  53: 'overline',
};

/** The parameters that reset attributes. */
const RESETTERS: Readonly<Record<number, readonly Attribute[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  25: ['blink'],
  27: ['inverse'],
  28: ['hidden'],
  29: ['strike'],
  39: ['foreground'],
  49: ['background'],
  55: ['overline'],
  59: ['underlineColor'],
};

/** The colours and styles that a program has set, so that they can be set again after other text. */
export class SgrState {
  readonly #set = new Map<Attribute, string>();

  get hasForeground(): boolean {
    return this.#set.has('foreground');
  }

  /** Takes the parameters of one SGR sequence. */
  apply(params: string): void {
    const items = params.split(';');
    for (let index = 0; index < items.length; index++) {
      const item = items[index] ?? '';
      const code = Number.parseInt(item, 10) || 0;
      if (code === 0) {
        this.#set.clear();
      } else if ((code === 38 || code === 48 || code === 58) && !item.includes(':')) {
        // An extended colour takes the parameters after it: 5;n or 2;r;g;b.
        const count = items[index + 1] === '2' ? 4 : 2;
        this.#set.set(colorAttribute(code), items.slice(index, index + 1 + count).join(';'));
        index += count;
      } else {
        this.#applyOne(code, item);
      }
    }
  }

  /** The sequence that sets all of these again, starting from no style. */
  restore(): string {
    return this.#set.size === 0 ? '' : `\u001b[${[...this.#set.values()].join(';')}m`;
  }

  #applyOne(code: number, item: string): void {
    const resets = item === '4:0' ? RESETTERS[24] : RESETTERS[code];
    if (resets !== undefined) {
      for (const attribute of resets) {
        this.#set.delete(attribute);
      }
      return;
    }
    const attribute = SETTERS[code] ?? colorAttributeOf(code);
    if (attribute !== undefined) {
      this.#set.set(attribute, item);
    }
  }
}

function colorAttributeOf(code: number): Attribute | undefined {
  if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) {
    return 'foreground';
  }
  if ((code >= 40 && code <= 48) || (code >= 100 && code <= 107)) {
    return 'background';
  }
  return code === 58 ? 'underlineColor' : undefined;
}

function colorAttribute(code: 38 | 48 | 58): Attribute {
  return code === 38 ? 'foreground' : code === 48 ? 'background' : 'underlineColor';
}
