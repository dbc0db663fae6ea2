import * as z from 'zod/mini';

import { nullish, count, text, empty, flag, sandbox, followSymlinks, shape } from './schemas.js';

/** The requests of the protocol of `codex exec-server` for files. */
export const fileRequests = {
  'fs/readFile': shape(
    () => z.object({ path: text, followSymlinks, sandbox }),
    () => z.object({ dataBase64: text }),
  ),
  'fs/writeFile': shape(
    () => z.object({ path: text, dataBase64: text, followSymlinks, sandbox }),
    () => empty,
  ),
  'fs/createDirectory': shape(
    () => z.object({ path: text, recursive: flag, followSymlinks, sandbox }),
    () => empty,
  ),
  'fs/getMetadata': shape(
    () => z.object({ path: text, followSymlinks, sandbox }),
    () =>
      z.object({
        isDirectory: z.boolean(),
        isFile: z.boolean(),
        isSymlink: z.boolean(),
        size: z.optional(count),
        createdAtMs: z.number(),
        modifiedAtMs: z.number(),
      }),
  ),
  'fs/canonicalize': shape(
    () => z.object({ path: text, sandbox }),
    () => z.object({ path: text }),
  ),
  'fs/readDirectory': shape(
    () => z.object({ path: text, sandbox, followSymlinks }),
    () =>
      z.object({
        entries: z.array(z.object({ fileName: text, isDirectory: z.boolean(), isFile: z.boolean() })),
      }),
  ),
  'fs/walk': shape(
    () =>
      z.object({
        path: text,
        options: z.object({
          maxDepth: count,
          maxDirectories: count,
          maxEntries: count,
          followDirectorySymlinks: z.boolean(),
          pruneHiddenDirectories: z.boolean(),
        }),
        sandbox,
      }),
    () =>
      z.object({
        entries: z.array(z.object({ path: text, kind: z.enum(['file', 'directory']) })),
        errors: z.array(z.unknown()),
        truncated: z.boolean(),
      }),
  ),
  'fs/remove': shape(
    () =>
      z.object({
        path: text,
        recursive: flag,
        force: flag,
        followSymlinks,
        sandbox,
      }),
    () => empty,
  ),
  'fs/copy': shape(
    () => z.object({ sourcePath: text, destinationPath: text, recursive: z.boolean(), sandbox }),
    () => empty,
  ),
  'fs/open': shape(
    () =>
      z.object({
        handleId: text,
        path: text,
        mode: nullish(z.enum(['read', 'replace'])),
        sandbox,
        followSymlinks,
      }),
    () => z.object({ handleId: text }),
  ),
  'fs/readBlock': shape(
    () => z.object({ handleId: text, offset: count, len: count }),
    () => z.object({ chunk: text, eof: z.boolean() }),
  ),
  'fs/writeBlock': shape(
    () => z.object({ handleId: text, offset: count, chunk: text }),
    () => empty,
  ),
  'fs/close': shape(
    () => z.object({ handleId: text }),
    () => empty,
  ),
} as const;
