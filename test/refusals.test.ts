import { expect, test } from 'bun:test';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript-5';

// Needs the compiler of TypeScript.
// Runs with the whole matrix: that takes a processor half a minute.

const ROOT = join(import.meta.dir, '..');

/** The program that `tsc` checks, of which only src is examined. */
function program(): ts.Program {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent({ ...config, include: ['src'] }, ts.sys, ROOT);
  return ts.createProgram(fileNames, options);
}

/** Whether a value of a type, or the result of its promise, may be a refusal. */
function mayRefuse(checker: ts.TypeChecker, type: ts.Type): boolean {
  const awaited = checker.getAwaitedType(type) ?? type;
  const parts = awaited.isUnion() ? awaited.types : [awaited];
  return parts.some((part) => part.symbol?.name === 'Refusal');
}

const returned = (type: ts.Type) => type.getCallSignatures().map((signature) => signature.getReturnType());

/** Whether an expression's value is left unused. */
const isDropped = ({ parent }: ts.Expression) =>
  ts.isExpressionStatement(parent) || ts.isVoidExpression(parent);

/** Whether an expression may be a function that is passed on, rather than called or accessed. */
const mayHandOn = (node: ts.Expression) =>
  (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) || ts.isFunctionLike(node)) &&
  !(
    (ts.isCallExpression(node.parent) || ts.isPropertyAccessExpression(node.parent)) &&
    node.parent.expression === node
  );

/** Whether a function that may refuse is passed to a caller that does not expect it. */
function isMistaken(checker: ts.TypeChecker, node: ts.Expression): boolean {
  if (!mayHandOn(node)) return false;
  const refuses = (type: ts.Type) => mayRefuse(checker, type);
  if (!returned(checker.getTypeAtLocation(node)).some(refuses)) return false;
  const expected = checker.getContextualType(node);
  const answers = expected ? returned(checker.getNonNullableType(expected)) : [];
  return answers.length > 0 && !answers.some(refuses);
}

function droppedIn(checker: ts.TypeChecker, file: ts.SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isExpression(node)) {
      const dropped = isDropped(node) && mayRefuse(checker, checker.getTypeAtLocation(node));
      if (dropped || isMistaken(checker, node)) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart());
        found.push(`${relative(ROOT, file.fileName)}:${line + 1}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Files that can receive a refusal, because they import its definition directly or indirectly. */
function thoseThatMeet(files: readonly ts.SourceFile[]): readonly ts.SourceFile[] {
  const importsOf = ({ fileName, text }: ts.SourceFile) =>
    ts.preProcessFile(text).importedFiles.map((imported) => join(dirname(fileName), imported.fileName));
  const imports = new Map(files.map((file) => [file.fileName, importsOf(file)]));
  const meeting = new Set([join(ROOT, 'src/domain/refusal.ts')]);
  for (let before = 0; before < meeting.size; ) {
    before = meeting.size;
    for (const [name, imported] of imports) if (imported.some((one) => meeting.has(one))) meeting.add(name);
  }
  return files.filter(({ fileName }) => meeting.has(fileName));
}

test('no statement of the source drops a refusal', () => {
  // Created inside the test: files share a process, which would retain the program.
  const checked = program();
  const checker = checked.getTypeChecker();
  const sources = checked.getSourceFiles().filter(({ fileName }) => fileName.startsWith(join(ROOT, 'src/')));
  const meeting = thoseThatMeet(sources);
  expect(meeting.length).toBeGreaterThan(100);
  expect(meeting.flatMap((file) => droppedIn(checker, file))).toEqual([]);
}, 120_000);
