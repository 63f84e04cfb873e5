import { type AssessmentParts, assess } from '../../domain/assessment/assessment.ts';
import type { Finding } from '../../domain/finding.ts';
import type { ScanFailure, ScanType } from '../../domain/scan/scan.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { newOpaqueId } from '../../lib/opaque-id.ts';
import type { Job } from '../../storage/engine/jobs/jobs.ts';
import type { Scan } from '../../storage/scans/scans.ts';
import type { Store } from '../../terminal/store.ts';

/** Sites of the first customer whose domain is proven and which are assessed; the first shows its badge. */
const ASSESSED = ['oak-bookshop', 'city-museum', 'stone-bakery', 'river-hotel', 'yoga-loft'];
const DAILY_CAP = 100;
const SCAN_MS = 20 * SECOND_MS;

const FINDINGS: readonly Finding[] = [
  {
    id: 'csp_missing',
    severity: 'medium',
    title: 'No Content-Security-Policy',
    evidence: 'The home page sends no Content-Security-Policy header.',
    recommendation: 'Send one that allows only the scripts that the site needs.',
  },
  {
    id: 'hsts_missing',
    severity: 'low',
    title: 'No Strict-Transport-Security',
    evidence: 'The home page sends no Strict-Transport-Security header.',
    recommendation: 'Send one with a max-age of at least half a year.',
  },
];

/** What is known of a site; one more vulnerability is open in the weeks before. */
function assessmentOf(index: number, at: number, more: number) {
  const open = index + more;
  const parts: AssessmentParts = {
    telemetry: { score: 100 - index * 9, at, complete: true },
    surface: { score: 100 - index * 7, at, complete: true },
    vulnerabilities: { score: 100 - open * 8, at, complete: true, dataAt: at, open, overdue: 0 },
  };
  const assessment = assess(parts);
  if (assessment === undefined) throw new Fault('a site of the demonstration could not be assessed');
  return { ...assessment, vulnerabilities: [], mirror: null };
}

interface DoneScan {
  readonly name: string;
  readonly type: ScanType;
  readonly at: number;
  readonly findings: readonly Finding[];
  readonly failure?: ScanFailure;
  readonly assessment?: ReturnType<typeof assessmentOf>;
}

const assessments = (at: number, more: number): DoneScan[] =>
  ASSESSED.map((name, index) => ({
    name,
    type: 'assessment',
    at,
    findings: index === 0 ? [] : FINDINGS.slice(0, 1),
    assessment: assessmentOf(index, at, more),
  }));

/** Proves domains of a license, assesses their sites once a week, and scans some from outside. */
export async function scanSites(store: Store, licenseId: number, now: number): Promise<void> {
  const domainOf = (name: string) => `${name}.example.com`;
  const proofs = ASSESSED.map((name): Job => {
    const input = { licenseId, domain: domainOf(name), now: now - 20 * DAY_MS };
    return { name: 'vouchForDomain', input };
  });
  await store.change(...proofs);
  const scans: readonly DoneScan[] = [
    ...assessments(now - 15 * DAY_MS, 2),
    ...assessments(now - 8 * DAY_MS, 1),
    { name: 'stone-bakery', type: 'surface', at: now - 3 * DAY_MS, findings: FINDINGS },
    { name: 'river-hotel', type: 'surface', at: now - 2 * DAY_MS, findings: [], failure: 'unreachable' },
    ...assessments(now - DAY_MS, 0),
    { name: 'river-hotel', type: 'surface', at: now - 4 * HOUR_MS, findings: FINDINGS.slice(0, 1) },
  ];
  // One at a time, as a license has few that wait.
  for (const { name, type, at, findings, failure = null, assessment = null } of scans) {
    const domain = domainOf(name);
    const request = type === 'assessment' ? ('schedule' as const) : ('api' as const);
    const [scan] = (await store.change({
      name: 'queueScan',
      input: {
        licenseId,
        domain,
        siteUrl: `https://${domain}/`,
        type,
        publicId: newOpaqueId(),
        trigger: request,
        request: null,
        dailyCap: DAILY_CAP,
        now: at,
      },
    })) as [Scan];
    const result = { id: scan.id, failure, findings: failure === null ? [...findings] : null, assessment };
    await store.change(
      { name: 'startScan', input: { id: scan.id, now: at } },
      { name: 'finishScan', input: { ...result, now: at + SCAN_MS } },
    );
  }
  const [shown = ''] = ASSESSED;
  const wanted = { licenseId, domain: domainOf(shown), enabled: true, showGrade: true, rotate: false };
  await store.change({ name: 'setTrust', input: { ...wanted, dailyCap: DAILY_CAP, now } });
}
