import { ownTurn } from '../../lib/own-turn.ts';
import { METADATA_BYTES_MAX, type SiteEvent } from '../event/events.ts';
import { CREDENTIAL_RULES } from './credentials.ts';
import { ADDRESS_RULES } from './personal-addresses.ts';
import type { PlaceRule } from './place.ts';
import { Redaction, redacted } from './redaction.ts';

/** The parts of a telemetry request that can contain texts of its sender. */
export interface TelemetryTexts {
  readonly pluginVersion: string | null;
  readonly stats: Readonly<Record<string, unknown>> | null;
  readonly events: readonly SiteEvent[];
}

/** The same for storage, and the number of changed values. */
export interface RedactedTelemetry extends TelemetryTexts {
  readonly valuesRedacted: number;
}

/** Characters searched and redacted in one turn of the event loop: 10 ms without a regular-expression compiler. */
const SEARCHED_PER_TURN = 16_000;
const CHANGED_PER_TURN = 4_000;

const VERSION_CHARACTERS_MAX = 64;
const TEXT_CHARACTERS_MAX = 1_000;
/** Replaces metadata that would exceed their limit. */
const OUTGROWN = JSON.stringify({ redacted: redacted('metadata.too-long') });

/** Something that is looked at as a whole. */
interface Part {
  /** All of its texts. */
  readonly sample: string;
  redact(redaction: Redaction): void;
}

/**
 * Removes credentials from telemetry, some in each turn of the event loop. The result stays within the limits of the request.
 *
 * @param keepsAddresses whether e-mail and IP addresses stay; a version may look like one, and stays
 */
export async function redactTelemetry(
  sent: TelemetryTexts,
  keepsAddresses: boolean,
): Promise<RedactedTelemetry> {
  const ofVersion = new Redaction(CREDENTIAL_RULES, sent.pluginVersion ?? '');
  const pluginVersion = sent.pluginVersion && ofVersion.text(sent.pluginVersion, VERSION_CHARACTERS_MAX);
  const rules = await rulesFor(
    textsOf(sent),
    keepsAddresses ? CREDENTIAL_RULES : [...CREDENTIAL_RULES, ...ADDRESS_RULES],
  );
  if (rules === undefined) return { ...sent, pluginVersion, valuesRedacted: ofVersion.values };

  const stats = Object.entries(sent.stats ?? {});
  const statNames = new Set(stats.map(([name]) => name));
  const events = [...sent.events];
  const valuesRedacted = await redactAll(
    [
      ...stats.map(([name, value], index) => ({
        sample: statText(name, value),
        redact(redaction: Redaction) {
          stats.splice(index, 1, ...redaction.entries([[name, value]], statNames, TEXT_CHARACTERS_MAX));
        },
      })),
      ...events.map((event, index) => ({
        sample: eventTexts(event).join('\n'),
        redact(redaction: Redaction) {
          events[index] = redactEvent(event, redaction);
        },
      })),
    ],
    rules,
  );
  return {
    pluginVersion,
    stats: sent.stats && Object.fromEntries(stats),
    events,
    valuesRedacted: ofVersion.values + valuesRedacted,
  };
}

const statText = (name: string, value: unknown): string => `${name}\n${value}`;
const eventTexts = ({ message, metadata }: SiteEvent): string[] => [
  ...(message ? [message] : []),
  ...(metadata ? [withoutEscapes(metadata)] : []),
];

/** Each text once: a site's events are similar. */
const textsOf = ({ stats, events }: TelemetryTexts): ReadonlySet<string> =>
  new Set([
    ...Object.entries(stats ?? {}).map(([name, value]) => statText(name, value)),
    ...events.flatMap(eventTexts),
  ]);

/** The rules that may find something in some texts; undefined when there is nothing to take out. */
async function rulesFor(
  texts: Iterable<string>,
  rules: readonly PlaceRule[],
): Promise<readonly PlaceRule[] | undefined> {
  const wanted = new Set<PlaceRule>();
  let isNeeded = false;
  let piece: string[] = [];
  let room = SEARCHED_PER_TURN;
  const search = () => {
    const redaction = new Redaction(rules, piece.join('\n'));
    isNeeded ||= redaction.isNeeded;
    for (const rule of redaction.rules) wanted.add(rule);
    piece = [];
    room = SEARCHED_PER_TURN;
  };
  for (const text of texts) {
    piece.push(text);
    room -= text.length;
    if (room > 0) continue;
    search();
    await ownTurn();
  }
  search();
  return isNeeded ? rules.filter((rule) => wanted.has(rule)) : undefined;
}

/** @returns the number of changed values */
async function redactAll(parts: readonly Part[], rules: readonly PlaceRule[]): Promise<number> {
  let values = 0;
  for (const [index, piece] of piecesOf(parts).entries()) {
    if (index > 0) await ownTurn();
    const redaction = new Redaction(rules, sampleOf(piece));
    if (redaction.isNeeded) for (const { redact } of piece) redact(redaction);
    values += redaction.values;
  }
  return values;
}

const sampleOf = (parts: readonly Part[]): string => parts.map(({ sample }) => sample).join('\n');

function piecesOf(parts: readonly Part[]): Part[][] {
  const pieces: Part[][] = [];
  let room = 0;
  for (const part of parts) {
    if (room <= 0) {
      pieces.push([]);
      room = CHANGED_PER_TURN;
    }
    pieces.at(-1)?.push(part);
    room -= part.sample.length;
  }
  return pieces;
}

/** The texts in a JSON text as they are, among its signs; controls other than these are blanks. */
const withoutEscapes = (json: string): string =>
  json.includes('\\') ? json.replace(ESCAPE, (_, sign: string) => ESCAPED[sign] ?? ' ') : json;

const ESCAPE = /\\(u[0-9a-f]{4}|.)/g;
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };

function redactEvent(event: SiteEvent, redaction: Redaction): SiteEvent {
  const before = redaction.values;
  const message = event.message && redaction.text(event.message, TEXT_CHARACTERS_MAX);
  const metadata = event.metadata && redactMetadata(event.metadata, redaction);
  return redaction.values === before ? event : { ...event, message, metadata };
}

function redactMetadata(json: string, redaction: Redaction): string {
  const before = redaction.values;
  const fields = redaction.fields(JSON.parse(json), METADATA_BYTES_MAX);
  if (redaction.values === before) return json;
  const kept = JSON.stringify(fields);
  return Buffer.byteLength(kept) > METADATA_BYTES_MAX ? OUTGROWN : kept;
}
