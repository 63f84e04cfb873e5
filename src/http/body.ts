import type { TProperties, TSchema } from '@sinclair/typebox';
import { type RefusalCode, refuse } from '../domain/refusal.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import { systemClock } from '../lib/clock.ts';
import { Deadlines } from '../lib/deadlines.ts';
import { ownTurn } from '../lib/own-turn.ts';
import { noteSource } from './body-source.ts';
import { mayHoldBrokenText, placeOfBrokenText } from './broken-text.ts';
import { inflated, isGzip } from './content-encoding.ts';
import { type HookContext, KIB } from './context.ts';
import { typed } from './contract/answers.ts';
import { emptyObject } from './empty-object.ts';
import { namesOf, placeAt } from './schema-check.ts';

const DEPTH_MAX = 32;
const LARGE_BYTES = 4 * KIB;
const CHUNKS_PER_TURN = 1_000;
const VALUES_PER_TURN = 5_000;

/** A closed schema of a body, with a name in the contract and a valid example. */
export const bodySchema = <Properties extends TProperties, Example extends object>(
  title: string,
  properties: Properties,
  example: Example,
) => ({ ...typed(title, properties), examples: [example] as const });

export interface BodyRules {
  /** Maximum size in bytes, both compressed and decompressed; shown in the contract. */
  readonly capBytes: number;
  /** The code for an unreadable or invalid body. */
  readonly refusedAs?: RefusalCode;
  /** The value of an empty body; by default, an empty body is malformed. */
  readonly whenEmpty?: () => unknown;
  /** Path of a text that is not stored and may therefore contain any character: names separated by dots, `*` for any name. */
  readonly anyTextIn?: string;
  /** The schema with the field names that a refusal may mention. */
  readonly named: TSchema;
}

/**
 * Reads bodies as JSON and ignores their Content-Type. The cap applies while a body arrives, chunked or not.
 *
 * @param arrived called when the whole body has arrived, before it is parsed
 */
export function jsonReader({
  capBytes,
  refusedAs = 'INVALID_PAYLOAD',
  whenEmpty,
  anyTextIn,
  named,
}: BodyRules) {
  const exempt = anyTextIn?.split('.');
  return async (
    { request, set }: HookContext,
    arrived?: (context: HookContext, bytes: number) => Awaitable<void>,
  ): Promise<unknown> => {
    const bytes = await bodyBytesOf({ request, set }, capBytes, refusedAs);
    if (arrived) await arrived({ request, set }, bytes.length);
    if (bytes.length > LARGE_BYTES) await yieldTurnFor(request, refusedAs);
    if (bytes.length === 0 && whenEmpty) return whenEmpty();
    const json = jsonOf(bytes, refusedAs);
    const body = parse(json, refusedAs);
    // Checked first, because an unnecessary turn of the event loop measurably slows down routes that answer from memory.
    if (mayBeDeeperThan(json, DEPTH_MAX) && (await isDeeperThan(body, DEPTH_MAX)))
      throw refuse(refusedAs, `The body is nested deeper than ${DEPTH_MAX} levels.`);
    // Values other than objects are refused by the schema.
    if (mayHoldBrokenText(json) && isContainer(body)) {
      const place = await placeOfBrokenText(body, exempt);
      if (place)
        throw refuse(refusedAs, `${placeAt(place, namesOf(named), body)}: contains NUL or a lone surrogate`);
    }
    if (isContainer(body)) noteSource(body, json);
    return emptyObject(body);
  };
}

/** @throws Refusal if the client has disconnected, so that no work is done for an unread answer */
async function yieldTurnFor({ signal }: Request, refusedAs: RefusalCode): Promise<void> {
  await ownTurn();
  if (signal.aborted) throw unreadable(refusedAs);
}

/**
 * A request's body, decompressed if it is gzip. The cap and the timeout include decompression.
 *
 * @throws Refusal if the body is too large, too late, unreadable or of another encoding
 */
export const bodyBytesOf = (
  { request, set: { exchange } }: HookContext,
  capBytes: number,
  refusedAs: RefusalCode = 'INVALID_PAYLOAD',
): Promise<Uint8Array> =>
  arrivals.race(plainBytesOf(request, capBytes, refusedAs), exchange?.bodyMsMax ?? 0, tooLate);

const arrivals = new Deadlines(systemClock.monotonic);
const tooLate = () => refuse('REQUEST_TIMEOUT', 'The body did not arrive in time.');

function plainBytesOf(request: Request, capBytes: number, refusedAs: RefusalCode): Promise<Uint8Array> {
  const encoding = request.headers.get('content-encoding');
  return encoding === null
    ? bytesOf(request, capBytes, refusedAs)
    : decodedBytesOf(request, encoding, capBytes, refusedAs);
}

async function decodedBytesOf(
  request: Request,
  encoding: string,
  capBytes: number,
  refusedAs: RefusalCode,
): Promise<Uint8Array> {
  const sentAsGzip = isGzip(encoding);
  const bytes = await bytesOf(request, capBytes, refusedAs);
  return sentAsGzip ? inflated(bytes, capBytes, refusedAs) : bytes;
}

function bytesOf(request: Request, capBytes: number, refusedAs: RefusalCode): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  const failed = (error: unknown): never => {
    throw error instanceof Error ? unreadable(refusedAs) : error;
  };
  // The runtime reads no more than the declared length, so its faster reader is safe.
  if (declared !== null && !request.headers.has('transfer-encoding')) {
    if (Number(declared) > capBytes) return Promise.reject(tooLarge(capBytes));
    return request.bytes().catch(failed);
  }
  return readUnderCap(request.body, capBytes).catch(failed);
}

async function readUnderCap(body: ReadableStream<Uint8Array> | null, capBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > capBytes) throw tooLarge(capBytes);
    chunks.push(chunk);
    if (chunks.length % CHUNKS_PER_TURN === 0) await ownTurn();
  }
  return Buffer.concat(chunks);
}

const unreadable = (refusedAs: RefusalCode) => refuse(refusedAs, 'The body ended early.');

const tooLarge = (capBytes: number) =>
  refuse('PAYLOAD_TOO_LARGE', `The body is larger than this route's limit of ${capBytes} bytes.`);

const utf8 = new TextDecoder('utf-8', { fatal: true });

const invalidJson = (refusedAs: RefusalCode) => refuse(refusedAs, 'The body is not valid UTF-8 JSON.');

function jsonOf(bytes: Uint8Array, refusedAs: RefusalCode): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidJson(refusedAs);
  }
}

function parse(json: string, refusedAs: RefusalCode): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw invalidJson(refusedAs);
  }
}

/** Whether a JSON text is long enough, and opens enough containers, to exceed a depth. */
export function mayBeDeeperThan(json: string, levels: number): boolean {
  if (json.length < 2 * levels) return false;
  let opened = 0;
  for (const bracket of ['{', '[']) {
    for (let at = json.indexOf(bracket); at !== -1; at = json.indexOf(bracket, at + 1)) {
      if (++opened > levels) return true;
    }
  }
  return false;
}

/** Checks level by level, and yields to the event loop after every few thousand values. */
async function isDeeperThan(value: unknown, levels: number): Promise<boolean> {
  let seen = 0;
  let containers = isContainer(value) ? [value] : [];
  for (let level = 0; containers.length > 0; level++) {
    if (level === levels) return true;
    const inner: object[] = [];
    for (const container of containers) {
      for (const each of Array.isArray(container) ? container : Object.values(container)) {
        if (isContainer(each)) inner.push(each);
        if (++seen % VALUES_PER_TURN === 0) await ownTurn();
      }
    }
    containers = inner;
  }
  return false;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
