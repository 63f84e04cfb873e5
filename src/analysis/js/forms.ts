import type { Report } from './calls.ts';
import type { JsToken } from './lexer.ts';
import { isForeign } from './loaders.ts';
import { JS } from './signals.ts';
import type { Words } from './words.ts';

/** Tokens within which fields are read and sent. */
const NEAR_TOKENS = 260;
const SELECTS = new Set(['querySelectorAll', 'getElementsByTagName', 'find', '$', 'jQuery', 'each']);
const ALL_FIELDS = /(?:^|[\s,*])(?:input|select|textarea)\b(?!\[type=["']?(?:checkbox|radio|submit))/i;
const READS_FORM = new Set(['serialize', 'serializeArray', 'FormData']);
/** By one of these a form is read or sent elsewhere. */
const READS = ['value', 'val', 'action', ...READS_FORM];
const CARD =
  /cc[-_]?(?:num|owner|cid|exp|number|cvv|cvc)|card[-_]?(?:num|no\b|holder|code|cvc|exp|cvv)|\bcvv2?\b|\bcvc2?\b|credit-?card|payment\[/i;
const PLACE =
  /check-?out|one-?(?:page|step)|firecheckout|place[-_ ]?order|\bpayment|billing[-_:]|\bcart\b|btn-checkout/i;
const SENDS = new Set([
  'fetch',
  'sendBeacon',
  'Image',
  'XMLHttpRequest',
  'WebSocket',
  'ajax',
  'post',
  'send',
  'getScript',
]);
const ENCODES = new Set(['btoa', 'stringify', 'encodeURIComponent', 'escape', 'encrypt', 'enc', 'encode']);

/** What an address may come out of. */
const DECODES = new Set(['atob', 'fromCharCode']);
const NEVER = Number.NEGATIVE_INFINITY;
const TEXT_CHARS_MAX = 600;

/** Whether a text selects all fields of a page. */
const selectsFields = (tokens: readonly JsToken[], at: number): boolean =>
  SELECTS.has(tokens[at - 2]?.text ?? '') && ALL_FIELDS.test(tokens[at]?.text ?? '');

/** Whether a text names a checkout, a card, or all fields of a page. */
function isOfForm(tokens: readonly JsToken[], at: number): boolean {
  const { kind, text } = tokens[at] as JsToken;
  if (kind === 'name' || text.length >= TEXT_CHARS_MAX) return false;
  return CARD.test(text) || PLACE.test(text) || selectsFields(tokens, at);
}

/** Judges whether what visitors enter at a checkout is read and sent to another host. */
export function judgeForms(tokens: readonly JsToken[], { names, telling }: Words, report: Report): void {
  if (!READS.some((name) => names.has(name))) return;
  const all = [...names.keys()];
  const cardNames = new Set(CARD.test(all.join(' ')) ? all.filter((name) => CARD.test(name)) : []);
  // Without a checkout, a card or all fields of a page nothing is taken, whatever is sent.
  if (cardNames.size === 0 && !telling.some((at) => isOfForm(tokens, at))) return;
  let fieldsAt = NEVER;
  let valueAt = NEVER;
  let placeAt = NEVER;
  let cardAt = NEVER;
  let sendsAt = NEVER;
  let foreignAt = NEVER;
  let encodesAt = NEVER;
  let storesAt = NEVER;
  let hiddenAt = NEVER;
  let pictureAt = NEVER;
  let inputsAt = NEVER;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as JsToken;
    const { kind, text } = token;
    if (kind === 'sign') continue;
    if (text.length < TEXT_CHARS_MAX && kind !== 'name') {
      if (isForeign(tokens, at)) foreignAt = at;
      if (CARD.test(text)) cardAt = at;
      if (PLACE.test(text)) placeAt = at;
      if (selectsFields(tokens, at)) {
        fieldsAt = at;
        inputsAt = at;
      }
      if (/^(?:img|image|script)$/i.test(text) && tokens[at - 2]?.text === 'createElement') {
        sendsAt = at;
        pictureAt = at;
      }
    } else if (kind === 'name') {
      const next = tokens[at + 1]?.text;
      if (READS_FORM.has(text) && (text !== 'FormData' || tokens[at + 2]?.text !== ')')) {
        fieldsAt = at;
        valueAt = at;
      }
      if (text === 'value' || text === 'val') valueAt = at;
      else if (SENDS.has(text)) {
        sendsAt = at;
        if (text === 'Image') pictureAt = at;
      } else if (ENCODES.has(text)) encodesAt = at;
      else if (text === 'setItem') storesAt = at;
      else if (cardNames.has(text)) cardAt = at;
      if (DECODES.has(text) && next === '(') hiddenAt = at;
      if (text === 'action' && next === '=' && tokens[at + 2] && isForeign(tokens, at + 2))
        if (at - Math.max(cardAt, placeAt) < NEAR_TOKENS) report(JS.formElsewhere, token.at);
    } else continue;
    const from = at - NEAR_TOKENS;
    const readsAll = fieldsAt > from && valueAt > from;
    const readsCard = cardAt > from && valueAt > from;
    const isSent = sendsAt > from && Math.max(foreignAt, hiddenAt) > from;
    if ((readsAll || readsCard) && isSent && Math.max(placeAt, cardAt) > from)
      report(JS.formGrabber, token.at);
    else if (
      readsAll &&
      inputsAt > from &&
      isSent &&
      (storesAt > from || (encodesAt > from && pictureAt > from))
    )
      report(JS.fieldsSent, token.at);
    if ((readsAll || readsCard) && storesAt > from && encodesAt > from && Math.max(placeAt, cardAt) > from)
      report(JS.formHoarded, token.at);
  }
}
