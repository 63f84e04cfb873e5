import { searchParamsOf } from '../http/query.ts';
import { isWholeText } from '../lib/whole-text.ts';

/** The query parameters of a page. If a name is repeated, the last value counts. */
export type Filters = Readonly<Record<string, string>>;

const CHARACTERS_MAX = 253;

/** Returns the query parameters with the given names. Ignores values that are blank, too long, or not well-formed Unicode. */
export const filtersOf = ({ url }: Request, names: readonly string[]): Filters =>
  Object.fromEntries(
    [...searchParamsOf(url)]
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([name, value]) => names.includes(name) && isUsable(value)),
  );

const isUsable = (value: string): boolean =>
  value !== '' && value.length <= CHARACTERS_MAX && isWholeText(value);

/** Returns the URL of a page with filters. Undefined ones are omitted. */
export function addressOf(path: string, filters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(
    Object.entries(filters).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as [string, string]],
    ),
  ).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Returns the value if it is one of `words`, otherwise undefined. */
export const oneOfFilter = <Word extends string>(
  words: readonly Word[],
  value: string | undefined,
): Word | undefined => words.find((word) => word === value);
