import type { FileHandle } from 'node:fs/promises';

import { type ParamsOf, WireError } from '../../../protocol/index.js';
import { withOsAnswers } from './fileAnswers.js';
import { ownFileWork, type PathMethod } from './fileWork.js';
import type { HelperAnswer, HelperRequest } from './sandboxedFiles.js';

/** A file stays open as long as this program runs. */
let opened: FileHandle | undefined;

/** The program in the sandbox: answers one request, and ends with its input. */
async function main(): Promise<void> {
  const end = new AbortController();
  let text = '';
  for await (const more of process.stdin.setEncoding('utf8') as AsyncIterable<string>) {
    text += more;
    if (text.endsWith('\n')) {
      void answer(JSON.parse(text) as HelperRequest, end.signal).then((given) => {
        process.stdout.write(`${JSON.stringify(given)}\n`);
      });
    }
  }
  end.abort();
}

async function answer(request: HelperRequest, signal: AbortSignal): Promise<HelperAnswer> {
  try {
    return { result: await withOsAnswers(perform(request, signal)) };
  } catch (error) {
    if (error instanceof WireError) {
      return { error: { code: error.code, message: error.message } };
    }
    throw error;
  }
}

async function perform(request: HelperRequest, signal: AbortSignal): Promise<unknown> {
  if ('open' in request) {
    ({ handle: opened } = await ownFileWork.open(...request.open));
    return opened.fd;
  }
  return ownFileWork.run(request.method, request.params as ParamsOf<PathMethod>, signal);
}

void main();
