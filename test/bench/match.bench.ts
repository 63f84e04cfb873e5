/**
 * The cost of judging inventories: `bun test/bench/match.bench.ts`. A snapshot of 42,500 fictitious records
 * of 12,000 WordPress plugins, and 1,000 different inventories of 50 components, of which it has the names of
 * 45, and one in twenty has a vulnerable version; next to it, a bare Map with the same names. All names are
 * equally frequent, which caches hardly help, or some are more frequent, as on real sites. Each is measured
 * in a separate process, with the runtime's compiler and without it, as under the unit; the targets are 1,000
 * inventories a second, and 40 MB more memory.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nameHash } from '../../src/domain/vulnerability/ecosystem.ts';
import { judgeAll, lookUpAll, NO_SURROUNDINGS, timesOf } from '../../src/domain/vulnerability/findings.ts';
import { firstSeenAt, type InventoryComponent } from '../../src/domain/vulnerability/inventory.ts';
import type { VulnerabilityRecord } from '../../src/domain/vulnerability/record.ts';
import { buildSnapshot } from '../../src/storage/mirror/build-snapshot.ts';
import { openSnapshot } from '../../src/storage/mirror/open-snapshot.ts';
import { snapshotPath } from '../../src/storage/mirror/snapshot-files.ts';

const [RECORDS, PLUGINS, EPSS_SCORES] = [42_500, 12_000, 250_000];
const [INVENTORIES, COMPONENTS, UNKNOWN_EACH] = [1_000, 50, 5];
const ROUNDS = 5;
const BATCH = 500;
const STEPS = 1_000_000;
const NOW = Date.UTC(2026, 10, 23);
const ECOSYSTEM = 'wordpress-plugin';

const plugin = (at: number) => `plugin-${at % PLUGINS}`;

function record(at: number): VulnerabilityRecord {
  const fixed = `1.${Math.floor(at / PLUGINS)}.${(at % 9) + 1}`;
  const privileges = 'NLH'[at % 3];
  return {
    source: 'wordfence',
    id: `${at.toString(16).padStart(8, '0')}-1a7a-43d2-bbbf-597e975446be`,
    aliases: [`CVE-2026-${at + 10_000}`],
    upstream: [],
    title: `Plugin ${at % PLUGINS} < ${fixed} - Missing Authorization to Settings Change`,
    severity: [{ type: 'CVSS_V3', score: `CVSS:3.1/AV:N/AC:L/PR:${privileges}/UI:N/S:U/C:H/I:L/A:N` }],
    cwe: ['CWE-862'],
    publishedAt: NOW - at * 60_000,
    modifiedAt: NOW - at * 1_000,
    references: [`https://example.org/threat-intel/vulnerabilities/${at}`],
    hasPublicExploit: false,
    affected: [
      {
        ecosystem: ECOSYSTEM,
        name: plugin(at),
        versions: [],
        ranges: [{ from: null, fromInclusive: true, to: fixed, toInclusive: false, fixed }],
      },
    ],
  };
}

const range = (count: number) => Array.from({ length: count }, (_, at) => at);

async function build(directory: string): Promise<string> {
  const about = { license: 'none', attribution: 'nobody', publishedAt: NOW, epssModelVersion: 'v2026.06.15' };
  const file = { sha256: '', bytes: 0, expandedBytes: 0, withdrawn: 0, skipped: 0, refused: 0, refusals: [] };
  const snapshot = await buildSnapshot({
    directory,
    base: null,
    nowMs: NOW,
    async read(builder) {
      for (let at = 0; at < RECORDS; at += BATCH)
        builder.put(range(BATCH).map((more) => ({ kind: 'vulnerability', record: record(at + more) })));
      builder.endFile({ ...about, ...file, source: 'wordfence', format: 'wordfence', records: RECORDS });
      for (let at = 0; at < EPSS_SCORES; at += BATCH)
        builder.put(
          range(BATCH).map((more) => ({
            kind: 'epss',
            cve: `CVE-2026-${at + more}`,
            probability: ((at + more) % 997) / 1_000,
            percentile: 0.5,
          })),
        );
      builder.endFile({ ...about, ...file, source: 'epss', format: 'epss', records: EPSS_SCORES });
    },
  });
  return snapshot.keep();
}

/** Numbers that look random and are the same in every run. */
function numbers(): (below: number) => number {
  let state = 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** @param skew 1 = all names are equally frequent; a greater value makes some more frequent */
function makeInventories(skew: number): InventoryComponent[][] {
  const number = numbers();
  const known = () => plugin(Math.floor(PLUGINS * (number(STEPS) / STEPS) ** skew));
  return range(INVENTORIES).map((site) =>
    range(COMPONENTS).map((at): InventoryComponent => {
      const name = at < UNKNOWN_EACH ? `private-${site}-${at}` : known();
      return {
        ecosystem: ECOSYSTEM,
        name: null,
        nameHash: nameHash(ECOSYSTEM, name),
        version: number(20) === 0 ? `1.${number(3)}.0` : `2.${number(9)}.${number(30)}`,
        status: 'active',
        since: NOW - 1,
        activeSince: NOW - 1,
        firstSeen: {},
      };
    }),
  );
}

const rssMb = () => process.memoryUsage.rss() / 1_048_576;
const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
const perSecond = (began: number) => Math.round(INVENTORIES / ((performance.now() - began) / 1_000));

/** One measurement, in a process started for it. */
async function measure(directory: string, id: string, skew: number): Promise<void> {
  const inventories = makeInventories(skew);
  Bun.gc(true);
  const before = rssMb();
  const data = openSnapshot(snapshotPath(directory, id), id);
  const opened = rssMb();
  const surroundings = { ...NO_SURROUNDINGS, assertions: new Map() };

  const speeds: number[] = [];
  let [vulnerable, found] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    [vulnerable, found] = [0, 0];
    for (const components of inventories) {
      const outcomes = await lookUpAll(data, components);
      const findings = await judgeAll(data, components, outcomes, surroundings);
      for (const finding of findings) timesOf(finding, firstSeenAt(finding.component, finding.known), NOW);
      vulnerable += outcomes.filter(({ outcome }) => outcome === 'vulnerable').length;
      found += findings.length;
    }
    speeds.push(perSecond(began));
  }
  const judged = rssMb();
  Bun.gc(true);
  const collected = rssMb();

  const bare = new Map(inventories.flat().map(({ nameHash: hash }) => [hash, data.recordsOf(hash)]));
  const looks: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    let records = 0;
    for (const components of inventories)
      for (const component of components) records += bare.get(component.nameHash)?.length ?? 0;
    looks.push(perSecond(began));
    if (records === 0) throw new Error('the inventories have nothing in common with the snapshot');
  }
  console.log(
    JSON.stringify({
      'inventories/s': median(speeds),
      'bare Map/s': median(looks),
      vulnerable: `${((100 * vulnerable) / (INVENTORIES * COMPONENTS)).toFixed(1)} %`,
      findings: found,
      'MB by opening': Math.round(opened - before),
      'MB after the run': Math.round(judged - before),
      'MB without garbage': Math.round(collected - before),
    }),
  );
}

function run(way: string, args: readonly string[], env: Record<string, string> = {}): string {
  const { stdout } = spawnSync(process.execPath, [import.meta.path, way, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  return String(stdout).trim();
}

const [way, directory, id, skew] = process.argv.slice(2);
if (way === 'build' && directory !== undefined) console.log(await build(directory));
else if (way === 'measure' && directory !== undefined && id !== undefined)
  await measure(directory, id, Number(skew));
else {
  const folder = await mkdtemp(join(tmpdir(), 'redoubt-bench-'));
  try {
    const made = run('build', [folder]);
    for (const skew of ['1', '3'])
      for (const env of [{}, {}, {}, { BUN_JSC_useJIT: '0' }])
        console.log(`skew ${skew}`, env, run('measure', [folder, made, skew], env));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
