import { encodeBase64 } from './base64.js';

/**
 * The `process/output` notification as it goes over the wire. Output is most of what a server says, so its message is
 * put together by hand. What `JSON.stringify` would make of it is the same.
 */
export function outputMessage(
  processId: string,
  chunk: { readonly seq: number; readonly stream: string; readonly bytes: Uint8Array },
): string {
  const start = `{"method":"process/output","params":{"processId":${JSON.stringify(processId)},"seq":${chunk.seq}`;
  // Base64 has nothing that JSON would escape.
  return `${start},"stream":${JSON.stringify(chunk.stream)},"chunk":"${encodeBase64(chunk.bytes)}"}}`;
}
