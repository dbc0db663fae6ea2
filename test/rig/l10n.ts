import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from './paths.js';

/**
 * Collects the messages of the program for translators: every text that `l10n.t` is called with.
 *
 *   tsx test/rig/l10n.ts     writes l10n/bundle.l10n.json
 *
 * `@vscode/l10n-dev` is not used: it finds only calls on imports from `vscode`, and most of our calls are in code without
 * any.
 */

export const bundleFile = path.join(root, 'l10n/bundle.l10n.json');

/** @throws Error for a message that is not a single literal, which could not be looked up. */
export function collectMessages(): string {
  const messages = new Set<string>();
  const files = fs.readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))) {
    const text = fs.readFileSync(path.join(root, 'src', file), 'utf8');
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest), messages);
  }
  const sorted = [...messages].sort().map((message) => [message, message]);
  return `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`;
}

function visit(node: ts.Node, messages: Set<string>): void {
  if (ts.isCallExpression(node) && isTranslation(node.expression)) {
    const [message] = node.arguments;
    if (message === undefined || !ts.isStringLiteralLike(message)) {
      const file = node.getSourceFile();
      throw new Error(`${file.fileName}: a message of l10n.t is not a literal: ${node.getText(file)}`);
    }
    messages.add(message.text);
  }
  node.forEachChild((child) => {
    visit(child, messages);
  });
}

/** Whether a call is one of `l10n.t`, `vscode.l10n.t`, `this.#l10n.t`. */
function isTranslation(called: ts.Expression): boolean {
  if (!ts.isPropertyAccessExpression(called) || called.name.text !== 't') return false;
  const of = called.expression;
  const name = ts.isIdentifier(of) ? of : ts.isPropertyAccessExpression(of) ? of.name : undefined;
  return name !== undefined && /^#?l10n$/.test(name.text);
}

if (process.argv[1] === import.meta.filename) {
  fs.mkdirSync(path.dirname(bundleFile), { recursive: true });
  fs.writeFileSync(bundleFile, collectMessages());
}
