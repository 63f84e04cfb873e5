import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameHash } from '../domain/vulnerability/ecosystem.ts';
import type { InventoryComponent } from '../domain/vulnerability/inventory.ts';
import { iso, utcDay } from '../lib/clock.ts';
import type { WantedFeed } from '../operator/import-vulnerabilities.ts';
import type { Store } from '../terminal/store.ts';
import { type Imported, importFeeds } from './vulns-import-feeds.ts';

// Made up: no CVE has the year 1998, and no component these names.
const TAKEOVER = 'CVE-1998-0001';
const SCRIPTING = 'CVE-1998-0002';
const PACKAGE = 'CVE-1998-0003';
const PRICES = 'CVE-1998-0004';

interface DemoVulnerability {
  readonly id: string;
  readonly cve: string;
  readonly title: string;
  readonly vector: string;
  readonly ecosystem: string;
  readonly name: string;
  readonly fixed: string;
}

const VULNERABILITIES: readonly DemoVulnerability[] = [
  {
    id: 'DEMO-0001',
    cve: TAKEOVER,
    title: 'Example Gallery < 1.2.4: unauthenticated arbitrary file upload',
    vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    ecosystem: 'WordPress:Plugin',
    name: 'example-gallery',
    fixed: '1.2.4',
  },
  {
    id: 'DEMO-0002',
    cve: SCRIPTING,
    title: 'Example Forms before 4.0.1: an author can store a script',
    vector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:R/S:C/C:L/I:L/A:N',
    ecosystem: 'WordPress:Plugin',
    name: 'example-forms',
    fixed: '4.0.1',
  },
  {
    id: 'DEMO-0003',
    cve: PACKAGE,
    title: '@example/left-trim before 2.1.0: a long text takes minutes',
    vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
    ecosystem: 'npm',
    name: '@example/left-trim',
    fixed: '2.1.0',
  },
  {
    id: 'DEMO-0004',
    cve: PRICES,
    title: 'Example Shop before 3.2.0: a visitor can read the prices of others',
    vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
    ecosystem: 'WordPress:Plugin',
    name: 'example-shop',
    fixed: '3.2.0',
  },
];

const recordOf = ({ id, cve, title, vector, ecosystem, name, fixed }: DemoVulnerability, now: number) => ({
  schema_version: '1.7.5',
  id,
  modified: iso(now),
  published: iso(now),
  aliases: [cve],
  summary: title,
  severity: [{ type: 'CVSS_V3', score: vector }],
  affected: [
    {
      package: { ecosystem, name },
      ranges: [
        {
          type: ecosystem === 'npm' ? 'SEMVER' : 'ECOSYSTEM',
          events: [{ introduced: '0' }, { fixed }],
        },
      ],
    },
  ],
});

const catalogue = (now: number) => ({
  title: 'Known exploited vulnerabilities of the demonstration',
  catalogVersion: '1998.01.01',
  dateReleased: iso(now),
  count: 1,
  vulnerabilities: [
    {
      cveID: TAKEOVER,
      vendorProject: 'Example',
      product: 'Gallery',
      vulnerabilityName: 'Example Gallery Upload Vulnerability',
      dateAdded: utcDay(now),
      shortDescription: 'Invented for the demonstration.',
      requiredAction: 'Update it.',
      dueDate: utcDay(now),
      knownRansomwareCampaignUse: 'Unknown',
      notes: '',
      cwes: ['CWE-434'],
    },
  ],
});

const likelihoods = (now: number): string =>
  [
    `#model_version:v2026.06.15,score_date:${iso(now)}`,
    'cve,epss,percentile',
    `${TAKEOVER},0.71,0.99`,
    `${SCRIPTING},0.003,0.21`,
    `${PACKAGE},0.011,0.55`,
    `${PRICES},0.18,0.93`,
    '',
  ].join('\n');

/** What a site of the demonstration runs. */
export const DEMO_COMPONENTS = [
  { ecosystem: 'wordpress-plugin', name: 'example-gallery', version: '1.2.3' },
  { ecosystem: 'wordpress-plugin', name: 'example-forms', version: '4.0.0' },
  { ecosystem: 'wordpress-theme', name: 'example-theme', version: '2.0' },
] as const;

/** What is wrong with the components of a site. */
export type ComponentState = 'exploited' | 'urgent' | 'minor' | 'current';

type DemoComponent = Readonly<Record<'ecosystem' | 'name' | 'version', string>>;

const [GALLERY, FORMS, THEME] = DEMO_COMPONENTS;
const SHOP = { ecosystem: 'wordpress-plugin', name: 'example-shop', version: '3.1.4' } as const;
const GOOD_FORMS = { ...FORMS, version: '4.0.1' };
const COMPONENTS: Readonly<Record<ComponentState, readonly DemoComponent[]>> = {
  exploited: [GALLERY, THEME],
  urgent: [SHOP, GOOD_FORMS, THEME],
  minor: [FORMS, THEME],
  current: [{ ...GALLERY, version: '1.2.4' }, GOOD_FORMS, THEME],
};

/** Components of a site, as they are kept of one that told of them just now. */
export const demoInventory = (state: ComponentState, now: number): InventoryComponent[] =>
  COMPONENTS[state].map(({ ecosystem, name, version }) => ({
    ecosystem,
    name,
    nameHash: nameHash(ecosystem, name),
    version,
    status: 'active',
    since: now,
    activeSince: now,
    firstSeen: {},
  }));

/**
 * Lays feeds with made-up vulnerabilities beside the database, as an operator would have them on a stick, for as long as they
 * are used.
 */
async function withDemoFeeds<Value>(
  directory: string,
  now: number,
  use: (feeds: readonly WantedFeed[]) => Promise<Value>,
): Promise<Value> {
  const folder = mkdtempSync(join(directory, 'demo-feeds-'));
  const lay = (name: string, source: string, text: string): WantedFeed => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return { path, source };
  };
  try {
    return await use([
      lay('osv.json', 'demo', JSON.stringify(VULNERABILITIES.map((one) => recordOf(one, now)))),
      lay('kev.json', 'demo:kev', JSON.stringify(catalogue(now))),
      lay('epss.csv', 'demo:epss', likelihoods(now)),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Imports the feeds as an operator would. */
export const importDemoFeeds = (store: Store, directory: string, now: number): Promise<Imported> =>
  withDemoFeeds(directory, now, (feeds) =>
    importFeeds(store, { directory, feeds, force: true, dryRun: false, act: { actor: 'system', now } }),
  );
