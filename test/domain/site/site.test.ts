import { describe, expect, test } from 'bun:test';
import { judgeInTurns, judgeSite } from '../../../src/domain/site/site.ts';

const NOW = 1_800_000_000_000;
const SITES = Array.from({ length: 120 }, (_, index) => ({
  id: index + 1,
  lastSeenAt: NOW - index * 60_000,
  pluginVersion: `1.${index % 3}`,
}));
const EXPECTED = { heartbeatSeconds: 300, newestPluginVersion: '1.2' };
const alertsOf = ({ id }: { id: number }) => [
  { subject: 'malware', criticalAt: id % 2 === 0 ? NOW : null, highAt: null, resolvedAt: null },
];
const knownOf = (site: { id: number }) => ({ alerts: alertsOf(site), vulnerabilities: null });
const readKnown = async (site: { id: number }) => knownOf(site);

describe('sites that are judged in turns', () => {
  test('have the same results as separate ones, in order, and others get turns between', async () => {
    let turnsOfOthers = 0;
    const count = () => {
      turnsOfOthers += 1;
      if (turnsOfOthers < 1_000) setImmediate(count);
    };
    setImmediate(count);
    const gone = new AbortController().signal;
    const judged = (await Array.fromAsync(judgeInTurns(SITES, readKnown, EXPECTED, NOW, gone))).flat();
    expect(judged).toEqual(SITES.map((site) => judgeSite(site, knownOf(site), EXPECTED, NOW)));
    expect(turnsOfOthers).toBeGreaterThan(0);
    turnsOfOthers = 1_000;
  });

  test('are abandoned once no caller waits for them', async () => {
    const controller = new AbortController();
    let judged = 0;
    for await (const some of judgeInTurns(SITES, readKnown, EXPECTED, NOW, controller.signal)) {
      judged += some.length;
      controller.abort();
    }
    expect(judged).toBeWithin(1, SITES.length);
  });
});
