import { requestsTo } from './bodies.ts';
import { type Case, casesOf } from './cases.ts';
import { expectRightAnswers } from './checks.ts';
import { expectWrk, load } from './load.ts';
import { againstCommit, buildCommit } from './other-commit.ts';
import { comparedHead, comparedRow, interleaved, median, shown } from './rounds.ts';
import { type Service, startCeilings, startService } from './subjects.ts';

// Measures the executable next to the best possible on this machine, in one run, and prints the table; with
// `--against COMMIT` next to the executable of another commit.

const ROUNDS = 3;
const ROUNDS_AGAINST = 7;
const COMPARED = {
  verify: 'license/verify',
  feedKnown: 'threat-feed, 304',
  feed: 'threat-feed',
  feedGzip: 'threat-feed, gzip',
  telemetry: 'telemetry, 100 events',
} as const;

expectWrk();
const commit = againstCommit();
await (commit === undefined ? compareWithCeilings() : compareWith(commit));
process.exit(0);

async function compareWithCeilings(): Promise<void> {
  const service = await startService();
  const ceilings = await startCeilings(await expectRightAnswers(service));
  const cases = casesOf(service, ceilings);

  for (const { warmUp } of cases) await warmUp();
  const rounds: Map<Case, [number, number]>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const measured = new Map<Case, [number, number]>();
    for (const each of cases) measured.set(each, [await each.ours(), await each.ceiling()]);
    rounds.push(measured);
  }

  console.log('| Case | Ours | Ceiling | Ratio | Target | |\n|---|---:|---:|---:|---:|---|');
  for (const each of cases) {
    const pairs = rounds.map((measured) => measured.get(each) ?? ([0, 0] as const));
    const ratio = median(pairs.map(([ours, ceiling]) => ours / ceiling));
    const ours = shown(median(pairs.map(([value]) => value)));
    const ceiling = shown(median(pairs.map(([, value]) => value)));
    const { name, unit, target, holds } = each;
    const verdict = target === '' ? '' : holds(ratio) ? 'reached' : '**missed**';
    console.log(
      `| ${name} | ${ours} ${unit} | ${ceiling} ${unit} | ${ratio.toFixed(2)} | ${target} | ${verdict} |`,
    );
  }
}

/**
 * Prints requests a second, and the service's processor time for one, which depends less on other work on the
 * machine.
 */
async function compareWith(commit: string): Promise<void> {
  const services = [await startService(), await startService(await buildCommit(commit))] as const;
  for (const service of services) await expectRightAnswers(service);

  console.log(comparedHead(commit));
  for (const [name, title] of Object.entries(COMPARED) as [keyof typeof COMPARED, string][]) {
    const measure = async (service: Service) => {
      const beganAtMs = service.processorMs();
      const { requests, seconds } = await load(requestsTo(service)[name]);
      return { perSecond: requests / seconds, us: ((service.processorMs() - beganAtMs) * 1_000) / requests };
    };
    for (const service of services) await measure(service);
    const rounds = await interleaved(ROUNDS_AGAINST, services, measure);
    const row = (unit: 'perSecond' | 'us') =>
      rounds.map(([ours, theirs]) => [ours[unit], theirs[unit]] as const);
    console.log(comparedRow(`${title}, requests a second`, row('perSecond')));
    console.log(comparedRow(`${title}, µs of processor time`, row('us')));
  }
}
