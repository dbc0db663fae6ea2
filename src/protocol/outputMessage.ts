import { encodeBase64 } from './base64.js';
import type { WireOutput } from './outputFrame.js';

/**
 * The `process/output` notification as it goes over the wire. Output is most of what a server says, so its message is
 * put together by hand. What `JSON.stringify` would make of it is the same.
 */
export function outputMessage({ processId, seq, stream, bytes }: WireOutput): string {
  const start = `{"method":"process/output","params":{"processId":${JSON.stringify(processId)},"seq":${seq}`;
  // Base64 has nothing that JSON would escape.
  return `${start},"stream":"${stream}","chunk":"${encodeBase64(bytes)}"}}`;
}
