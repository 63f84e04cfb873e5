/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { Fragment } from 'hono/jsx';
import type { ScanStatus } from '../domain/scan/scan.ts';
import type { Severity } from '../domain/severity.ts';
import { Facts, whole } from '../pages/html.tsx';
import { Table } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import type { ScanResult } from '../routes/scans.ts';
import { ask, idOf } from './ask.ts';
import { PLACES } from './places.ts';
import { showPlace } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import type { PortalParts, Visit } from './visit.ts';

const WORDS = TEXTS.scans;
/** Reload interval of the page of an unfinished scan. */
const AGAIN_SECONDS = 3;

type Result = Static<typeof ScanResult>;
type Assessment = NonNullable<Result['assessment']>;

const STATE_LOOKS: Readonly<Record<ScanStatus, string>> = {
  queued: 'warn',
  running: 'warn',
  done: 'good',
  failed: 'bad',
  canceled: 'quiet',
};
const SEVERITY_LOOKS: Readonly<Record<Severity, string>> = {
  critical: 'bad',
  high: 'bad',
  medium: 'warn',
  low: 'quiet',
  info: 'quiet',
};

/** The status of a scan. */
export const StateBadge = ({ state }: { readonly state: ScanStatus }) => (
  <span class={`badge ${STATE_LOOKS[state]}`}>{WORDS.states[state]}</span>
);

const timeOf = (moment: string | null) => moment && <Time at={Date.parse(moment)} />;

const StateCard = ({ scan, here }: { readonly scan: Result; readonly here: string }) => (
  <section class="card">
    <h2>{WORDS.one}</h2>
    <Facts
      of={[
        [WORDS.state, <StateBadge state={scan.status} />],
        [WORDS.site, scan.site_url],
        [WORDS.columns.asked, timeOf(scan.queued_at)],
        [WORDS.began, timeOf(scan.started_at)],
        [WORDS.columns.ended, timeOf(scan.finished_at)],
        [WORDS.columns.why, WORDS.triggers[scan.trigger]],
      ]}
    />
    {scan.finished_at === null ? (
      <Fragment>
        <label>
          {WORDS.progress}
          <progress max={100} value={scan.progress}></progress>
        </label>
        <p>
          <a href={here}>{WORDS.again}</a>
        </p>
      </Fragment>
    ) : null}
  </section>
);

const partRow = (name: keyof Assessment['parts'], part: Assessment['parts'][keyof Assessment['parts']]) => [
  WORDS.parts[name],
  ...(part === null
    ? [WORDS.missing, '', '']
    : [part.score, timeOf(part.at), part.complete ? WORDS.complete : WORDS.partial]),
];

function AssessmentCards({ assessment }: { readonly assessment: Assessment }) {
  const { grade, score, assessed_at, parts } = assessment;
  const { telemetry, surface, vulnerabilities } = parts;
  return (
    <Fragment>
      <section class="card">
        <h2>{WORDS.grade}</h2>
        <p class="figure">{grade}</p>
        <Facts
          of={[
            [WORDS.score, WORDS.of100(score)],
            [WORDS.asOf, timeOf(assessed_at)],
            [WORDS.open, vulnerabilities && whole(vulnerabilities.open)],
            [WORDS.overdue, vulnerabilities && whole(vulnerabilities.overdue)],
            [WORDS.dataAt, vulnerabilities && timeOf(vulnerabilities.data_at)],
          ]}
        />
      </section>
      <section class="card wide">
        <h2>{WORDS.restsOn}</h2>
        <p class="quiet">{WORDS.restsOnAbout}</p>
        <Table
          label={WORDS.restsOn}
          columns={Object.values(WORDS.partColumns)}
          rows={[
            partRow('telemetry', telemetry),
            partRow('surface', surface),
            partRow('vulnerabilities', vulnerabilities),
          ]}
        />
      </section>
    </Fragment>
  );
}

const Findings = ({ findings }: { readonly findings: Result['findings'] }) => (
  <section class="card wide">
    <h2>{WORDS.findings(findings.length)}</h2>
    {findings.length === 0 ? (
      <p>{WORDS.noFindings}</p>
    ) : (
      findings.map(({ severity, title, evidence, recommendation }) => (
        <div class="finding">
          <h3>
            <span class={`badge ${SEVERITY_LOOKS[severity]}`}>{severity}</span> {title}
          </h3>
          <p>{evidence}</p>
          <p>{recommendation}</p>
        </div>
      ))
    )}
  </section>
);

/** Shows a scan. Until it has ended, the page reloads itself. */
export async function showScan(parts: PortalParts, visit: Visit): Promise<Response> {
  const scan = await ask<Result>(parts, visit, `/scans/${idOf(visit.params.scanId)}`);
  const { scan_type, scan_id, status, failure, assessment, findings } = scan;
  const children = (
    // The element remains on the page of a finished scan, because the script replaces its content.
    <div data-live="" data-again={scan.finished_at === null ? String(AGAIN_SECONDS) : undefined}>
      {failure === null ? null : (
        <p class="notice bad">
          <strong>{WORDS.failed}</strong>
          {WORDS.failures[failure]}
        </p>
      )}
      <div class="cards">
        <StateCard scan={scan} here={`${PLACES.scans.path}/${scan_id}`} />
        {assessment === null ? null : <AssessmentCards assessment={assessment} />}
        {status === 'done' ? <Findings findings={findings} /> : null}
      </div>
    </div>
  );
  return showPlace(visit, PLACES.scans, children, { title: WORDS.types[scan_type] });
}
