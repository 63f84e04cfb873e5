import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript-5';

/** A regular expression of the source, with its place. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly file: string;
  readonly line: number;
  /** The name of its declaration, or none. */
  readonly name: string;
}

export const ROOT = join(import.meta.dir, '../..');

/** Entry points start something when they are loaded. */
const ENTRIES = [
  'src/main.ts',
  'src/analysis-process.ts',
  'src/storage-thread.ts',
  'tools/release/release.ts',
];

const files = [...new Bun.Glob('{src,tools}/**/*.{ts,tsx}').scanSync(ROOT)]
  .filter((file) => !file.endsWith('.d.ts'))
  .sort();

/** The files of the source that can be loaded without starting anything. */
export const MODULES = files.filter((file) => !ENTRIES.includes(file));

/** The declaration around a node: `const NAME = ` or `name: `. */
function nameAround(node: ts.Node): string {
  if (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node) || ts.isFunctionDeclaration(node)) {
    if (node.name && ts.isIdentifier(node.name)) return node.name.text;
  }
  return node.parent ? nameAround(node.parent) : '';
}

/** The text of a `pattern` in a schema. */
const isOfSchema = (node: ts.Node): node is ts.StringLiteral =>
  ts.isStringLiteral(node) &&
  ts.isPropertyAssignment(node.parent) &&
  node.parent.name.getText() === 'pattern';

function patternOf(node: ts.Node): { source: string; flags: string } | undefined {
  if (isOfSchema(node)) return { source: node.text, flags: '' };
  if (!ts.isRegularExpressionLiteral(node)) return undefined;
  const end = node.text.lastIndexOf('/');
  return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
}

function patternsIn(file: string): Pattern[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Pattern[] = [];
  const visit = (node: ts.Node) => {
    const pattern = patternOf(node);
    const line = parsed.getLineAndCharacterOfPosition(node.getStart(parsed)).line + 1;
    if (pattern) found.push({ ...pattern, file, line, name: nameAround(node) });
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return found;
}

/** Every literal pattern of the source. */
export const spelledPatterns = (): Pattern[] => files.flatMap(patternsIn);
