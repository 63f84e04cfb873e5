import { ORIGIN } from '../origin.ts';
import { PHP } from './signals.ts';
import { UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

const isFromRequest = ({ origins }: Value): boolean => (origins & ORIGIN.request) !== 0;

/** Whether a value consists only of request data. */
const isOnlyRequest = (origins: number): boolean =>
  (origins & ORIGIN.request) !== 0 && !(origins & ORIGIN.partial);

/** Judges a mail by its recipient, subject and text. */
export function judgeMail(
  walk: Walk,
  [to = UNKNOWN, subject = UNKNOWN, text = UNKNOWN, headers = UNKNOWN]: readonly Value[],
  at: number,
): void {
  const isToList = (to.origins & ORIGIN.file) !== 0 && isFromRequest(headers);
  if (walk.isHere('readsCard') && isFromRequest(text)) walk.report(PHP.cardMailed, at);
  if (text.origins & ORIGIN.file) walk.note('showsFile', at);
  const isToCaller = isFromRequest(to);
  if (isToList && isOnlyRequest(subject.origins) && isOnlyRequest(text.origins) && walk.guards.size === 0)
    walk.report(PHP.mailRelay, at);
  if (!isFromRequest(text)) {
    // Phishing kits pass the text as headers.
    if (isFromRequest(headers) && !isToCaller && identifiesVisitor(walk)) reportForwarded(walk, at);
  } else if (!isToCaller) {
    reportForwarded(walk, at);
  } else {
    const isRelay = walk.guards.size === 0 && isOnlyRequest(subject.origins) && isOnlyRequest(text.origins);
    walk.report(isRelay ? PHP.mailRelay : PHP.mailRequest, at);
  }
}

/** Whether the visitor's host name is looked up. Owners of forms seldom need it; phishing kits want to identify the victim. */
const identifiesVisitor = (walk: Walk): boolean =>
  walk.calls.has('gethostbyaddr') && walk.facts.has('readsVisitor');

function reportForwarded(walk: Walk, at: number): void {
  walk.report(PHP.mailForwarded, at);
  if (walk.facts.has('readsWhole')) walk.note('forwardsForm', at);
  if (identifiesVisitor(walk)) walk.report(PHP.visitorMailed, at);
}

/** Judges wp_mail, which plugins call with sanitised input. */
export function judgeSiteMail(walk: Walk, args: readonly Value[], at: number): void {
  const isRelay = args.length >= 3 && args.slice(0, 3).every(({ origins }) => isOnlyRequest(origins));
  if (isRelay && walk.guards.size === 0) walk.report(PHP.mailRelay, at);
}

/** Notes a recipient of a mail library's message that comes from the request. */
export function noteAddressee(walk: Walk, [to = UNKNOWN]: readonly Value[], at: number): void {
  if (isFromRequest(to) && walk.guards.size === 0) walk.note('addressesCaller', at);
}

/** Whether subject and text of a mail library's message come only from the request. */
export const relaysMessage = ({ earlier }: Walk): boolean =>
  isOnlyRequest(earlier.get('->subject') ?? 0) &&
  isOnlyRequest((earlier.get('->body') ?? 0) | (earlier.get('->msghtml') ?? 0));
