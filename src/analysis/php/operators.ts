import { mapUnits } from '../decode.ts';
import { HIDDEN_ENDING, OF_WHOLE, ORIGIN } from '../origin.ts';
import { beginsDangerously, endsDangerously } from './functions.ts';
import { constant, from, originsOf, UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

const isNumeric = (text: string): boolean => text.length < 20 && /^-?[0-9]+(?:\.[0-9]+)?$/.test(text);

/** Converts a value to a string like PHP: arrays become the word `Array`, from which shells without letters take characters. */
const printed = (value: Value): Value =>
  value.items && value.text === undefined ? constant('Array', originsOf(value)) : value;

/** Evaluates a binary operator. */
export function foldBinary(walk: Walk, operator: string, left: Value, right: Value): Value {
  switch (operator) {
    case '.':
      return join(printed(left), printed(right));
    case '^':
    case '|':
    case '&':
      return bitwise(walk, operator, left, right);
    case '+':
      if (left.items || right.items) return from(originsOf(left) | originsOf(right));
      return arithmetic(operator, left, right);
    case '-':
    case '*':
    case '/':
    case '%':
    case '<<':
    case '>>':
      return arithmetic(operator, left, right);
    case '??':
      return {
        // Unset values are empty here.
        ...(!left.text && left.items === undefined ? right : left),
        origins: left.origins | right.origins,
      };
    default:
      return UNKNOWN;
  }
}

/** Whether a value is a constant of the program, without request data and not empty. */
const isOwn = (value: Value, caller: number): boolean => value.text !== '' && !(originsOf(value) & caller);

/** Properties of a concatenation that hold if all parts from the request have them. */
const BITS_OF_PARTS = [ORIGIN.escaped, ORIGIN.flat, ORIGIN.address] as const;

function commonBits(left: Value, right: Value): number {
  const holds = ({ origins }: Value, bit: number) => !(origins & ORIGIN.request) || (origins & bit) !== 0;
  let kept = 0;
  for (const bit of BITS_OF_PARTS)
    if (holds(left, bit) && holds(right, bit)) kept |= (left.origins | right.origins) & bit;
  return kept;
}

const WORD = /\p{L}{3}/u;
/** Characters searched for a word. */
const LINE_CHARS_MAX = 200;

/** Whether remote content becomes part of a line of text, with the program's own words and without tags. */
function isInLine(left: Value, right: Value): boolean {
  const [remote, { text }] = left.origins & ORIGIN.remote ? [left, right] : [right, left];
  if (text?.includes('<')) return false;
  if (remote.origins & ORIGIN.partial || text === '') return true;
  return WORD.test(text?.slice(0, LINE_CHARS_MAX) ?? '');
}

const FETCHED = ORIGIN.remote | ORIGIN.markup;

function join(left: Value, right: Value): Value {
  const whole = originsOf(left) | originsOf(right);
  const origins =
    (whole & ~OF_WHOLE) |
    (originsOf(left) & ORIGIN.prefixed) |
    commonBits(left, right) |
    ((whole & FETCHED) === ORIGIN.remote && !isInLine(left, right) ? ORIGIN.markup : 0);
  if (left.text === undefined || right.text === undefined) {
    const caller =
      [ORIGIN.request, ORIGIN.parameter].find((bit) => origins & bit) ?? ORIGIN.file | ORIGIN.remote;
    const isPartial = origins & caller && (isOwn(left, caller) || isOwn(right, caller));
    const ends = caller === ORIGIN.request ? endsOf(left, right) : 0;
    const outer = beginningOf(left) | endingOf(right);
    return from((origins & ~ORIGIN.assembled) | outer | (isPartial ? ORIGIN.partial | ends : 0));
  }
  const isWhole = left.text === '' || right.text === '';
  return constant(left.text + right.text, isWhole ? origins : origins | ORIGIN.assembled);
}

const PLACES_MAX = 20;
/** A place for a text in a format of `sprintf`. */
const PLACE = /%[-+0 ]?\d{0,4}[sdu]/g;

/** Evaluates `sprintf` with a constant format and sequential placeholders; undefined for other formats. */
export function joinFormat([format, ...values]: readonly Value[]): Value | undefined {
  if (format?.text === undefined || values.length > PLACES_MAX) return undefined;
  const [first = '', ...others] = format.text.split(PLACE);
  if (others.length !== values.length || format.text.replace(PLACE, '').includes('%')) return undefined;
  return values.reduce(
    (joined, value, at) => join(join(joined, value), constant(others[at] ?? '')),
    constant(first),
  );
}

/** Extensions of files that servers do not run. */
export const HARMLESS_ENDING = /\.(?:zip|gz|tar|json|csv|xml|css|jpe?g|png|gif|webp|pdf|log|txt|sql)$/i;

/** Extensions of log files. */
export const LOG_ENDING = /\.(?:log|txt|csv|json)$/i;

/** Extensions of pictures and archives, which are not included legitimately. */
const IMAGE_ENDING = /\.(?:ico|jpe?g|png|gif|bmp|webp|pdf|zip)$/i;
const HIDDEN_NAME = /\/\.(?!ht|env|config|php|inc|svg|html?|tpl|css|js)[a-z0-9_-]{1,60}$/i;

const endingOf = ({ text, origins }: Value): number => {
  if (text === undefined) return origins & (ORIGIN.logEnding | ORIGIN.imageEnding);
  if (LOG_ENDING.test(text)) return ORIGIN.logEnding;
  return IMAGE_ENDING.test(text) ? ORIGIN.imageEnding : HIDDEN_NAME.test(text) ? HIDDEN_ENDING : 0;
};

/** URLs that contain or determine the content themselves. */
const CONTENT_URL = /^(?:data:|php:\/\/(?:input|filter)|expect:)/i;

const beginningOf = (value: Value): number => {
  const isCallers =
    (value.origins & ORIGIN.request && !(value.origins & ORIGIN.partial)) ||
    CONTENT_URL.test(value.text ?? '');
  return (isUrl(value) ? ORIGIN.url : 0) | (isCallers ? ORIGIN.leading : value.origins & ORIGIN.leading);
};

/** Whether a value is, or begins with, an address on the network. */
export const isUrl = ({ text, origins }: Value): boolean =>
  text === undefined ? (origins & ORIGIN.url) !== 0 : /^(?:https?|ftp):\/\//i.test(text);

/** The bits of a concatenation by its constant prefix and suffix. */
function endsOf({ text: start }: Value, { text: end, origins }: Value): number {
  const isPrefixed =
    (start !== undefined && start.length >= 3 && !beginsDangerously(start.toLowerCase())) ||
    (end !== undefined && end.length >= 3 && !endsDangerously(end.toLowerCase()));
  const isHarmless = end === undefined ? origins & ORIGIN.harmlessEnding : HARMLESS_ENDING.test(end);
  return (isPrefixed ? ORIGIN.prefixed : 0) | (isHarmless ? ORIGIN.harmlessEnding : 0);
}

function bitwise(walk: Walk, operator: string, left: Value, right: Value): Value {
  const origins = left.origins | right.origins;
  if (left.text === undefined || right.text === undefined)
    return from(operator === '^' ? origins | ORIGIN.decoded : origins);
  if (isNumeric(left.text) && isNumeric(right.text)) return arithmetic(operator, left, right);
  const length = Math.min(left.text.length, right.text.length);
  const combine = ARITHMETIC[operator];
  if (combine === undefined || !walk.spend(length)) return from(origins);
  const { text: other } = right;
  const text = mapUnits(left.text.slice(0, length), (unit, at) => combine(unit, other.charCodeAt(at)));
  return constant(text, origins | ORIGIN.disguised);
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '^': (a, b) => a ^ b,
  '|': (a, b) => a | b,
  '&': (a, b) => a & b,
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
};

function arithmetic(operator: string, left: Value, right: Value): Value {
  const origins = left.origins | right.origins;
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a === undefined || b === undefined) return from(origins & ~(ORIGIN.assembled | ORIGIN.disguised));
  const result = ARITHMETIC[operator]?.(a, b) ?? Number.NaN;
  return Number.isFinite(result) ? constant(String(result), origins) : from(origins);
}

const numberOf = ({ text }: Value): number | undefined => {
  if (text === undefined) return undefined;
  if (text === '') return 0;
  return isNumeric(text) ? Number(text) : undefined;
};

/** Evaluates a unary operator. */
export function foldUnary(walk: Walk, operator: string, value: Value): Value {
  const { text, origins } = value;
  switch (operator) {
    case '!':
      return text === undefined ? UNKNOWN : constant(text === '' || text === '0' ? '1' : '');
    case '-': {
      const negated = numberOf(value);
      return negated === undefined ? from(origins) : constant(String(-negated), origins);
    }
    case '~': {
      if (text === undefined) return from(origins | ORIGIN.decoded);
      if (isNumeric(text)) return constant(String(~Number(text)), origins);
      if (!walk.spend(text.length)) return from(origins | ORIGIN.decoded);
      return constant(
        mapUnits(text, (unit) => ~unit & 255),
        origins | ORIGIN.disguised,
      );
    }
    case '++':
    case '--': {
      if (text === undefined) return from(origins);
      const number = numberOf(value);
      if (number !== undefined) return constant(String(operator === '++' ? number + 1 : number - 1), origins);
      if (operator === '--') return value;
      return walk.spend(text.length) ? constant(nextText(text), origins | ORIGIN.disguised) : from(origins);
    }
    default:
      return value;
  }
}

/** Increments a string like PHP: `a` becomes `b`, `z` becomes `aa`. For shells without letters, only the last letter matters. */
function nextText(text: string): string {
  let kept = text.length;
  while (/[zZ9]/.test(text[kept - 1] ?? '')) kept--;
  const wrapped = text.slice(kept).replaceAll('z', 'a').replaceAll('Z', 'A').replaceAll('9', '0');
  const last = text[kept - 1];
  if (last === undefined) return (wrapped[0] === '0' ? '1' : (wrapped[0] ?? '')) + wrapped;
  const next = /[a-yA-Y0-8]/.test(last) ? String.fromCharCode(last.charCodeAt(0) + 1) : last;
  return text.slice(0, kept - 1) + next + wrapped;
}
