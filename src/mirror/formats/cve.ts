import { isCve } from '../../domain/vulnerability/cve.ts';
import type { EnrichmentFact, FeedFact } from '../facts.ts';
import type { FeedTally } from '../feed-tally.ts';
import { wordpressComponents } from './cve-affected.ts';
import { knownExploitedIn, ssvcIn } from './cve-enrichment.ts';
import { latest, momentOf } from './dates.ts';
import {
  cwesIn,
  idIn,
  type JsonObject,
  objectIn,
  objectsIn,
  RecordRefused,
  referencesIn,
  textOr,
  textsIn,
  vectorsIn,
} from './fields.ts';
import type { RecordReader } from './format.ts';
import { plainTitle } from './plain-text.ts';

/** Organisation ids of CISA's containers in cvelistV5: its current ADP, and the one until June 2024. */
const CISA_ADP = new Set(['134c704f-9b21-4f2e-91b3-4a467353bcc0', '8c464350-323a-4346-a867-fc54517fa145']);
const METRICS = ['cvssV4_0', 'cvssV3_1', 'cvssV3_0', 'cvssV2_0'] as const;

export const isCveRecord = (record: JsonObject): boolean => 'cveMetadata' in record;

/**
 * Reads CVE JSON 5.x (CVEProject/cve-schema) as published by cvelistV5 and Vulnrichment: enrichment of the CVE, and affected
 * WordPress components.
 */
export function cveReader(tally: FeedTally, source = 'cve'): RecordReader {
  return {
    layout: 'values',
    record(record) {
      const { cveId, state, dateUpdated, datePublished } = objectIn(record.cveMetadata);
      if (!isCve(cveId)) throw new RecordRefused('has no CVE id');
      const publishedAt = momentOf(datePublished);
      const modifiedAt = latest(momentOf(dateUpdated), publishedAt);
      tally.assertNotAhead(modifiedAt);
      if (state === 'REJECTED') return tally.withdraw(source, cveId, modifiedAt);
      if (state !== 'PUBLISHED') throw new RecordRefused('is neither published nor rejected');
      const facts = factsOf(record, { source, id: cveId, publishedAt, modifiedAt });
      if (facts.length === 0) tally.skipped += 1;
      else tally.read(modifiedAt, facts);
    },
    finish: () => ({
      source,
      license: 'CVE Program Terms of Use, https://www.cve.org/Legal/TermsOfUse',
      attribution:
        'CVE is a registered trademark of The MITRE Corporation. Enrichment by CISA Vulnrichment (CC0-1.0).',
      publishedAt: tally.newestAt,
      epssModelVersion: null,
    }),
  };
}

/** Older records have the CWE only in the description, such as `CWE-79 Improper Neutralization`. */
const weaknessIn = ({ cweId, description }: JsonObject): unknown =>
  cweId ?? /^CWE-[0-9]+/.exec(textOr(description, ''))?.[0];

interface Head {
  readonly source: string;
  readonly id: string;
  readonly publishedAt: number | null;
  readonly modifiedAt: number | null;
}

function factsOf(record: JsonObject, head: Head): FeedFact[] {
  const containers = objectIn(record.containers);
  const cna = objectIn(containers.cna);
  const cisa = objectsIn(containers.adp).filter(({ providerMetadata }) =>
    CISA_ADP.has(textOr(objectIn(providerMetadata).orgId, '').toLowerCase()),
  );
  const metrics = [cna, ...cisa].flatMap(({ metrics }) => objectsIn(metrics));
  const severity = vectorsIn(
    METRICS.flatMap((name) => metrics.map((metric) => objectIn(metric[name]).vectorString)),
  );
  const judged = cisa.flatMap(({ metrics }) => objectsIn(metrics)).map(({ other }) => objectIn(other));
  const enrichment: EnrichmentFact = {
    kind: 'enrichment',
    cve: head.id,
    modifiedAt: head.modifiedAt,
    severity,
    ssvc: ssvcIn(judged),
    knownExploited: knownExploitedIn(judged),
  };
  const isRich = severity.length > 0 || enrichment.ssvc !== null || enrichment.knownExploited !== null;
  const affected = wordpressComponents(cna);
  if (affected.length === 0) return isRich ? [enrichment] : [];

  const references = objectsIn(cna.references);
  const weaknesses = objectsIn(cna.problemTypes).flatMap(({ descriptions }) => objectsIn(descriptions));
  const vulnerability = {
    ...head,
    id: idIn(head.id),
    aliases: [],
    upstream: [],
    title: plainTitle(textOr(cna.title, '')) || head.id,
    severity,
    cwe: cwesIn(weaknesses.map(weaknessIn)),
    references: referencesIn(references.map(({ url }) => url)),
    hasPublicExploit: references.some(({ tags }) => textsIn(tags).includes('exploit')),
    affected,
  };
  return [{ kind: 'vulnerability', record: vulnerability }, ...(isRich ? [enrichment] : [])];
}
