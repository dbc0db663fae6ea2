import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

import { collectMessages } from '../rig/l10n.js';
import { root } from '../rig/paths.js';

/**
 * Counts sentences that have to be read twice. The numbers may only fall: where one does, write the new one down here.
 * `EXEC_SESSIONS_ENGLISH=comments npm test -- unit/english` prints the sentences of a kind.
 */
const LIMITS: Readonly<Record<string, number>> = {
  comments: 1,
  texts: 0,
  titles: 0,
  documents: 0,
};

/** The most words of a sentence. */
const LONGEST = 25;

const FAULTS: readonly RegExp[] = [
  /^(?:Who|Whoever|Whose|Which|None|Nobody|That of|Those of|Of|Such)\b/,
  /^What\b(?!.*\?$)/s,
  /\b(?:is none|of before|of which|of whose)\b/,
  /(?<!\bleft )\bbehind\b/,
  /, which\b.*, which\b/s,
];

interface Sentence {
  readonly place: string;
  readonly text: string;
}

const files = (pattern: string): readonly string[] =>
  execFileSync('git', ['ls-files', pattern], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && fs.existsSync(path.join(root, file)));

const code = [...files('src/*.ts'), ...files('test/*.ts')];

function sentencesOf(place: string, text: string): readonly Sentence[] {
  const plain = text
    .replaceAll(/`[^`]*`|\{@link [^}]*\}|https?:\/\/\S+|"[^"]*"/g, 'x')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain
    .split(/(?<=[.!?:;])\s+(?=[A-Z"{])/)
    .filter((sentence) => sentence !== '')
    .map((sentence) => ({ place, text: sentence }));
}

/** Comments that follow each other line by line are one text; each tag of a doc comment is another. */
function commentsOf(file: string): readonly Sentence[] {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: { readonly from: number; readonly to: number; readonly line: boolean }[] = [];
  const seen = new Set<number>();
  const look = (node: ts.Node): void => {
    for (const { pos, end, kind } of [
      ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
    ]) {
      if (!seen.has(pos))
        found.push({ from: pos, to: end, line: kind === ts.SyntaxKind.SingleLineCommentTrivia });
      seen.add(pos);
    }
    node.getChildren(source).forEach(look);
  };
  look(source);
  const pieces: string[] = [];
  let last = -1;
  for (const { from, to, line } of found.sort((one, other) => one.from - other.from)) {
    const words = text.slice(from, to).replaceAll(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)|\*\/$/gm, '');
    const goesOn = line && last >= 0 && /^\n[ \t]*$/.test(text.slice(last, from));
    if (goesOn) pieces.push(`${pieces.pop() ?? ''}\n${words}`);
    else pieces.push(...words.split(/^\s*@\w+(?: \w+\b)?|\n\s*\n|^\s*- /m));
    last = line ? to : -1;
  }
  return pieces
    .filter((piece) => !/eslint-|@ts-|<reference/.test(piece))
    .flatMap((piece) => sentencesOf(file, piece));
}

function titlesOf(file: string): readonly Sentence[] {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/\b(?:it|describe)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs)].map(([, , title]) => ({
    place: file,
    text: title ?? '',
  }));
}

function textsIn(file: string, texts: string): readonly Sentence[] {
  return Object.values(JSON.parse(texts) as Record<string, string>).flatMap((text) =>
    sentencesOf(file, text),
  );
}

/**
 * Strings of code with four words or more, for people and models. Parts that `+` joins are one text; paragraphs and
 * indented lines are texts of their own. Scripts are left out: they assign variables.
 */
function literalsOf(file: string): readonly Sentence[] {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  const found: string[] = [];
  const look = (node: ts.Node): void => {
    const literal = textOf(node);
    if (literal === undefined) node.forEachChild(look);
    else if (!/^\w+=/m.test(literal)) found.push(...literal.split(/\n(?=\s|- )/));
    if (ts.isTemplateExpression(node)) node.templateSpans.forEach(look);
  };
  look(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return found
    .filter(
      (literal) => (literal.match(/(?<!\S)[("]?[A-Za-z][a-z'-]*[)"]?[,.:;!?]*(?!\S)/g) ?? []).length >= 4,
    )
    .flatMap((literal) => sentencesOf(file, literal));
}

/** The text of a literal, with x for each value in it. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => `x${literal.text}`).join('');
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined ? undefined : (left ?? 'x') + (right ?? 'x');
}

/** The prose of a page: no code, no tables, no pictures, no links' addresses. */
function proseOf(file: string): readonly Sentence[] {
  const text = fs
    .readFileSync(path.join(root, file), 'utf8')
    .replaceAll(/^```.*?^```/gms, '\n\n')
    .replaceAll(/^\s*(?:\|.*|#+ |[-*] |\d+\. |> ?|<!--.*)/gm, '\n\n')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    // A sentence may begin with code or with bold text.
    .replaceAll(/`[^`]*`/g, 'X')
    .replaceAll('**', '');
  return text.split(/\n\s*\n/).flatMap((paragraph) => sentencesOf(file, paragraph));
}

const kinds: Readonly<Record<string, () => readonly Sentence[]>> = {
  comments: () => code.flatMap(commentsOf),
  texts: () => [
    ...textsIn('package.nls.json', fs.readFileSync(path.join(root, 'package.nls.json'), 'utf8')),
    ...textsIn('l10n', collectMessages()),
    ...code.filter((file) => file.startsWith('src/')).flatMap(literalsOf),
  ],
  titles: () => code.filter((file) => file.endsWith('.test.ts')).flatMap(titlesOf),
  documents: () =>
    files('*.md')
      .filter((file) => !file.includes('/results/'))
      .flatMap(proseOf),
};

function isHard({ text }: Sentence): boolean {
  return FAULTS.some((fault) => fault.test(text)) || text.split(' ').length > LONGEST;
}

describe('The English', () => {
  for (const [kind, sentences] of Object.entries(kinds)) {
    it(`of ${kind} has no more sentences than before that have to be read twice`, () => {
      const hard = sentences().filter(isHard);
      if (process.env['EXEC_SESSIONS_ENGLISH'] === kind) {
        hard.forEach(({ place, text }) => process.stdout.write(`${place}: ${text}\n`));
      }
      assert.ok(hard.length <= (LIMITS[kind] ?? 0), `${hard.length} sentences`);
    });
  }
});
