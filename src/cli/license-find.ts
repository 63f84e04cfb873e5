import type { Command } from 'commander';
import type { Catalog } from '../domain/license/catalog.ts';
import { NOTE_CHARACTERS_MAX } from '../domain/license/customer.ts';
import { isWellFormedKey } from '../domain/license/license-key.ts';
import { trimInvisible } from '../lib/trim-invisible.ts';
import { findLicenses } from '../operator/find-licenses.ts';
import { shownLicense } from '../operator/shown-license.ts';
import { limitOption } from '../terminal/options.ts';
import { CommandRefused, print, printJson, table, tell, WrongUsage } from '../terminal/output.ts';
import type { Store } from '../terminal/store.ts';
import { lineOfStdin, STDIN, warnOfKeyArgument } from './key-input.ts';
import { LIST_COLUMNS, type ListParts, listRow } from './license-list.ts';

interface FindOptions {
  readonly limit: number;
  readonly json?: true;
}

const LINE_BYTES_MAX = 4 * NOTE_CHARACTERS_MAX;
const OUR_KEY = /^rdt_/;

/** `license find`: the licenses that a text has something to do with. */
export function addFindCommand(license: Command, { catalog, withStore }: ListParts): void {
  license
    .command('find')
    .description('find licenses, best match first')
    .argument(
      '<text...>',
      'an id, a whole key or its last four characters, a domain, registered or blocked, an external id, or a part of an e-mail address, a customer or a note; - reads it from standard input, which keeps a key out of the shell history',
    )
    .addOption(limitOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  redoubt license find shop.example.com\n  redoubt license find - < key.txt',
    )
    .action(async (words: readonly string[], options: FindOptions) => {
      const given = words.join(' ');
      const text = given === STDIN ? await lineOfStdin(LINE_BYTES_MAX) : trimInvisible(given);
      if (text === '' || [...text].length > NOTE_CHARACTERS_MAX)
        throw new WrongUsage(`the search text must have 1 to ${NOTE_CHARACTERS_MAX} characters`);
      return withStore((store) => find(store, text, given !== STDIN, options, catalog()));
    });
}

/** Nothing here repeats the text, which may be a key. */
async function find(
  { db }: Store,
  text: string,
  isArgument: boolean,
  { limit, json }: FindOptions,
  catalog: Catalog,
): Promise<void> {
  const now = Date.now();
  const { found, hasMore } = await findLicenses(db, text, limit, now);
  const isKey = OUR_KEY.test(text) || found.some(({ matched }) => /^(?:previous_)?key$/.test(matched));
  if (isKey && isArgument) warnOfKeyArgument('license find');
  const shown = found.map(({ license, matched }) => ({ matched, ...shownLicense(license, catalog, now) }));
  if (json) printJson(shown);
  if (shown.length === 0) {
    const why =
      OUR_KEY.test(text) && !isWellFormedKey(text) ? '. This is not a complete key, or it is mistyped' : '';
    throw new CommandRefused(`no license found${why}`);
  }
  if (!json)
    print(
      table(
        ['matched', ...LIST_COLUMNS],
        shown.map((each) => [each.matched.replaceAll('_', ' '), ...listRow(each)]),
      ),
    );
  if (hasMore) tell('more licenses match. Narrow the search, or raise --limit');
}
