import { argumentEnds } from './arguments.ts';
import { PHP } from './signals.ts';
import type { PhpToken } from './token.ts';
import type { Value } from './value.ts';
import type { Walk } from './walk.ts';

/** The file of WordPress, Joomla, Magento or a framework that holds the password of its database. */
const SETTINGS = /(?:^|\/)(?:wp-config\.php|configuration\.php|app\/etc\/(?:local\.xml|env\.php)|\.env)$/;
const READS = new Set(['file_get_contents', 'file', 'fopen', 'glob']);
const SHOWS = new Set(['readfile', 'highlight_file', 'show_source', 'symlink']);
/** Functions that {@link judgeSettings} looks at. */
export const OF_SETTINGS = [...READS, ...SHOWS];

/** A file is read or shown: notes or says whether that is where a site keeps its passwords. */
export function judgeSettings(walk: Walk, name: string, [path]: readonly Value[], at: number): void {
  const reads = READS.has(name);
  if (!reads && !SHOWS.has(name)) return;
  // What stands before the name may be known to the running program alone.
  const last = walk.peek(-2);
  const text = path?.text ?? (reads && last?.kind === 'string' ? last.text : '');
  if (!SETTINGS.test(text.slice(-80)) && !(name === 'symlink' && argumentEnds(walk, 0, SETTINGS))) return;
  if (reads) walk.noteHere('readsSettings');
  else if (walk.guards.size === 0) walk.report(PHP.settingsShown, at);
}

/** What was just read is put into the page: says so when it is the column in which WordPress keeps hashes of passwords. */
export function judgeHash(walk: Walk, start: number, at: number): void {
  const isHash = ({ kind, text }: PhpToken) =>
    text === 'user_pass' || (kind === 'template' && text.includes('->user_pass'));
  if (walk.tokens.slice(start, walk.position).some(isHash)) walk.report(PHP.hashesShown, at);
}
