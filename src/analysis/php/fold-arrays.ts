import { ORIGIN } from '../origin.ts';
import { replaceAll } from './fold-texts.ts';
import { constant, ITEMS_MAX, UNKNOWN, type Value } from './value.ts';

/** Functions of arrays, and of those that make them, whose value may be worked out. */
export const OF_ARRAYS: ReadonlySet<string> = new Set(
  (
    'explode str_split implode join array_reverse array_values count sizeof array_pop end array_shift current reset ' +
    'str_replace strtr vsprintf array_search range'
  ).split(' '),
);

const SEARCHED_MAX = 64;
const RANGE_MAX = 256;

export const asItems = (values: readonly string[], origins: number): Value => ({
  origins,
  items: new Map(values.slice(0, ITEMS_MAX).map((text, index) => [String(index), { text, origins }])),
});

/** Counts from one number or character to another. */
export function range(
  [from = '', to = '', step = '1']: readonly string[],
  origins: number,
): Value | undefined {
  const isNumbers = /^-?\d+$/.test(from) && /^-?\d+$/.test(to);
  const first = isNumbers ? Number(from) : from.charCodeAt(0);
  const last = isNumbers ? Number(to) : to.charCodeAt(0);
  const by = Math.abs(Math.trunc(Number(step))) || 1;
  if (!(Math.abs(last - first) <= RANGE_MAX)) return undefined;
  const values: string[] = [];
  for (let at = first; first <= last ? at <= last : at >= last; at += first <= last ? by : -by)
    values.push(isNumbers ? String(at) : String.fromCharCode(at));
  return asItems(values, origins);
}

/** What `sprintf` makes of texts; undefined for a format that nobody hides a name in. */
export function format([pattern = '', ...values]: readonly string[]): string | undefined {
  let next = 0;
  let isKnown = true;
  const text = pattern.replace(
    /%(?:(\d{1,2})\$)?([a-zA-Z%])/g,
    (_, position: string | undefined, kind: string) => {
      if (kind === '%') return '%';
      const value = values[position === undefined ? next++ : Number(position) - 1];
      if (value === undefined) isKnown = false;
      if (kind === 's') return value ?? '';
      if (kind === 'c') return String.fromCharCode(Number(value) & 255);
      if (kind === 'd' || kind === 'u') return String(Math.trunc(Number(value)));
      isKnown = false;
      return '';
    },
  );
  return isKnown ? text : undefined;
}

/** Whether texts are characters in their own order, which hide nothing until some are picked. */
const isAlphabet = (texts: readonly string[]): boolean =>
  texts.every((text, at) => text.length === 1 && text.charCodeAt(0) === (texts[0]?.charCodeAt(0) ?? 0) + at);

/** What a function of constant arrays gives; undefined when it is not worth knowing. */
export function foldArray(
  name: string,
  items: ReadonlyMap<string, Value>,
  args: readonly Value[],
  origins: number,
): Value | undefined {
  const texts: string[] = [];
  let all = origins;
  for (const item of items.values()) {
    if (item.text === undefined) return undefined;
    texts.push(item.text);
    all |= item.origins;
  }
  switch (name) {
    case 'implode':
    case 'join': {
      const glue = args.find(({ items: none }) => none === undefined)?.text ?? '';
      return constant(texts.join(glue), isAlphabet(texts) ? all : all | ORIGIN.disguised);
    }
    case 'array_reverse':
      return asItems(texts.reverse(), all);
    case 'array_values':
      return asItems(texts, all);
    case 'count':
    case 'sizeof':
      return constant(String(texts.length));
    case 'array_pop':
    case 'end':
      return constant(texts.at(-1) ?? '', all);
    case 'array_shift':
    case 'current':
    case 'reset':
      return constant(texts[0] ?? '', all);
    case 'array_search': {
      const key = [...items].find(([, { text }]) => text === args[0]?.text)?.[0];
      return constant(key ?? '', all);
    }
    case 'vsprintf': {
      const text = args[0]?.text === undefined ? undefined : format([args[0].text, ...texts]);
      return text === undefined ? undefined : constant(text, all | ORIGIN.disguised);
    }
    case 'strtr': {
      const text = args[0]?.text === undefined ? undefined : translated(args[0].text, items);
      return text === undefined ? undefined : constant(text, all | ORIGIN.disguised);
    }
    case 'str_replace': {
      const [, replacement = UNKNOWN, subject = UNKNOWN] = args;
      if (replacement.text === undefined || subject.text === undefined || texts.length > SEARCHED_MAX)
        return undefined;
      let text: string | undefined = subject.text;
      for (const search of texts) text = text && replaceAll([search, replacement.text, text]);
      return text === undefined ? undefined : constant(text, all | ORIGIN.disguised);
    }
    default:
      return undefined;
  }
}

/** Replaces single characters by what a table gives for them; longer keys hide nothing that is read here. */
function translated(text: string, table: ReadonlyMap<string, Value>): string | undefined {
  for (const key of table.keys()) if (key.length !== 1) return undefined;
  return Array.from(text, (char) => table.get(char)?.text ?? char).join('');
}
