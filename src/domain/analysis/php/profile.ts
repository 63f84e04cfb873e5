import { wordsIn } from '../words.ts';
import { ABILITIES, type Ability, RUNS_COMMAND } from './functions.ts';
import { BRANDS, DEFACEMENT, SEARCH_BOTS, WORDS } from './markers.ts';
import { PHP } from './signals.ts';
import type { PhpSurface } from './token.ts';
import type { Walk } from './walk.ts';

const GUARDS = new Set([
  'current_user_can',
  'check_admin_referer',
  'wp_verify_nonce',
  'check_ajax_referer',
  'add_action',
  'add_filter',
  'apply_filters',
  '__',
  'esc_html',
  'esc_attr',
  'register_rest_route',
]);
const MD5_OR_SHA1 = /^(?:[0-9a-f]{32}|[0-9a-f]{40})$/i;

/** Judges a file as a whole: its abilities, its words and how readable it is. */
export function judgeFile(walk: Walk, surface: PhpSurface, source: string): void {
  judgeAbilities(walk, surface);
  judgeWords(walk, surface);
  judgeReadability(walk, surface, source);
}

const total = (walk: Walk, names: ReadonlySet<string>): number => {
  let distinct = 0;
  for (const name of names) if (walk.calls.has(name)) distinct++;
  return distinct;
};

/** How many different functions of an ability count as having it. */
const DISTINCT_MIN: Readonly<Partial<Record<Ability, number>>> = {
  folders: 3,
  changes: 2,
  cover: 2,
  databases: 2,
  limits: 1,
};

function judgeAbilities(walk: Walk, surface: PhpSurface): void {
  const has = (Object.keys(ABILITIES) as Ability[]).filter(
    (ability) => total(walk, ABILITIES[ability]) >= (DISTINCT_MIN[ability] ?? 1),
  );
  const isDriven = walk.requestReads > 0;
  const commands = total(walk, RUNS_COMMAND);
  if (walk.requestFiles.size >= 3) walk.report(PHP.fileManager, 0);
  if (isDriven && total(walk, ABILITIES.host) >= 2) walk.report(PHP.reconnaissance, 0);
  if (isDriven && has.length >= 6) walk.report(PHP.shellProfile, 0);
  else if (isDriven && has.length >= 4) walk.report(PHP.partialProfile, 0);
  if (has.includes('sockets') && has.includes('commands')) walk.report(PHP.socketShell, 0);
  if (commands >= 3 || namedCommands(surface) >= 4) walk.report(PHP.execFallbacks, 0);
  if (has.includes('cover')) walk.report(PHP.silenced, 0);
  if (isDriven && isGated(walk, surface)) walk.report(PHP.passwordGate, 0);
  if ([...GUARDS].filter((name) => walk.calls.has(name)).length >= 2) walk.report(PHP.framework, 0);
}

const namedCommands = ({ tokens }: PhpSurface): number =>
  new Set(
    tokens.filter(({ kind, text }) => kind === 'string' && RUNS_COMMAND.has(text)).map(({ text }) => text),
  ).size;

const isGated = (walk: Walk, { tokens }: PhpSurface): boolean =>
  (walk.calls.has('md5') || walk.calls.has('sha1')) &&
  tokens.some(({ kind, text }) => kind === 'string' && MD5_OR_SHA1.test(text));

function judgeWords(walk: Walk, { tokens, comments }: PhpSurface): void {
  const texts = tokens.filter(
    ({ kind }) => kind === 'string' || kind === 'template' || kind === 'html' || kind === 'command',
  );
  const text = [...texts.map((token) => token.text), ...comments].join('\n').toLowerCase();
  const words = wordsIn(text, WORDS);
  if (wordsIn(text, BRANDS) > 0) walk.report(PHP.brand, 0);
  if (words >= 5) walk.report(PHP.marker, 0);
  if (words >= 10) walk.report(PHP.markers, 0);
  if (wordsIn(text, DEFACEMENT) >= 2) walk.report(PHP.defacement, 0);
  if (wordsIn(text, SEARCH_BOTS) >= 3) walk.report(PHP.cloaking, 0);
}

const LOOK_ALIKE = /^[O0_oIl1i]{4,}$|[\u0080-\uffff]/;
const LETTERS_AND_DIGITS = /^(?=[A-Za-z_]*[0-9]+[A-Za-z_]+[0-9A-Za-z_]*$)[a-z0-9_]{5,}$/i;
const UNREADABLE_CHARS_MIN = 1_000;

function judgeReadability(walk: Walk, surface: PhpSurface, source: string): void {
  const { tokens } = surface;
  const names = new Set(tokens.filter(({ kind }) => kind === 'variable').map(({ text }) => text));
  const share = (pattern: RegExp) =>
    [...names].filter((name) => pattern.test(name)).length / Math.max(1, names.size);
  if (names.size >= 3 && share(LOOK_ALIKE) > 0.3) walk.report(PHP.oddNames, 0);
  else if (names.size >= 6 && share(LETTERS_AND_DIGITS) > 0.5) walk.report(PHP.oddNames, 0);
  if (walk.jumps >= 8) walk.report(PHP.jumps, 0);
  if (surface.escapes >= 20 && surface.escapes * 4 > source.length * 0.08) walk.report(PHP.escapedStrings, 0);
  if (surface.inlineComments >= 15 && surface.inlineComments > tokens.length * 0.08)
    walk.report(PHP.brokenUp, 0);
  if ((walk.calls.get('chr') ?? 0) >= 15) walk.report(PHP.characterCodes, 0);
  const unreadable = tokens.find(
    ({ kind, text }) =>
      kind === 'string' && text.length >= UNREADABLE_CHARS_MIN && !/\s/.test(text.slice(0, 400)),
  );
  if (unreadable) walk.report(PHP.compactCode, unreadable.at);
  const code = source.slice(0, 20_000);
  const letters = code.match(/[A-Za-z]/g)?.length ?? 0;
  if (tokens.length >= 30 && surface.hasCode && letters < code.length * 0.12) walk.report(PHP.noLetters, 0);
  judgeGlobals(walk, surface);
}

/** Functions and texts kept in `$GLOBALS` under names that nobody can read. */
function judgeGlobals(walk: Walk, { tokens }: PhpSurface): void {
  let reached = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'variable' || token.text !== 'GLOBALS') continue;
    const key = tokens[index + 2];
    if (key?.escaped || LOOK_ALIKE.test(key?.text ?? '') || LETTERS_AND_DIGITS.test(key?.text ?? ''))
      reached++;
  }
  if (reached >= 5) walk.report(PHP.globalsMaze, 0);
}
