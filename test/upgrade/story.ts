import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportFeed, writeBundle } from '../../src/operator/feed-exchange/export-feed.ts';
import { adminOf, tokenOf } from '../support/admin.ts';
import { API, call } from '../support/client.ts';
import { Browser, operatorOf, setUpSecondFactor } from '../support/console.ts';
import { knownTenant } from '../support/known-tenant.ts';
import { portalOf } from '../support/portal.ts';
import { newReleaseKey } from '../support/releases.ts';
import { askScan, endedScan } from '../support/scans.ts';
import { type RunningService, start, until } from '../support/service.ts';
import { DECOY_TRIP, RESTORE, SIGNALS, THREAT_REPORT } from '../support/signals.ts';
import { rows } from '../support/store.ts';
import { StripeAccount } from '../support/stripe/account.ts';
import { StripeApi } from '../support/stripe/handlers.ts';
import { serveStripe } from '../support/stripe/server.ts';
import { delivery } from '../support/stripe/webhook.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { assess, tenantOf } from '../support/trust.ts';
import { TENANT, type Told } from './answers.ts';
import { SETTINGS } from './kept.ts';
import { importVulnerability, KNOWN_VULNERABILITY } from './known-vulnerability.ts';

const PATIENCE_MS = 30_000;

/** Fills every table of a service, as tenants, operators and Stripe would, and stops it. */
export async function tellStory(directory: string): Promise<Told> {
  const account = new StripeAccount();
  const api = new StripeApi(account);
  const stripe = await serveStripe(api);
  const service = await start('binary', {
    ...SETTINGS,
    SERVICE_DATA_DIR: directory,
    // The domains of a story have no sites.
    SERVICE_SURFACE_SCANS: '0',
    ...stripe.settings,
  });
  try {
    await service.command('notify', 'add', 'ops', 'https://receiver.invalid/hook');
    await importVulnerability(service);
    const licenses = await tellOfLicenses(service);
    const paid = await tellOfPayments(service, account, api);
    const tenant = await tellOfTenant(service);
    const shown = await tellOfTrust(service);
    await tellOfThreats(service);
    await tellOfOperators(service, tenant.licenseId);
    for (const table of ['delivery_logs', 'fleet_days'])
      await until(() => Number(rows(service, `select count(*) as n from ${table}`)[0]?.n) > 0, PATIENCE_MS);
    return {
      keys: { [TENANT]: tenant.key, ...licenses, ...paid, shown: shown.key },
      ids: {
        ...tenant.ids,
        trustId: [...tenant.ids.trustId, shown.trustId],
        vulnerabilityId: [KNOWN_VULNERABILITY, 'CVE-1998-9999'],
      },
    };
  } finally {
    await service.end();
    stripe.close();
  }
}

/** Sends a request that must be accepted. */
async function send({ url }: RunningService, path: string, body: unknown, key?: string) {
  const { status, text, json } = await call(url, API + path, { body, ...(key === undefined ? {} : { key }) });
  if (status >= 300) throw new Error(`${path}: ${text}`);
  return json;
}

/** Licenses in every state that an operator can cause. */
async function tellOfLicenses(service: RunningService) {
  const act = (words: string, id: string) =>
    service.command('license', ...words.split(' '), id, '--reason', 'a story');
  const issue = async (name: string, ...options: string[]) => {
    const { key, license_id } = await service.issue(...options, '--domain', `${name}.example.com`);
    await send(service, '/telemetry', { site_url: `${name}.example.com`, license_key: key }, key);
    return { key, id: license_id };
  };
  const [free, starter, trial, suspended, revoked, rotated, test] = await Promise.all([
    issue('free', '--plan', 'free', '--note', 'a note'),
    issue('starter', '--plan', 'starter', '--customer', 'Example Ltd', '--email', 'ann@example.com'),
    issue('trial', '--plan', 'pro', '--trial'),
    issue('suspended', '--plan', 'pro', '--external-id', 'order-1'),
    issue('revoked', '--plan', 'pro'),
    issue('rotated', '--plan', 'pro', '--allow-module', 'pc_guard', '--deny-module', 'ai_analysis'),
    service.issue('--plan', 'enterprise', '--test'),
  ]);
  await act('suspend --hold operator', suspended.id);
  await act('revoke --yes', revoked.id);
  await send(service, '/license/verify', { api_key: suspended.key, domain: 'suspended.example.com' });
  await act('change --sites 7 --daily-events 1000', starter.id);
  await act('block --domain kept-out.example.com', starter.id);
  const { key: renewed } = JSON.parse(await act('rotate --grace 30d --json', rotated.id));
  return {
    free: free.key,
    starter: starter.key,
    trial: trial.key,
    suspended: suspended.key,
    revoked: revoked.key,
    rotated: rotated.key,
    renewed,
    test: test.key,
  };
}

/** A trial with a card, and a subscription whose payment is disputed. */
async function tellOfPayments(service: RunningService, account: StripeAccount, api: StripeApi) {
  const deliver = async () => {
    for (const event of account.events) {
      const { body, signature } = delivery(event);
      await call(service.url, '/webhooks/stripe', { body, headers: { 'stripe-signature': signature } });
    }
    const waiting = 'select count(*) as n from payment_events where processed_at is null';
    await until(() => rows(service, waiting)[0]?.n === 0, PATIENCE_MS);
  };
  const wanted = {
    domain: 'carded.example.com',
    install_hash: 'installation-carded',
    email: 'owner@example.com',
  };
  const { license_key: carded, client_secret } = await send(service, '/license/trial', wanted);
  account.confirmCard(client_secret);
  await deliver();
  const cart = { items: ['pro', 'pc-guard'], domain: 'bought.example.com', email: 'buyer@example.com' };
  const { checkout_url } = await send(service, '/checkout', cart);
  const order = checkout_url.split('/').at(-1);
  const { customer } = api.pay(order);
  await deliver();
  const page = await call(service.url, `/checkout/done?session_id=${order}`, { method: 'POST' });
  account.dispute(String(customer));
  await deliver();
  return { carded, bought: /rdt_(?:live|test)_[0-9A-Za-z]{39}/.exec(page.text)?.[0] ?? '' };
}

/** A tenant that uses every feature. */
async function tellOfTenant(service: RunningService) {
  const { key, licenseId, domain, ids } = await knownTenant(service, TENANT);
  for (const { path, body } of [...SIGNALS, RESTORE, DECOY_TRIP]) await send(service, path, body, key);
  await send(service, `/sites/${ids.site}/importance`, { importance: 'high', exposure: 'open' }, key);
  const content = { input_type: 'code', content: '<?php eval($_POST[1]);' };
  await send(service, '/brain/analyze', content, key);
  const wanted = { site_url: domain, scan_type: 'assessment' };
  const { scan_id } = (await askScan(service, key, wanted, { 'idempotency-key': 'scan-1' })).json.data;
  await endedScan(service, key, scan_id);
  await send(service, `/credentials/${ids.licenseCredential}/revoke`, { reason: 'requested' }, key);
  await send(service, '/license/verify', { api_key: key, domain });
  // A checkpoint is signed on request.
  await call(service.url, `${API}/evidence/checkpoint`, { key });
  await portalOf(service, key);
  const known = (...names: string[]) => names.flatMap((name) => ids[name] ?? []);
  return {
    key,
    licenseId,
    ids: {
      siteId: known('site', 'otherSite'),
      scanId: [...known('scan', 'otherScan'), scan_id],
      credentialId: known('licenseCredential', 'siteCredential'),
      trustId: known('trust'),
      index: ['0', '1', '2'],
    },
  };
}

/** A tenant with a site that is publicly shown as assessed. */
async function tellOfTrust(service: RunningService) {
  const domain = 'shown.example.com';
  const tenant = await tenantOf(service, domain);
  assess(service, tenant, domain, 'A');
  const { data } = await send(service, `/sites/${tenant.sites[domain]}/trust`, { enabled: true }, tenant.key);
  return { key: tenant.key, trustId: String(data.trust_id) };
}

/** Threats that three customers have reported, one of which the operator excludes from the feed. */
async function tellOfThreats(service: RunningService): Promise<void> {
  const { body } = THREAT_REPORT;
  const threats = ['one', 'two', 'three'].map((payloadHash) => ({ ...body, payloadHash }));
  let keptOut = '';
  for (let reporter = 0; reporter < 3; reporter++) {
    const { key } = await service.issue('--plan', 'starter');
    for (const threat of threats)
      keptOut = (await send(service, THREAT_REPORT.path, threat, key)).data.fingerprintKey;
  }
  await service.command('feed', 'allow', keptOut, '--reason', 'a story');
  await importFeed(service);
  await service.command('feed', 'rebuild');
}

/** Imports the feed of another installation. */
async function importFeed(service: RunningService): Promise<void> {
  const stick = temporaryDirectory();
  const { signer, publicFile } = newReleaseKey();
  writeFileSync(join(stick, 'north.pub'), publicFile);
  const fingerprint = 'A'.repeat(43);
  const threat = { fingerprint, attack_type: 'xss', severity: 'medium', corroboration_count: 3 };
  const snapshot = { epoch: 1, generatedAt: Date.now(), entries: JSON.stringify([threat]), own: null };
  writeBundle(join(stick, 'north.json.gz'), exportFeed(snapshot, signer));
  await service.command('feed', 'trust', 'add', 'north', join(stick, 'north.pub'), '--reason', 'a story');
  await service.command('feed', 'import', join(stick, 'north.json.gz'));
}

/** Operators and programs that manage all that. */
async function tellOfOperators(service: RunningService, license: string): Promise<void> {
  await setUpSecondFactor(await operatorOf(service, 'ann'));
  await new Browser(service).signIn('ann', 'not the password');
  const admin = adminOf(service, await tokenOf(service));
  await admin(`/licenses/${license}/change`, { once: 'a', body: { note: 'a note' } });
  const [alert] = JSON.parse(await service.command('alert', 'list', '--license', license, '--json'));
  const named = [license, alert.domain, alert.subject];
  await service.command('alert', 'acknowledge', ...named, '--note', 'a note');
  const asserted = ['--exploitation', 'active', '--reason', 'seen in our logs'];
  await service.command('vulns', 'assert', KNOWN_VULNERABILITY, ...asserted);
}
