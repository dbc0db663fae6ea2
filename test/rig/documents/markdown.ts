import fs from 'node:fs';
import path from 'node:path';

import { root } from '../paths.js';

/** Folders without documents of ours. */
const SKIPPED = new Set(['node_modules', '.git', '.tools', 'dist', 'out', 'golden']);

/** The paths of all Markdown files, from the root of the repository. */
export function markdownFiles(folder = ''): readonly string[] {
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : markdownFiles(file);
    return entry.name.endsWith('.md') ? [file] : [];
  });
}

/** The targets of links and images outside of code. Addresses of the web are left out. */
export function linksIn(markdown: string): readonly string[] {
  const links = withoutCode(markdown).matchAll(
    /\]\(([^)\s]+)\)|^\[[^\]]+\]:\s*(\S+)|\b(?:src|href)="([^"]+)"/gm,
  );
  return [...links]
    .map(([, inText, defined, inHtml]) => inText ?? defined ?? inHtml ?? '')
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors that GitHub and VS Code give the headings of a page. */
export function anchorsIn(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of markdown.replaceAll(/^```[^]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let number = 1; anchors.has(unique); number += 1) unique = `${anchor}-${number}`;
    anchors.add(unique);
  }
  return anchors;
}

/** The files and folders of the repository that a page names in code. */
export function pathsIn(markdown: string): readonly string[] {
  const code = [...markdown.matchAll(/`((?:src|test|docs|media|l10n)\/[\w./-]+)`/g)];
  return code.map(([, named = '']) => named);
}

function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');
}
