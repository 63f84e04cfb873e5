import { type ImportedThreat, THREATS_MAX, threatIn } from '../../domain/threat/stix.ts';
import { FeedRefused, malformed } from '../../mirror/feed-refused.ts';
import { Expansion } from '../../mirror/files/expansion.ts';
import { gunzipped } from '../../mirror/files/inflate.ts';
import { JsonSplitter, parsed } from '../../mirror/json/splitter.ts';
import { FEED_LIMITS } from '../../mirror/limits.ts';

const MIB = 2 ** 20;
/** A threat has about 800 bytes. */
const LIMITS = { ...FEED_LIMITS, recordBytes: 64 * 1_024, expandedBytes: 512 * MIB };
const CHUNK_BYTES = 256 * 1_024;

/**
 * Reads the threats of a compressed bundle, each once, holding one object at a time. Other objects are skipped.
 *
 * @throws FeedRefused when it is no bundle, or beyond a limit
 */
export async function readThreats(compressed: Uint8Array): Promise<readonly ImportedThreat[]> {
  const threats = new Map<string, ImportedThreat>();
  let isBundle = false;
  let objects = 0;
  const splitter = new JsonSplitter(
    { within: 'objects' },
    (text, key) => {
      if (key === 'type') isBundle = text === '"bundle"';
      if (key !== null) return;
      objects += 1;
      const threat = threatIn(parsed(text));
      if (threat === undefined) throw malformed('A threat of the feed is malformed');
      if (threat !== null) threats.set(threat.fingerprint, threat);
      if (threats.size > THREATS_MAX || objects > LIMITS.members) throw tooMany();
    },
    LIMITS,
  );
  for await (const chunk of gunzipped(chunksOf(compressed), new Expansion(LIMITS))) splitter.push(chunk);
  splitter.end();
  if (!isBundle || objects === 0) throw malformed('It is not a STIX bundle');
  return [...threats.values()];
}

function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

const tooMany = () =>
  new FeedRefused('too_large', `The feed has more than ${THREATS_MAX} threats. Do not use it.`);
