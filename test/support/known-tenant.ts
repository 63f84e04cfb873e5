import { getColumns, getTableName } from 'drizzle-orm';
import { TABLES } from '../../src/storage/subjects.ts';
import { API, call } from './client.ts';
import { endedScan } from './scans.ts';
import type { RunningService } from './service.ts';
import { signalAt } from './signals.ts';
import { rows } from './store.ts';
import { assess } from './trust.ts';

/** A tenant with data in every table and field, each text of it with a mark. */
export interface KnownTenant {
  readonly key: string;
  readonly licenseId: string;
  readonly mark: string;
  readonly domain: string;
  /** The ids of its objects, by kind. */
  readonly ids: Readonly<Record<string, string>>;
  /** The cursors to the second page of its lists. */
  readonly cursors: readonly string[];
  /** The answers of the API, at every path with stored data. */
  readonly answers: () => Promise<Readonly<Record<string, string>>>;
}

/**
 * Creates one; with a trust state and credentials, where its service has a public address for them.
 *
 * @param mark a word of lower-case letters
 */
export async function knownTenant(service: RunningService, mark: string): Promise<KnownTenant> {
  const domains = [`${mark}.example.com`, `second.${mark}.example.com`] as const;
  const [domain] = domains;
  const named = domains.flatMap((name) => ['--domain', name]);
  const { key, license_id: licenseId } = await service.issue('--plan', 'enterprise', ...named);
  const ask = async (path: string, body?: unknown) => {
    const reply = await call(service.url, API + path, { key, ...(body === undefined ? {} : { body }) });
    if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
    return reply.json.data;
  };
  for (const name of domains) {
    await service.command('license', 'verify-domain', licenseId, '--domain', name);
    const stats = { [`${mark}_count`]: 7, [`${mark}_word`]: `${mark} stats` };
    await ask('/telemetry', {
      site_url: `https://${name}`,
      license_key: key,
      plugin_version: `1.0-${mark}`,
      stats,
    });
    const event = {
      severity: 'critical',
      message: `${mark} message`,
      metadata: { [mark]: `${mark} metadata` },
    };
    await ask('/telemetry', {
      domain: name,
      site_uuid: `${mark}-${name.replaceAll('.', '-')}`,
      events: [
        { ...event, type: `${mark}_found`, event_id: `${name}-1` },
        { ...event, type: `${mark}_again`, event_id: `${name}-2` },
      ],
    });
  }
  const { sites } = await ask('/sites');
  const [site, other]: string[] = sites.map(({ id }: { id: string }) => id);
  await ask(`/sites/${site}/components`, {
    components: [
      { ecosystem: 'wordpress-plugin', name: 'example-gallery', version: '1.2.3' },
      { ecosystem: 'wordpress-plugin', name: `${mark}-plugin`, version: '1.0.0' },
    ],
  });
  const { path, body } = signalAt('/keyhygiene/signal');
  await ask(path, body);
  const scans: string[] = [];
  for (const name of domains) {
    const { scan_id } = await ask('/scans', { site_url: name, scan_type: 'posture' });
    await endedScan(service, key, scan_id);
    scans.push(scan_id);
  }
  await ask(`/sites/${site}/scan-schedule`, { interval_hours: 24, scan_type: 'posture' });
  assess(service, { number: Number(licenseId.slice(4)) }, domain, 'B');
  const shown: Record<string, string> = {};
  if (service.env.SERVICE_BASE_URL !== undefined) {
    shown.trust = (await ask(`/sites/${site}/trust`, { enabled: true })).trust_id;
    shown.licenseCredential = (await ask('/credentials', { type: 'license' })).credential_id;
    shown.siteCredential = (await ask('/credentials', { type: 'site_posture', site_id: site })).credential_id;
  }
  const [event] = (await ask('/events')).events;
  const lists = ['/sites', '/events', '/scans', '/credentials', '/evidence/entries'];
  const pages = await Promise.all(lists.map((list) => ask(`${list}?limit=1`)));
  const siteWords = ['', '/components', '/vulnerabilities', '/verification', '/scan-schedule', '/trust'];
  const told = [
    ...['/me', ...lists, ...siteWords.map((word) => `/sites/${site}${word}`)],
    ...[
      `/sites/${other}`,
      `/scans/${scans[0]}`,
      ...(shown.siteCredential ? [`/credentials/${shown.siteCredential}`] : []),
    ],
  ];
  return {
    key,
    licenseId,
    mark,
    domain,
    ids: {
      site: site ?? '',
      otherSite: other ?? '',
      scan: scans[0] ?? '',
      otherScan: scans[1] ?? '',
      event: event.id,
      ...shown,
    },
    cursors: pages.flatMap(({ next_cursor }) => next_cursor ?? []),
    answers: async () =>
      Object.fromEntries(
        await Promise.all(told.map(async (path) => [path, JSON.stringify(await ask(path))] as const)),
      ),
  };
}

/** Every row of a license in every table, except its sessions and refused requests, which are stored later. */
export function rowsOf(service: RunningService, licenseId: string): Readonly<Record<string, unknown>> {
  const tables = TABLES.filter((table) =>
    Object.values(getColumns(table)).some(({ name }) => name === 'license_id'),
  )
    .map(getTableName)
    .filter((name) => !['portal_sessions', 'license_activity', 'refused_domains'].includes(name));
  const number = Number(licenseId.slice(4));
  return Object.fromEntries(
    tables.map((name) => [
      name,
      rows(service, `select * from ${name} where license_id = ? order by 1, 2`, number),
    ]),
  );
}
