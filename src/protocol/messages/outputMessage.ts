import type { WireOutput } from './outputFrame.js';

const END = '"}}';

/**
 * The `process/output` notification as it goes over the wire, in UTF-8. Output is most of what a server says, so its
 * message is put together by hand, in the buffer that is sent: as a string it would be joined, measured and copied once
 * more, 30 µs instead of 8 for 64 KiB. What `JSON.stringify` would make of it is the same.
 */
export function outputMessage({ processId, seq, stream, bytes }: WireOutput): Buffer {
  const start = `{"method":"process/output","params":{"processId":${JSON.stringify(processId)},"seq":${seq},"stream":"${stream}","chunk":"`;
  // Base64 has nothing that JSON would escape.
  const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  const startBytes = Buffer.byteLength(start);
  const message = Buffer.allocUnsafe(startBytes + chunk.length + END.length);
  message.write(start, 0);
  message.write(chunk, startBytes, 'latin1');
  message.write(END, startBytes + chunk.length, 'latin1');
  return message;
}
