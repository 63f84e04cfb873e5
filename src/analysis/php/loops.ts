import { readExpression } from './expressions.ts';
import { readStatement } from './statements.ts';
import { constant, from, originsOf, type Value } from './value.ts';
import type { Walk } from './walk.ts';

const isTrue = ({ text }: Value): boolean => text !== '' && text !== '0';

/** What a condition is known to be; undefined when it is not known. */
function readCondition(walk: Walk, end: string): boolean | undefined {
  let value: Value | undefined;
  while (walk.token !== undefined && !walk.isOperator(end)) {
    const before = walk.position;
    value = readExpression(walk);
    if (!walk.accept(',') && walk.position === before) walk.position++;
  }
  if (value === undefined) return true;
  if (value.items !== undefined) return value.items.size > 0;
  return value.text === undefined ? undefined : isTrue(value);
}

/** Reads expressions with commas between them up to an operator, and steps over that. */
function readList(walk: Walk, end: string): void {
  readCondition(walk, end);
  walk.accept(end);
}

/** Reads a loop's body once more. False when the loop ends here: left, too long, or nothing is known any more. */
function goesOn(walk: Walk, body: number, behind: number): boolean {
  const { runs } = walk;
  if (!runs.spend(behind - body)) {
    runs.leaving = 'unknown';
    return false;
  }
  walk.position = body;
  readStatement(walk);
  if (runs.leaving === 'continue') runs.leaving = undefined;
  return runs.leaving === undefined;
}

/** What a loop's end means for what it stands in. What cannot be told in order is read once more, as all that may happen. */
function endLoop(walk: Walk, body: number, behind: number): void {
  const { runs } = walk;
  runs.leave();
  if (runs.leaving === 'unknown' && !runs.isRunning) {
    runs.leaving = undefined;
    walk.position = body;
    readStatement(walk);
  }
  if (runs.leaving === 'break') runs.leaving = undefined;
  if (runs.leaving === undefined) walk.position = behind;
}

/** Goes through a loop as often as it would; false when it is read like any statement instead. */
export function runLoop(walk: Walk, word: string): boolean {
  const { runs } = walk;
  if (!runs.isWanted || !walk.reporting || !walk.isOperator('(', 1) || !runs.spend(0)) return false;
  const body = runs.closing(walk.position + 1) + 1;
  const opening = walk.tokens[body];
  if (opening === undefined || opening.text === ':') return false;
  const behind = runs.behind(body);
  if (!runs.enter()) return false;
  const { position } = walk;
  walk.position += 2;
  const isRun =
    word === 'for'
      ? runFor(walk, body, behind)
      : word === 'while'
        ? runWhile(walk, body, behind)
        : runForeach(walk, body, behind);
  if (isRun) {
    endLoop(walk, body, behind);
    return true;
  }
  runs.leave();
  walk.position = position;
  return false;
}

function runFor(walk: Walk, body: number, behind: number): boolean {
  readList(walk, ';');
  const condition = walk.position;
  let goes = readCondition(walk, ';');
  walk.accept(';');
  const step = walk.position;
  if (goes === undefined) return false;
  while (goes && goesOn(walk, body, behind)) {
    walk.position = step;
    readList(walk, ')');
    walk.position = condition;
    goes = readCondition(walk, ';');
    if (goes === undefined) walk.runs.leaving = 'unknown';
  }
  return true;
}

function runWhile(walk: Walk, body: number, behind: number): boolean {
  const condition = walk.position;
  let goes = readCondition(walk, ')');
  if (goes === undefined) return false;
  while (goes && goesOn(walk, body, behind)) {
    walk.position = condition;
    goes = readCondition(walk, ')');
    if (goes === undefined) walk.runs.leaving = 'unknown';
  }
  return true;
}

function runForeach(walk: Walk, body: number, behind: number): boolean {
  const whole = readExpression(walk);
  if (whole.items === undefined || !walk.isName('as')) return false;
  walk.position++;
  const names = walk.tokens.slice(walk.position, Math.min(body - 1, walk.position + 5));
  const [first, arrow, second] = names.filter(({ text }) => text !== '&');
  if (first?.kind !== 'variable' || (arrow !== undefined && second?.kind !== 'variable')) return false;
  for (const [key, item] of [...whole.items]) {
    if (second !== undefined) walk.assign(first.text, constant(key, originsOf(whole)));
    walk.assign((second ?? first).text, item.items ? item : { ...from(originsOf(whole)), ...item });
    if (!goesOn(walk, body, behind)) break;
  }
  return true;
}

/** Reads what one of the branches of a condition does that is known; false when all may happen. */
export function runCondition(walk: Walk): boolean {
  const { runs } = walk;
  if (!runs.isRunning || !walk.isOperator('(', 1)) return false;
  const then = runs.closing(walk.position + 1) + 1;
  walk.position += 2;
  const holds = readCondition(walk, ')');
  if (holds === undefined || walk.tokens[then]?.text === ':') {
    runs.leaving = 'unknown';
    return true;
  }
  if (holds) {
    walk.position = then;
    readStatement(walk);
    if (runs.leaving !== undefined) return true;
    skipOthers(walk);
    return true;
  }
  walk.position = runs.behind(then);
  if (walk.isName('elseif')) return runCondition(walk);
  if (!walk.isName('else')) return true;
  walk.position++;
  readStatement(walk);
  return true;
}

/** Steps over the branches that follow the one that was taken. */
function skipOthers(walk: Walk): void {
  const { runs } = walk;
  while (walk.isName('else') || walk.isName('elseif')) {
    if (walk.isName('elseif') || walk.tokens[walk.position + 1]?.text === 'if') {
      const opening = walk.position + (walk.isName('elseif') ? 1 : 2);
      walk.position = runs.behind(runs.closing(opening) + 1);
    } else walk.position = runs.behind(walk.position + 1);
  }
}
