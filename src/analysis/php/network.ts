import { ORIGIN } from '../origin.ts';
import { judgeFetch } from './addresses.ts';
import { tokensFrom } from './arguments.ts';
import { writesAnswer } from './documents.ts';
import { PHP } from './signals.ts';
import { originsOfAll, type Value } from './value.ts';
import type { Walk } from './walk.ts';

const isFromRequest = (value: Value | undefined): boolean => ((value?.origins ?? 0) & ORIGIN.request) !== 0;

/** A connection is opened. */
export function judgeConnect(walk: Walk, args: readonly Value[], at: number): void {
  if (isFromRequest(args[0])) walk.report(PHP.connectRequest, at);
  if (isFromRequest(args[0]) && tokensFrom(walk, 0)[0]?.text.startsWith('udp://'))
    walk.report(PHP.floodRequest, at);
  judgeFetch(walk, args[0], at);
}

/** Sends what it is given to another host. */
export function judgeSend(walk: Walk, args: readonly Value[], at: number): void {
  const isSent = walk.secretReads > 0 && walk.guards.size === 0 && originsOfAll(args) & ORIGIN.request;
  if (isSent) walk.sendsAt = at;
}

/** Asks another host for something. */
export function judgeAsk(walk: Walk, args: readonly Value[], at: number): void {
  judgeFetch(walk, args[0], at);
  judgeSend(walk, args, at);
}

/** An option is set: who fetches what is to be hidden asks nobody who they are. */
export function judgeOption(walk: Walk, args: readonly Value[], at: number): void {
  if (walk.peek(-4)?.text === 'curlopt_ssl_verifypeer' && args[2]?.text === '1') walk.checksHosts = true;
  if (walk.peek(-4)?.text === 'curlopt_file' && writesAnswer(walk, args[2]))
    walk.report(PHP.writeDecodedPhp, at);
  judgeFetch(walk, args[2], at);
  judgeSend(walk, args, at);
}
