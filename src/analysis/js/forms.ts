import { setOf } from '../words.ts';
import type { Report } from './calls.ts';
import { isForeign } from './hosts.ts';
import type { JsToken } from './lexer.ts';
import { JS } from './signals.ts';
import type { Words } from './words.ts';

/** Maximum distance in tokens between reading and sending form fields. */
const NEAR_TOKENS = 260;
const SELECTS = new Set(['querySelectorAll', 'getElementsByTagName', 'find', '$', 'jQuery', 'each']);
const ALL_FIELDS = /(?:^|[\s,*])(?:input|select|textarea)\b(?!\[type=["']?(?:checkbox|radio|submit))/i;
const READS_FORM = new Set(['serialize', 'serializeArray', 'FormData']);
/** Names that read form values. */
const READS = ['value', 'val', ...READS_FORM];
const CARD =
  /cc[-_]?(?:num|owner|cid|exp|number|cvv|cvc)|card[-_]?(?:num|no\b|holder|code|cvc|exp|cvv)|\bcvv2?\b|\bcvc2?\b|credit-?card|payment\[/i;
const PLACE =
  /check-?out|one-?(?:page|step)|firecheckout|place[-_ ]?order|\bpayment|billing[-_:]|\bcart\b|btn-checkout/i;
const SENDS = setOf('fetch sendBeacon Image XMLHttpRequest WebSocket ajax post send getScript');

/** Functions that decode a URL. */
const DECODES = new Set(['atob', 'fromCharCode']);
const TEXT_CHARS_MAX = 600;

/** Whether a text is a selector for all fields of a page. */
const selectsFields = (tokens: readonly JsToken[], at: number): boolean =>
  SELECTS.has(tokens[at - 2]?.text ?? '') && ALL_FIELDS.test(tokens[at]?.text ?? '');

/** Whether a text refers to a checkout, a card, or all fields of a page. */
function isOfForm(tokens: readonly JsToken[], at: number): boolean {
  const { kind, text } = tokens[at] as JsToken;
  if (kind === 'name' || text.length >= TEXT_CHARS_MAX) return false;
  return CARD.test(text) || PLACE.test(text) || selectsFields(tokens, at);
}

/** Reports scripts that read input at a checkout and send it to another host. */
export function judgeForms(tokens: readonly JsToken[], { names, telling }: Words, report: Report): void {
  if (!READS.some((name) => names.has(name))) return;
  const all = [...names.keys()];
  const cardNames = new Set(CARD.test(all.join(' ')) ? all.filter((name) => CARD.test(name)) : []);
  // Nothing to steal without a checkout, a card or all fields of a page.
  if (cardNames.size === 0 && !telling.some((at) => isOfForm(tokens, at))) return;
  let [fieldsAt, valueAt, placeAt, cardAt, sendsAt, hostAt] = Array(6).fill(Number.NEGATIVE_INFINITY);
  for (let at = 0; at < tokens.length; at++) {
    const { kind, text, at: place } = tokens[at] as JsToken;
    if (kind === 'sign') continue;
    if (kind !== 'name') {
      if (text.length >= TEXT_CHARS_MAX) continue;
      if (isForeign(tokens, at)) hostAt = at;
      if (CARD.test(text)) cardAt = at;
      if (PLACE.test(text)) placeAt = at;
      if (selectsFields(tokens, at)) fieldsAt = at;
      if (/^(?:img|image|script)$/i.test(text) && tokens[at - 2]?.text === 'createElement') sendsAt = at;
    } else {
      const isForm = READS_FORM.has(text) && (text !== 'FormData' || tokens[at + 2]?.text !== ')');
      if (isForm) fieldsAt = at;
      if (isForm || text === 'value' || text === 'val') valueAt = at;
      else if (SENDS.has(text)) sendsAt = at;
      else if (cardNames.has(text)) cardAt = at;
      if (DECODES.has(text) && tokens[at + 1]?.text === '(') hostAt = at;
    }
    const ofCheckout = Math.max(placeAt, cardAt);
    const read = Math.min(valueAt, Math.max(fieldsAt, cardAt));
    if (at - Math.min(ofCheckout, read, sendsAt, hostAt) < NEAR_TOKENS) report(JS.formGrabber, place);
  }
}
