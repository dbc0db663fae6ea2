import { isRecord, type Localizer } from '../../core/index.js';
import { describeValue } from './commandInput.js';

/**
 * A check of an argument from another extension, whose type is not certain. Returns the problem in words, or undefined.
 */
export type ArgumentCheck = (l10n: Localizer) => string | undefined;

export function checkText(name: string, value: unknown): ArgumentCheck {
  return (l10n) => (typeof value === 'string' ? undefined : mustBe(name, l10n.t('a string'), value, l10n));
}

export function checkFunction(name: string, value: unknown): ArgumentCheck {
  return (l10n) =>
    typeof value === 'function' ? undefined : mustBe(name, l10n.t('a function'), value, l10n);
}

/** Checks the input to write. A wrong value may be a secret, so the message shows only its type. */
export function checkInput(name: string, value: unknown): ArgumentCheck {
  return (l10n) =>
    typeof value === 'string' || value instanceof Uint8Array
      ? undefined
      : l10n.t('"{0}" must be {1}; it is {2}.', name, l10n.t('a string or a Uint8Array'), typeName(value));
}

export function checkToken(value: unknown): ArgumentCheck {
  return (l10n) =>
    value === undefined ||
    (isRecord(value) &&
      typeof value['isCancellationRequested'] === 'boolean' &&
      typeof value['onCancellationRequested'] === 'function')
      ? undefined
      : mustBe('token', l10n.t('a CancellationToken'), value, l10n);
}

/** Checks an object of options, each against its kind. All of them may be left out. */
export function checkOptions(
  value: unknown,
  members: Readonly<Record<string, 'flag' | 'amount' | 'whole'>>,
): ArgumentCheck {
  return (l10n) => {
    if (value === undefined) {
      return undefined;
    }
    if (!isRecord(value)) {
      return mustBe('options', l10n.t('an object'), value, l10n);
    }
    for (const [name, kind] of Object.entries(members)) {
      const member = value[name];
      if (member !== undefined && !suits(member, kind)) {
        return mustBe(name, wanted(kind, l10n), member, l10n);
      }
    }
    return undefined;
  };
}

/** Checks only that both are numbers: the backend decides which numbers a terminal can have. */
export function checkSize(value: unknown): ArgumentCheck {
  return (l10n) => {
    if (!isRecord(value)) {
      return mustBe('size', l10n.t('an object'), value, l10n);
    }
    const bad = ['columns', 'rows'].find((name) => typeof value[name] !== 'number');
    return bad === undefined ? undefined : mustBe(bad, l10n.t('a number'), value[bad], l10n);
  };
}

function suits(value: unknown, kind: 'flag' | 'amount' | 'whole'): boolean {
  if (kind === 'flag') {
    return typeof value === 'boolean';
  }
  // The comparison rejects NaN too.
  return typeof value === 'number' && value >= 0 && (kind === 'amount' || Number.isInteger(value));
}

function wanted(kind: 'flag' | 'amount' | 'whole', l10n: Localizer): string {
  switch (kind) {
    case 'flag':
      return l10n.t('true or false');
    case 'amount':
      return l10n.t('a number that is not negative');
    case 'whole':
      return l10n.t('a whole number that is not negative');
  }
}

function mustBe(name: string, what: string, value: unknown, l10n: Localizer): string {
  const shown = typeof value === 'number' ? String(value) : describeValue(value);
  return l10n.t('"{0}" must be {1}; it is {2}.', name, what, shown);
}

function typeName(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}
