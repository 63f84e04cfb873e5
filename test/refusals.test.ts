import { expect, test } from 'bun:test';
import { join, relative } from 'node:path';
import ts from 'typescript-5';

// Needs the compiler of TypeScript for half a minute.

const ROOT = join(import.meta.dir, '..');

/** The program that `tsc` checks, of which only src matters. */
function program(): ts.Program {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent({ ...config, include: ['src'] }, ts.sys, ROOT);
  return ts.createProgram(fileNames, options);
}

/** Whether a value of a type, or what a promise of it gives, may be a refusal. */
function mayRefuse(checker: ts.TypeChecker, type: ts.Type): boolean {
  const awaited = checker.getAwaitedType(type) ?? type;
  const parts = awaited.isUnion() ? awaited.types : [awaited];
  return parts.some((part) => part.symbol?.name === 'Refusal');
}

const returned = (type: ts.Type) => type.getCallSignatures().map((signature) => signature.getReturnType());

/** Whether an expression's value is left unused. */
const isDropped = ({ parent }: ts.Expression) =>
  ts.isExpressionStatement(parent) || ts.isVoidExpression(parent);

/** Whether a function that may refuse is given to somebody who does not expect it. */
function isMistaken(checker: ts.TypeChecker, node: ts.Expression): boolean {
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

test('no statement of the source drops a refusal', () => {
  // Within the test: files share a process, which would keep the program.
  const checked = program();
  const checker = checked.getTypeChecker();
  const sources = checked.getSourceFiles().filter(({ fileName }) => fileName.startsWith(join(ROOT, 'src/')));
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.flatMap((file) => droppedIn(checker, file))).toEqual([]);
}, 120_000);
