import { ORIGIN } from '../origin.ts';
import { judgeFetch } from './addresses.ts';
import { PHP } from './signals.ts';
import { originsOfAll, type Value } from './value.ts';
import type { Walk } from './walk.ts';

const isFromRequest = (value: Value | undefined): boolean => ((value?.origins ?? 0) & ORIGIN.request) !== 0;

/** Judges a connection. */
export function judgeConnect(walk: Walk, args: readonly Value[], at: number): void {
  if (isFromRequest(args[0])) walk.report(PHP.connectRequest, at);
  judgeFetch(walk, args[0], at);
}

/** Judges data sent to another host. */
export function judgeSend(walk: Walk, args: readonly Value[], at: number): void {
  const isSent =
    walk.facts.has('readsSecret') && walk.guards.size === 0 && originsOfAll(args) & ORIGIN.request;
  if (isSent) walk.note('mayEncloseSecret', at);
}

/** Judges a request to another host. */
export function judgeRequest(walk: Walk, args: readonly Value[], at: number): void {
  judgeFetch(walk, args[0], at);
  judgeSend(walk, args, at);
}

/** Judges an option of a request. */
export function judgeOption(walk: Walk, args: readonly Value[], at: number): void {
  judgeFetch(walk, args[2], at);
  judgeSend(walk, args, at);
}
