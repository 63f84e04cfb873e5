import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FeedFact, FeedSummary } from '../../src/mirror/facts.ts';
import { FeedRefused } from '../../src/mirror/feed-refused.ts';
import { type FeedOptions, readFeed } from '../../src/mirror/read-feed.ts';
import { temporaryDirectory } from './temporary.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The moment at which tests read feeds. */
export const FEEDS_NOW = Date.parse('2026-11-23T04:00:00Z');

/** A record of OSV, with the fields in the order of its schema. */
export const osvRecord = (fields: Fields = {}): Fields => ({
  schema_version: '1.7.5',
  id: 'GHSA-aaaa-bbbb-cccc',
  modified: '2026-10-01T10:00:00.5Z',
  published: '2026-09-01T00:00:00Z',
  aliases: ['CVE-2026-1000'],
  related: ['CVE-2026-1001'],
  summary: 'Path traversal in <b>left-pad</b> &amp; friends',
  details: '# Impact\n<script>alert(1)</script>',
  severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' }],
  affected: [
    {
      package: { ecosystem: 'npm', name: 'left-pad', purl: 'pkg:npm/left-pad' },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.3.1' }] }],
      versions: ['1.3.0-rc.1'],
      database_specific: { source: 'https://example.org/advisory.json' },
    },
  ],
  references: [
    { type: 'ADVISORY', url: 'https://example.org/advisory' },
    { type: 'WEB', url: 'http://example.org/plain' },
  ],
  credits: [{ name: 'A Researcher', type: 'FINDER' }],
  database_specific: { cwe_ids: ['CWE-22'], severity: 'HIGH', github_reviewed: true },
  ...fields,
});

export const wordfenceSoftware = (fields: Fields = {}): Fields => ({
  type: 'plugin',
  name: 'Contact Us',
  slug: 'contact-us',
  affected_versions: {
    '* - 1.2.3': { from_version: '*', from_inclusive: true, to_version: '1.2.3', to_inclusive: true },
  },
  patched: true,
  patched_versions: ['1.2.4'],
  remediation: 'Update to version 1.2.4, or a newer patched version',
  ...fields,
});

export const WORDFENCE_ID = '7d5d05ad-1a7a-43d2-bbbf-597e975446be';

/** A record of Wordfence Intelligence v3, production. */
export const wordfenceRecord = (fields: Fields = {}): Fields => ({
  id: WORDFENCE_ID,
  title: 'Contact Us &lt;= 1.2.3 - Missing Authorization',
  software: [wordfenceSoftware()],
  informational: false,
  description: 'The Contact Us plugin for WordPress is vulnerable.',
  references: [`https://www.wordfence.com/threat-intel/vulnerabilities/id/${WORDFENCE_ID}?source=api-prod`],
  cwe: { id: 862, name: 'Missing Authorization', description: 'The product does not check.' },
  cvss: { vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N', score: 5.3, rating: 'Medium' },
  cve: 'CVE-2026-2000',
  cve_link: 'https://www.cve.org/CVERecord?id=CVE-2026-2000',
  researchers: ['A Researcher'],
  published: '2026-10-10 00:00:00',
  updated: '2026-10-12 13:14:15',
  copyrights: {
    message: 'This record contains material that is subject to copyright',
    defiant: {
      notice: 'Copyright 2012-2026 Defiant Inc.',
      license: 'Defiant hereby grants you a perpetual license.',
      license_url: 'https://www.wordfence.com/wordfence-intelligence-terms-and-conditions/',
    },
    mitre: {
      notice: 'Copyright 1999-2026 The MITRE Corporation',
      license: 'CVE Usage: MITRE hereby grants you a perpetual license.',
      license_url: 'https://www.cve.org/Legal/TermsOfUse',
    },
  },
  ...fields,
});

/** The same as the scanner feed has it, which knows less. */
export function scannerRecord(fields: Fields = {}): Fields {
  const { description, cwe, cvss, cve, cve_link, researchers, updated, ...known } = wordfenceRecord(fields);
  return known;
}

export const wordfenceFeed = (...records: readonly Fields[]): string =>
  JSON.stringify(Object.fromEntries(records.map((record) => [record.id, record])));

const CISA = '134c704f-9b21-4f2e-91b3-4a467353bcc0';

/** A container of CISA's ADP, as Vulnrichment writes it. */
export const cisaContainer = (...others: readonly Fields[]): Fields => ({
  title: 'CISA ADP Vulnrichment',
  metrics: [
    {
      other: {
        type: 'ssvc',
        content: {
          id: 'CVE-2026-3000',
          role: 'CISA Coordinator',
          options: [{ Exploitation: 'active' }, { Automatable: 'yes' }, { 'Technical Impact': 'total' }],
          version: '2.0.3',
          timestamp: '2026-04-09T17:41:34.835995Z',
        },
      },
    },
    ...others,
  ],
  providerMetadata: { orgId: CISA, shortName: 'CISA-ADP', dateUpdated: '2026-04-09T17:41:36.776Z' },
});

export const cveProduct = (fields: Fields = {}): Fields => ({
  vendor: 'appsbd',
  product: 'Vite Coupon',
  versions: [
    {
      status: 'affected',
      changes: [{ at: '1.0.10', status: 'unaffected' }],
      version: 'n/a',
      versionType: 'custom',
      lessThanOrEqual: '<= 1.0.9',
    },
  ],
  packageName: 'vite-coupon',
  collectionURL: 'https://wordpress.org/plugins',
  defaultStatus: 'unaffected',
  ...fields,
});

/** A record of CVE JSON 5.2 of a WordPress plugin, as Patchstack and CISA write their parts. */
export const cveRecord = (fields: { cna?: Fields; adp?: readonly Fields[]; meta?: Fields } = {}): Fields => ({
  dataType: 'CVE_RECORD',
  containers: {
    adp: fields.adp ?? [cisaContainer()],
    cna: {
      title: 'WordPress Vite Coupon plugin <= 1.0.9 - CSRF vulnerability',
      metrics: [
        {
          format: 'CVSS',
          cvssV3_1: { version: '3.1', vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:H' },
        },
      ],
      affected: [cveProduct()],
      references: [{ url: 'https://patchstack.com/database/x?_s_id=cve', tags: ['vdb-entry'] }],
      descriptions: [{ lang: 'en', value: 'Cross-Site Request Forgery.' }],
      problemTypes: [{ descriptions: [{ lang: 'en', type: 'CWE', cweId: 'CWE-352', description: 'CSRF' }] }],
      providerMetadata: { orgId: '21595511-bba5-4825-b968-b78d1f9984a3', shortName: 'Patchstack' },
      ...fields.cna,
    },
  },
  cveMetadata: {
    cveId: 'CVE-2026-3000',
    state: 'PUBLISHED',
    dateUpdated: '2026-04-28T16:12:26.824Z',
    datePublished: '2026-04-09T16:09:22.376Z',
    assignerShortName: 'Patchstack',
    ...fields.meta,
  },
  dataVersion: '5.2',
});

/** An entry of CISA's catalogue. */
export const kevEntry = (fields: Fields = {}): Fields => ({
  cveID: 'CVE-2026-4000',
  vendorProject: 'Vendor',
  product: 'Product',
  vulnerabilityName: 'Vendor Product Command Injection Vulnerability',
  dateAdded: '2026-11-03',
  shortDescription: 'Vendor Product contains a command injection.',
  requiredAction: 'Apply mitigations per vendor instructions.',
  dueDate: '2026-11-17',
  knownRansomwareCampaignUse: 'Known',
  forensicTriage: 'No',
  notes: 'https://example.org',
  cwes: ['CWE-77'],
  ...fields,
});

export const kevCatalogue = (entries: readonly Fields[] = [kevEntry()], fields: Fields = {}): Fields => ({
  title: 'CISA Catalog of Known Exploited Vulnerabilities',
  catalogVersion: '2026.11.20',
  dateReleased: '2026-11-20T14:00:11.1234Z',
  count: entries.length,
  vulnerabilities: entries,
  ...fields,
});

/** An entry of ENISA's list (enisaeu/CNW, eukev/schemas/v1). */
export const enisaEntry = (fields: Fields = {}): Fields => ({
  cveID: 'CVE-2026-5000',
  euvdID: 'EUVD-2026-5000',
  vendorProject: 'Vendor',
  product: 'Product',
  dateReported: '2026/10/07',
  originSource: 'CNW',
  shortDescription: 'Text',
  exploitationType: ['ransomware', 'APT'],
  ...fields,
});

export const epssFile = (rows: readonly string[], date = '2026-10-04T12:00:21Z'): string =>
  [`#model_version:v2026.06.15,score_date:${date}`, 'cve,epss,percentile', ...rows, ''].join('\n');

/** A statement of OpenVEX about the package that {@link osvRecord} calls affected. */
export const vexStatement = (fields: Fields = {}): Fields => ({
  vulnerability: { name: 'CVE-2026-1000', aliases: ['GHSA-aaaa-bbbb-cccc'] },
  products: [
    { '@id': 'pkg:npm/left-pad@1.2.0', subcomponents: [{ '@id': 'pkg:npm/inner@1.0.0' }] },
    { '@id': 'urn:product', identifiers: { purl: 'pkg:npm/%40scope/right-pad@2.0.0' } },
  ],
  status: 'not_affected',
  justification: 'vulnerable_code_not_in_execute_path',
  impact_statement: 'The <b>path</b> is constant',
  ...fields,
});

/** A document of OpenVEX 0.2.0. */
export const openVex = (fields: Fields = {}): Fields => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': 'https://openvex.example.org/docs/2026-1',
  author: 'Supplier',
  timestamp: '2026-10-08T18:02:03.647787998-06:00',
  version: 1,
  statements: [vexStatement()],
  ...fields,
});

/** A document of CSAF 2.0 with the profile VEX. */
export const csafVex = (
  fields: { tracking?: Fields; tree?: Fields; vulnerability?: Fields } = {},
): Fields => ({
  document: {
    category: 'csaf_vex',
    csaf_version: '2.0',
    title: 'Statement',
    publisher: { category: 'vendor', name: 'Supplier', namespace: 'https://supplier.example' },
    tracking: {
      current_release_date: '2026-10-09T10:00:00.000Z',
      id: 'SUPPLIER-2026-1',
      initial_release_date: '2026-10-09T10:00:00.000Z',
      revision_history: [{ date: '2026-10-09T10:00:00.000Z', number: '1', summary: 'First' }],
      status: 'final',
      version: '1',
      ...fields.tracking,
    },
  },
  product_tree: {
    branches: [
      {
        category: 'vendor',
        name: 'Supplier',
        branches: [
          {
            category: 'product_name',
            name: 'left-pad',
            branches: ['1.2.0', '1.3.0'].map((version) => ({
              category: 'product_version',
              name: version,
              product: {
                product_id: `left-pad-${version}`,
                name: `left-pad ${version}`,
                product_identification_helper: { purl: 'pkg:npm/left-pad' },
              },
            })),
          },
        ],
      },
    ],
    product_groups: [{ group_id: 'all', product_ids: ['left-pad-1.2.0', 'left-pad-1.3.0'] }],
    ...fields.tree,
  },
  vulnerabilities: [
    {
      cve: 'CVE-2026-1000',
      product_status: { known_not_affected: ['left-pad-1.2.0'], known_affected: ['left-pad-1.3.0'] },
      flags: [{ label: 'vulnerable_code_not_present', group_ids: ['all'] }],
      threats: [{ category: 'impact', details: 'Not compiled in' }],
      ...fields.vulnerability,
    },
  ],
});

export interface ReadFeed {
  readonly facts: readonly FeedFact[];
  readonly summary: FeedSummary;
}

/** A file with this content: text, bytes, or what becomes JSON. */
export function feedFile(content: unknown): string {
  const path = join(temporaryDirectory(), 'feed');
  const isRaw = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(path, isRaw ? content : JSON.stringify(content));
  return path;
}

/** What a feed of this content gives. */
export async function read(content: unknown, options: Partial<FeedOptions> = {}): Promise<ReadFeed> {
  const facts: FeedFact[] = [];
  const take = (some: readonly FeedFact[]) => void facts.push(...some);
  const summary = await readFeed(feedFile(content), take, { nowMs: FEEDS_NOW, ...options });
  return { facts, summary };
}

/** Why a feed of this content is refused, and with which words. */
export const refusalOf = (
  content: unknown,
  options: Partial<FeedOptions> = {},
): Promise<[why: string, words: string]> =>
  read(content, options).then(
    () => ['taken', ''],
    (error: unknown) => (error instanceof FeedRefused ? [error.why, error.message] : Promise.reject(error)),
  );
