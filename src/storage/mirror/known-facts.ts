import type { DatabaseSync } from 'node:sqlite';
import {
  type Epss,
  EXPLOITATIONS,
  type KnownExploited,
  type SsvcAnswers,
  TECHNICAL_IMPACTS,
  YES_NO,
} from '../../domain/risk/facts.ts';
import type { KnownFacts } from '../../domain/vulnerability/known.ts';
import type { SeverityVector } from '../../domain/vulnerability/record.ts';
import { readSources } from './snapshot-sources.ts';

/** The facts in the records themselves. */
export interface RecordedFacts {
  readonly severity: readonly SeverityVector[];
  readonly hasPublicExploit: boolean;
}

interface Enrichment {
  readonly severity: string;
  readonly ssvc: string | null;
}

interface Exploited {
  readonly catalogue: string;
  readonly since: number | null;
  readonly ransomware: number;
}

/** The exploit probability of a CVE; of several EPSS files the newest applies. */
type Likely = Pick<Epss, 'probability' | 'percentile'> & { readonly source: number };

/** Reads facts of vulnerabilities by their CVE ids. */
export function readKnownFacts(
  client: DatabaseSync,
): (records: readonly RecordedFacts[], cves: readonly string[]) => KnownFacts {
  const among = (columns: string, table: string) =>
    client.prepare(
      `select ${columns} from ${table} t join sources s on s.id = t.source where cve = ? order by s.name`,
    );
  const enrichments = among('severity, ssvc', 'enrichments');
  const exploited = among('catalogue, since, ransomware', 'exploited');
  const epss = client.prepare('select probability, percentile from epss where cve = ? and source = ?');
  const source = newestEpss(client);

  /** The highest of several CVEs. */
  const epssOf = (cves: readonly string[]): Epss | null => {
    if (source === undefined) return null;
    const found = cves.flatMap((cve) => (epss.get(cve, source.id) ?? []) as Likely | []);
    const [most] = found.sort((one, other) => other.probability - one.probability);
    const { modelVersion, scoreDate } = source;
    return most === undefined
      ? null
      : { probability: most.probability, percentile: most.percentile, modelVersion, scoreDate };
  };

  return (records, cves) => {
    const enriched = cves.flatMap((cve) => enrichments.all(cve) as unknown as Enrichment[]);
    const listed = cves.flatMap((cve) => exploited.all(cve) as unknown as Exploited[]);
    const vectors = [
      ...records.flatMap(({ severity }) => severity),
      ...enriched.flatMap(({ severity }) => JSON.parse(severity) as SeverityVector[]),
    ];
    return {
      cvssVectors: [...new Set(vectors.map(({ score }) => score))],
      epss: epssOf(cves),
      epssMedian: source?.median ?? null,
      knownExploited: listed.map(
        (entry): KnownExploited => ({ ...entry, ransomware: entry.ransomware !== 0 }),
      ),
      ssvc: strongest(
        enriched.flatMap(({ ssvc }) => (ssvc === null ? [] : (JSON.parse(ssvc) as SsvcAnswers))),
      ),
      hasPublicExploit: records.some((record) => record.hasPublicExploit),
    };
  };
}

interface EpssSource {
  readonly id: number;
  readonly median: number | null;
  readonly modelVersion: string;
  readonly scoreDate: number;
}

/** The newest imported file of EPSS. */
function newestEpss(client: DatabaseSync): EpssSource | undefined {
  const [newest] = readSources(client)
    .filter(({ format }) => format === 'epss')
    .sort((one, other) => (other.publishedAt ?? 0) - (one.publishedAt ?? 0));
  if (newest === undefined) return undefined;
  const { id } = client.prepare('select id from sources where name = ?').get(newest.name) as { id: number };
  return {
    id,
    median: newest.epssMedian,
    modelVersion: newest.epssModelVersion ?? 'unknown',
    scoreDate: newest.publishedAt ?? newest.importedAt,
  };
}

/** Combines analysts' answers for several CVEs: the most severe of each. */
function strongest(answers: readonly SsvcAnswers[]): SsvcAnswers | null {
  if (answers.length === 0) return null;
  const most = <Value>(order: readonly Value[], given: readonly (Value | null)[]) =>
    order.findLast((value) => given.includes(value)) ?? null;
  return {
    exploitation: most(
      EXPLOITATIONS,
      answers.map(({ exploitation }) => exploitation),
    ),
    automatable: most(
      YES_NO,
      answers.map(({ automatable }) => automatable),
    ),
    technicalImpact: most(
      TECHNICAL_IMPACTS,
      answers.map(({ technicalImpact }) => technicalImpact),
    ),
  };
}
