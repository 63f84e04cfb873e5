import { ORIGIN } from '../origin.ts';
import { PHP } from './signals.ts';
import { UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

const isFromRequest = ({ origins }: Value): boolean => (origins & ORIGIN.request) !== 0;

/** Whether nothing of the program's own stands beside what the request brings. */
const isCallersAlone = (origins: number): boolean =>
  (origins & ORIGIN.request) !== 0 && !(origins & ORIGIN.partial);

/** A mail is sent: to whom, about what, with which text. */
export function judgeMail(
  walk: Walk,
  [to = UNKNOWN, subject = UNKNOWN, text = UNKNOWN, headers = UNKNOWN]: readonly Value[],
  at: number,
): void {
  const isToList = (to.origins & ORIGIN.file) !== 0 && isFromRequest(headers);
  if (walk.isHere('readsCard') && isFromRequest(text)) walk.report(PHP.cardMailed, at);
  if (text.origins & ORIGIN.file) walk.note('showsFile', at);
  const isToCaller = isFromRequest(to);
  if (isToList && isCallersAlone(subject.origins) && isCallersAlone(text.origins) && walk.guards.size === 0)
    walk.report(PHP.mailRelay, at);
  if (!isFromRequest(text)) {
    // Kits put the text into the place of the headers.
    if (isFromRequest(headers) && !isToCaller && tellsVisitor(walk)) reportForwarded(walk, at);
  } else if (!isToCaller) {
    reportForwarded(walk, at);
  } else {
    const isRelay = walk.guards.size === 0 && isCallersAlone(subject.origins) && isCallersAlone(text.origins);
    walk.report(isRelay ? PHP.mailRelay : PHP.mailRequest, at);
  }
}

/** Who owns a form seldom asks for the name of the visitor's line; who fishes wants to know whose password it is. */
const tellsVisitor = (walk: Walk): boolean =>
  walk.calls.has('gethostbyaddr') && walk.facts.has('readsVisitor');

function reportForwarded(walk: Walk, at: number): void {
  walk.report(PHP.mailForwarded, at);
  if (walk.facts.has('readsWhole')) walk.note('forwardsForm', at);
  if (tellsVisitor(walk)) walk.report(PHP.visitorMailed, at);
}

/** The same by the function of WordPress, which plugins call with what they have cleaned. */
export function judgeSiteMail(walk: Walk, args: readonly Value[], at: number): void {
  const isRelay = args.length >= 3 && args.slice(0, 3).every(({ origins }) => isCallersAlone(origins));
  if (isRelay && walk.guards.size === 0) walk.report(PHP.mailRelay, at);
}

/** A message of a mail library is addressed. */
export function noteAddressee(walk: Walk, [to = UNKNOWN]: readonly Value[], at: number): void {
  if (isFromRequest(to) && walk.guards.size === 0) walk.note('addressesCaller', at);
}

/** Whether subject and text of a message of a mail library are the caller's. */
export const relaysMessage = ({ earlier }: Walk): boolean =>
  isCallersAlone(earlier.get('->subject') ?? 0) &&
  isCallersAlone((earlier.get('->body') ?? 0) | (earlier.get('->msghtml') ?? 0));
