import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

import type { ResultOf } from '../../../protocol/index.js';

type Headers = ResultOf<'http/request'>['headers'];

/** The headers of a response as they came, in lower case. A value that is no text is left out. */
export function responseHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers: Headers = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Node makes a character of each byte.
    const bytes = Buffer.from(rawHeaders[index + 1] ?? '', 'latin1');
    if (isUtf8(bytes)) {
      headers.push({ name: name.toLowerCase(), value: bytes.toString() });
    }
  }
  return headers;
}
