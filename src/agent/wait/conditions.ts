import { Alarm, type Clock, type Disposable, nothingToDispose, onAbort } from '../../core/index.js';

/**
 * Something that may happen: `met` is called then with the reason, perhaps synchronously. Disposing it before that ends
 * its timers and listeners, and later calls of `met` are ignored.
 */
export type Condition<R> = (met: (reason: R) => void) => Disposable;

/** Waits for the first of several conditions, and ends the others. If several are met at once, the first one counts. */
export function firstOf<R>(conditions: readonly Condition<R>[]): Promise<R> {
  return new Promise((resolve) => {
    const started: Disposable[] = [];
    let over = false;
    const met = (reason: R) => {
      if (!over) {
        over = true;
        started.forEach((condition) => condition.dispose());
        resolve(reason);
      }
    };
    for (const condition of conditions) {
      if (isOver()) {
        break;
      }
      const begun = condition(met);
      if (isOver()) {
        begun.dispose();
      } else {
        started.push(begun);
      }
    }
    /** A function, because the compiler assumes that a variable is unchanged across a call. */
    function isOver(): boolean {
      return over;
    }
  });
}

/** A condition that is met at once, for a call that waits for nothing. */
export function atOnce<R>(reason: R): Condition<R> {
  return (met) => {
    met(reason);
    return nothingToDispose;
  };
}

export function timePasses<R>(clock: Clock, ms: number, reason: R): Condition<R> {
  return (met) => clock.after(ms, () => met(reason));
}

/** Met with the value of a promise, which must not reject. */
export function comes<R>(promise: Promise<R>): Condition<R> {
  return (met) => {
    void promise.then(met);
    return nothingToDispose;
  };
}

export function isAborted<R>(signal: AbortSignal, reason: R): Condition<R> {
  return (met) => onAbort(signal, () => met(reason));
}

/** Met with another condition, but only if `holds` says so at that moment. */
export function onlyIf<R>(holds: () => boolean, condition: Condition<R>): Condition<R> {
  return (met) =>
    condition((reason) => {
      if (holds()) {
        met(reason);
      }
    });
}

/** Never met: does something at intervals while others are waited for. */
export function meanwhile(clock: Clock, everyMs: number, run: () => void): Condition<never> {
  return () => {
    const alarm = new Alarm(clock);
    const again = () =>
      alarm.set(everyMs, () => {
        run();
        again();
      });
    again();
    return alarm;
  };
}

/**
 * Asks until the answer is yes, each time `everyMs` after the last answer. An answer that arrives after disposal is
 * ignored.
 */
export function polled<R>(
  clock: Clock,
  everyMs: number,
  ask: () => Promise<boolean>,
  reason: R,
): Condition<R> {
  return (met) => {
    let disposed = false;
    const alarm = new Alarm(clock);
    const next = () => {
      void ask().then((yes) => {
        if (disposed) {
          return;
        }
        if (yes) {
          met(reason);
        } else {
          alarm.set(everyMs, next);
        }
      });
    };
    next();
    return {
      dispose: () => {
        disposed = true;
        alarm.dispose();
      },
    };
  };
}
