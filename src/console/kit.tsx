/** @jsxImportSource hono/jsx */
import { type Child, Fragment } from 'hono/jsx';
import { SEVERITIES } from '../domain/severity.ts';
import { SITE_STATUSES } from '../domain/site/site-status.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/clock.ts';
import { AttentionItem } from '../pages/attention.tsx';
import { SeverityBadge, SiteBadge } from '../pages/badges.tsx';
import { BarChart } from '../pages/bar-chart.tsx';
import { ColumnChart } from '../pages/column-chart.tsx';
import { Copyable, CopyableText } from '../pages/copy.tsx';
import { ActCard, Check, Choice, Field, FilterBar } from '../pages/form.tsx';
import { Facts, More, Problem, volume, whole } from '../pages/html.tsx';
import { ICON_NAMES, Icon, type IconName, IconSheet } from '../pages/icons.tsx';
import { Meter, ScoreRing } from '../pages/meter.tsx';
import { PageActions } from '../pages/page-actions.tsx';
import { Table } from '../pages/table.tsx';
import { Tabs } from '../pages/tabs.tsx';
import { Tile } from '../pages/tile.tsx';
import { Time } from '../pages/time.tsx';
import { Usage } from '../pages/usage.tsx';
import { VerdictBar } from '../pages/verdict-bar.tsx';
import { PLACES } from './places.ts';
import { showPage } from './show-page.tsx';
import type { Visit } from './visit.ts';

const HERE = '/console/_kit';
const TREND = [3, 5, 4, 8, 6, 9, 7];
const TONES = ['accent', 'critical', 'high', 'medium', 'low', 'info'] as const;

const Part = ({ title, children }: { readonly title: string; readonly children?: Child }) => (
  <section class="card">
    <h2>{title}</h2>
    {children}
  </section>
);

const Charts = () => (
  <div class="grid">
    {(['accent', 'high', 'critical'] as const).map((tone) => (
      <Tile
        title={`Tile, ${tone}`}
        value="374"
        of="of 399"
        sub="+12 on last week"
        trend={TREND}
        tone={tone}
      />
    ))}
    <Tile title="Tile with a meter" value={whole(4_484)} sub="15 stale · 10 silent">
      <Meter
        label="Meter"
        of={399}
        parts={[
          { tone: 'accent', count: 374 },
          { tone: 'medium', count: 15 },
          { tone: 'critical', count: 10 },
        ]}
      />
    </Tile>
    <section class="card c8">
      <header>
        <h2>Bar chart</h2>
        <span class="segments">
          <a href={HERE} aria-current="true">
            24 h
          </a>
          <a href={HERE}>7 d</a>
        </span>
      </header>
      <ColumnChart
        title="Bar chart"
        first="From"
        series={TONES.map((tone) => ({ name: tone, tone }))}
        columns={TREND.map((count, at) => ({
          label: `${at} Nov`,
          counts: TONES.map((_, tone) => (count * 7 + tone * 3) % 11),
        }))}
      />
    </section>
    <section class="card c4">
      <h2>Horizontal bars</h2>
      <BarChart
        title="Horizontal bars"
        tone="critical"
        columns={['Reason', 'Checks']}
        bars={[
          { name: 'Site limit reached', count: 142 },
          { name: 'Expired', count: 88 },
        ]}
      />
    </section>
  </div>
);

const Rows = ({ now }: { readonly now: number }) => (
  <Fragment>
    <section class="card attention" aria-label="Attention rows">
      <ul>
        {(['bad', 'warn', 'info', 'good'] as const).map((is) => (
          <AttentionItem is={is} button={{ href: HERE, words: 'Open' }}>
            <strong>{`Attention row, ${is}`}</strong> <span class="quiet">oldest 3 days ago</span>
          </AttentionItem>
        ))}
      </ul>
    </section>
    {(['good', 'warn', 'bad'] as const).map((tone) => (
      <VerdictBar
        label={`Verdict, ${tone}`}
        tone={tone}
        lead={`Verdict bar, ${tone}.`}
        detail="41 checks today"
      >
        <a class="button small" href={HERE}>
          Add a site
        </a>
      </VerdictBar>
    ))}
    <Tabs
      label="Tabs"
      of={['Summary', 'Sites 3', 'Activity'].map((words, at) => ({ words, href: HERE, isCurrent: at === 0 }))}
    />
    <Part title="Table">
      <Table
        label="Table"
        columns={['Site', 'Status', 'Score', 'Last seen', 'Action']}
        rows={SITE_STATUSES.map((status, at) => [
          <a href={HERE}>{`${status}.example.com`}</a>,
          <SiteBadge status={status} />,
          whole(100 - 21 * at),
          <Time at={now - at * DAY_MS - 8 * MINUTE_MS} />,
          <button type="button" class="quiet small">
            Open
          </button>,
        ])}
      />
      <More href={HERE} />
    </Part>
    <Part title="Empty state">
      <p class="quiet">No alerts. Sites report attacks through POST /telemetry.</p>
    </Part>
  </Fragment>
);

const Texts = ({ now, listed }: { readonly now: number; readonly listed: readonly IconName[] }) => (
  <div class="cards">
    <Part title="Pills">
      <p class="badges">
        {SEVERITIES.map((severity) => (
          <SeverityBadge severity={severity} />
        ))}
        <span class="badge good">good</span>
        <span class="mark bad">20</span>
        <span class="mark warn">73</span>
      </p>
    </Part>
    <Part title="Score ring">
      <div class="scored">
        {[38, 69, 100].map((score) => (
          <ScoreRing score={score} />
        ))}
      </div>
    </Part>
    <Part title="Times and numbers">
      <Facts
        of={[
          ['minutes ago', <Time at={now - 8 * MINUTE_MS} />],
          ['hours ahead', <Time at={now + 9 * HOUR_MS} />],
          ['date', <Time at={now - 90 * DAY_MS} />],
          ['bytes', volume(1_234_567)],
          ['count', whole(1_234_567)],
        ]}
      />
    </Part>
    <Part title="Usage">
      <Usage name="Sites" used={3} limit={3} shown={whole} />
      <Usage name="Events" used={1_204} limit={null} shown={whole} />
    </Part>
    <Part title="Copy button">
      <Copyable text="lic_15" />
      <CopyableText text={'first line\nsecond line'} />
    </Part>
    <Part title="Icons">
      <IconSheet of={ICON_NAMES.filter((name) => !listed.includes(name))} />
      <ul class="rows">
        {ICON_NAMES.map((name) => (
          <li>
            <Icon name={name} /> {name}
          </li>
        ))}
      </ul>
    </Part>
  </div>
);

const Forms = () => (
  <Fragment>
    <FilterBar action={HERE}>
      <Field label="Filter bar" name="domain" hint="shop.example" />
      <Choice label="Choice" name="plan" of={['starter', 'pro']} none="any" />
    </FilterBar>
    <Problem text="Problem above a form." />
    <div class="cards">
      <Part title="Form fields">
        <form method="get" action={HERE} class="form">
          <Field label="Field" name="one" />
          <Field label="Field with an error" name="two" value="0" error="Enter a number from 1 to 90." />
          <Check label="Checkbox" name="three" />
          <div class="acts">
            <button type="submit">Main button</button>
            <button type="submit" class="quiet">
              Quiet button
            </button>
          </div>
        </form>
      </Part>
      <ActCard title="Confirm step" action={HERE} submit="Revoke" ask="Revoke lic_15?" isOpen isFinal>
        <Field label="Reason, for the audit log" name="reason" required />
      </ActCard>
    </div>
  </Fragment>
);

/** Shows each component in all variants. */
export function showKit({ set, operator }: Visit): Response {
  const now = Date.now();
  const hasPayments = operator.marks.hasPayments;
  // Icons that the sheet of the menu already contains.
  const listed = Object.values(PLACES)
    .map(({ icon }) => icon)
    .filter((icon) => icon !== 'payments' || hasPayments);
  return showPage(set, {
    title: 'Components',
    sub: 'Page head with actions; above it, sidebar and top bar',
    operator,
    actions: (
      <PageActions
        main={[{ href: HERE, words: 'Extend' }]}
        more={[{ href: HERE, words: 'Revoke', isFinal: true }]}
        label="More actions"
      />
    ),
    notices: [
      { words: 'Toast: plan changed from Pro to Enterprise.' },
      {
        words: 'Key panel: this key is shown once.',
        secret: 'rdt_live_example',
        letter: { title: 'Text for the customer', text: 'Your license key: rdt_live_example' },
      },
    ],
    children: (
      <Fragment>
        <Charts />
        <Rows now={now} />
        <Texts now={now} listed={listed} />
        <Forms />
      </Fragment>
    ),
  });
}
