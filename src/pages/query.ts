import { searchParamsOf } from '../http/query.ts';
import { isWholeText } from '../lib/whole-text.ts';

/** What a page's address asks for; of doubled names the last counts. */
export type Filters = Readonly<Record<string, string>>;

const CHARACTERS_MAX = 253;

/** The filters of a page's address by their names; what is blank, too long, no text or named otherwise is as if it were left out. */
export const filtersOf = ({ url }: Request, names: readonly string[]): Filters =>
  Object.fromEntries(
    [...searchParamsOf(url)]
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([name, value]) => names.includes(name) && isUsable(value)),
  );

const isUsable = (value: string): boolean =>
  value !== '' && value.length <= CHARACTERS_MAX && isWholeText(value);

/** The address of a page with filters; those that are undefined are left out. */
export function addressOf(path: string, filters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(
    Object.entries(filters).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as [string, string]],
    ),
  ).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** A filter that is one of a few words; undefined where it is none of them. */
export const oneOfFilter = <Word extends string>(
  words: readonly Word[],
  value: string | undefined,
): Word | undefined => words.find((word) => word === value);
