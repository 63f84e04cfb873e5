import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { nameHash } from '../../../src/domain/vulnerability/ecosystem.ts';
import { HOUR_MS } from '../../../src/lib/clock.ts';
import {
  cisaContainer,
  cveProduct,
  cveRecord,
  epssFile,
  FEEDS_NOW,
  kevCatalogue,
  kevEntry,
  osvRecord,
  wordfenceFeed,
  wordfenceRecord,
  wordfenceSoftware,
} from '../../support/feeds.ts';
import { type MadeSnapshot, makeSnapshot } from '../../support/snapshots.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const CVES = ['CVE-2026-1001', 'CVE-2026-1002', 'CVE-2026-1003', 'CVE-2026-1004'];
const ADVISORIES = ['GHSA-1', 'GHSA-2', 'GHSA-3'];
const RECORDS = ['11111111-a', '22222222-b', '33333333-c'];
const SLUGS = ['shop', 'form'];

const some = <Value>(values: readonly Value[]) => fc.subarray([...values], { minLength: 1 });
const cve = fc.constantFrom(...CVES);
const slug = fc.constantFrom(...SLUGS);
const version = fc.integer({ min: 1, max: 3 }).map((number) => `1.${number}.0`);

const advisory = (id: string, ecosystem: 'npm' | 'Debian:12') =>
  fc
    .record({ aliases: fc.subarray([...CVES, ...ADVISORIES], { maxLength: 2 }), name: slug, version })
    .map((of) =>
      osvRecord({
        id: `${id}-${ecosystem}`,
        aliases: ecosystem === 'npm' ? of.aliases : [],
        upstream: ecosystem === 'npm' ? [] : of.aliases,
        affected: [
          {
            package: { ecosystem, name: of.name },
            ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: of.version }] }],
          },
        ],
      }),
    );
const advisories = (ecosystem: 'npm' | 'Debian:12') =>
  some(ADVISORIES).chain((ids) => fc.tuple(...ids.map((id) => advisory(id, ecosystem))));

const LISTED = { other: { type: 'kev', content: { dateAdded: '2026-05-01' } } };
const published = (cveId: string) =>
  fc.tuple(slug, fc.boolean()).map(([packageName, isListed]) =>
    cveRecord({
      cna: { affected: [cveProduct({ packageName })] },
      adp: [cisaContainer(...(isListed ? [LISTED] : []))],
      meta: { cveId },
    }),
  );

/** The possible records of each source. */
const SOURCES = {
  npm: advisories('npm'),
  debian: advisories('Debian:12'),
  wordfence: some(RECORDS)
    .chain((ids) =>
      fc.tuple(
        ...ids.map((id) =>
          fc
            .tuple(fc.option(cve), slug)
            .map(([known, name]) =>
              wordfenceRecord({ id, cve: known, software: [wordfenceSoftware({ slug: name })] }),
            ),
        ),
      ),
    )
    .map((records) => wordfenceFeed(...records)),
  cve: some(CVES).chain((ids) => fc.tuple(...ids.map(published))),
  kev: some(CVES).map((ids) => kevCatalogue(ids.map((cveID) => kevEntry({ cveID })))),
  epss: some(CVES).chain((ids) =>
    fc
      .tuple(...ids.map(() => fc.constantFrom('0.1', '0.2', '0.7')))
      .map((scores) => epssFile(ids.map((id, at) => `${id},${scores[at]},0.5`))),
  ),
};
type Source = keyof typeof SOURCES;

const step: fc.Arbitrary<Partial<Record<Source, unknown>>> = fc
  .record(SOURCES, { requiredKeys: [] })
  .filter((feeds) => Object.keys(feeds).length > 0);

const HASHES = SLUGS.flatMap((name) =>
  (['npm', 'debian', 'debian:12', 'wordpress-plugin'] as const).map((each) => nameHash(each, name)),
);
const NAMES = [...CVES, ...RECORDS, ...ADVISORIES.flatMap((id) => [id, `${id}-npm`, `${id}-Debian:12`])];

/** Everything that a reader can query, except the moments of imports. */
const answersOf = (snapshot: MadeSnapshot) => ({
  sources: snapshot.sources.map(({ importedAt, ...source }) => source),
  names: NAMES.map((name) => [name, describe(snapshot, snapshot.find(name))]),
  // Order does not matter: a reader judges all records of a component.
  components: HASHES.map((hash) =>
    snapshot
      .recordsOf(hash)
      .flatMap(({ vulnerability, records }) =>
        records.map((record) => JSON.stringify({ vulnerability, record })),
      )
      .sort(),
  ),
});

function describe(snapshot: MadeSnapshot, number: number | undefined) {
  if (number === undefined) return undefined;
  const { knownSince, limits, limitsIfExploited, ...known } = snapshot.get(number);
  const held = [limits, limitsIfExploited].flatMap(({ open, closed }) =>
    [...open, ...closed].map((since) => since !== null),
  );
  return { number, known, held, affected: snapshot.affectedBy(number, 50) };
}

test('consecutive imports give the same data as one import of the newest files', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 4 }), async (steps) => {
      const directory = temporaryDirectory();
      let last: MadeSnapshot | undefined;
      for (const [at, feeds] of steps.entries()) {
        const nowMs = FEEDS_NOW + at * HOUR_MS;
        last?.close();
        last = await makeSnapshot(directory, Object.values(feeds), { base: last?.id ?? null, nowMs });
      }
      const newest = Object.assign({}, ...steps);
      const whole = await makeSnapshot(temporaryDirectory(), Object.values(newest));
      expect(last && answersOf(last)).toEqual(answersOf(whole));
      last?.close();
      whole.close();
    }),
    { numRuns: 60 },
  );
});
