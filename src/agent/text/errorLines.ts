/** How much a line looks like the reason why something went wrong. */
export type Suspicion = 'none' | 'weak' | 'strong';

/** Finds a line that may be suspicious among several lines of ASCII; in lines without it, none is. */
export const SUSPECT_LINE =
  /error|fail|exception|panic|fatal|assert|abort|denied|cannot|could not|crash|timed out|no such|traceback|unhandled|uncaught|fault|core dumped|not ok|err!|^E\s/im;
/** Every suspicious line has one of these. Most lines have none, so this test alone settles them. */
const SUSPECT = new RegExp(`${SUSPECT_LINE.source}|[✗✖✘×❌]`, 'iu');
const STRONG =
  /\b(?:panic(?:ked)?|fatal|traceback|unhandled|uncaught|segmentation fault|core dumped|assert\w*|FAIL|FAILED|FAILURE)\b|\bERR!|\w(?:Error|Exception)\b|^\s*(?:not ok\b|[✗✖✘×❌])|^\s*(?:\S+\s)?error\b|\berror(?:\[\w+\])?:|\berror [A-Z]+\d+\b|^E\s{2}/iu;
/** Lines that say that nothing went wrong, or that name a test that passed. */
const HARMLESS =
  /\b(?:0|no|without|zero) (?:errors?|fail(?:ed|ing|ures?)|exceptions?)\b|\b(?:errors?|fail(?:ed|ures|ing)?|exceptions?)\s{0,8}[:=]?\s{0,8}0\b|^\s*(?:ok|PASS|PASSED|[✓✔√])\s/iu;

export function suspicionOf(line: string): Suspicion {
  if (!SUSPECT.test(line) || HARMLESS.test(line)) {
    return 'none';
  }
  return STRONG.test(line) ? 'strong' : 'weak';
}
