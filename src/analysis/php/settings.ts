import { argumentEnds } from './arguments.ts';
import { PHP } from './signals.ts';
import type { PhpToken } from './token.ts';
import type { Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Configuration files of WordPress, Joomla, Magento and frameworks with database passwords. */
const SETTINGS = /(?:^|\/)(?:wp-config\.php|configuration\.php|app\/etc\/(?:local\.xml|env\.php)|\.env)$/;
const READS = new Set(['file_get_contents', 'file', 'fopen', 'glob']);
const SHOWS = new Set(['readfile', 'highlight_file', 'show_source', 'symlink']);
/** Functions that {@link judgeSettings} judges. */
export const OF_SETTINGS = [...READS, ...SHOWS];

/** Judges reading or showing a configuration file. */
export function judgeSettings(walk: Walk, name: string, [path]: readonly Value[], at: number): void {
  const reads = READS.has(name);
  if (!reads && !SHOWS.has(name)) return;
  // The folder before the name may be unknown.
  const last = walk.peek(-2);
  const text = path?.text ?? (reads && last?.kind === 'string' ? last.text : '');
  if (!SETTINGS.test(text.slice(-80)) && !(name === 'symlink' && argumentEnds(walk, 0, SETTINGS))) return;
  if (reads) walk.noteHere('readsSettings');
  else if (walk.guards.size === 0) walk.report(PHP.settingsShown, at);
}

/** Reports output of the column with WordPress's password hashes. */
export function judgeHash(walk: Walk, start: number, at: number): void {
  const isHash = ({ kind, text }: PhpToken) =>
    text === 'user_pass' || (kind === 'template' && text.includes('->user_pass'));
  if (walk.tokens.slice(start, walk.position).some(isHash)) walk.report(PHP.hashesShown, at);
}
