import { ORIGIN } from '../origin.ts';
import { PHP } from './signals.ts';
import { originsOfAll, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Field names of card data that must not be stored. */
const CARD_FIELD = /^(?:cc_?number|cc_?cid|cc_?num|card_?number|cvv2?|cvc2?)$/i;
/** Methods that read card data (Magento's payment information). */
const CARD_METHODS = new Set(['getccnumber', 'getcccid', 'getccnumberenc', 'get_cc_number', 'getcardnumber']);

/** Whether an array key is a card field; its value is input of the customer. */
export function readsCard(walk: Walk, key: string | undefined): boolean {
  if (key === undefined || !CARD_FIELD.test(key)) return false;
  walk.noteHere('readsCard');
  return true;
}

/** Like {@link readsCard}, for methods and their field names. */
export const readsCardByMethod = (walk: Walk, method: string, [key]: readonly Value[]): boolean => {
  if (!CARD_METHODS.has(method)) return method === 'getdata' && readsCard(walk, key?.text);
  walk.noteHere('readsCard');
  return true;
};

const STATEMENT_BEGINS = new Set([';', '{', '}', '@', ')', ':']);

/** Whether a call is a statement by itself, which ignores the response. Its name is the last before its arguments. */
function ignoresResponse(walk: Walk): boolean {
  const first = walk.tokens[walk.statementAt];
  const callee = first?.text === '@' ? walk.tokens[walk.statementAt + 1] : first;
  const before = walk.tokens[walk.statementAt - 1];
  return callee?.kind === 'name' && SENDS.has(callee.text) && STATEMENT_BEGINS.has(before?.text ?? ';');
}

const SENDS = new Set(['curl_exec', 'file_get_contents', 'wp_remote_get', 'wp_remote_post', 'fopen', 'file']);

/** Judges card data sent to another host. Payment code reads the response, a skimmer ignores it. */
export function judgeCardSent(walk: Walk, name: string, args: readonly Value[], at: number): void {
  const origins = originsOfAll(args);
  // Honest code sends selected fields and does not encode the whole form.
  const isAll = walk.facts.has('readsWhole') && (origins & ORIGIN.encoded) !== 0 && walk.guards.size === 0;
  if (walk.isHere('readsCard') || isAll || walk.facts.has('handsCardOn')) judgeSent(walk, name, origins, at);
}

function judgeSent(walk: Walk, name: string, origins: number, at: number): void {
  const hasCard = (origins & ORIGIN.request) !== 0;
  if (!SENDS.has(name)) {
    if (hasCard) walk.note('handsCardOn', at);
  } else if (ignoresResponse(walk) && (hasCard || (name === 'curl_exec' && walk.facts.has('handsCardOn'))))
    walk.report(PHP.cardSent, at);
}
