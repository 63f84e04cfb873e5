import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { disconnect, inTransaction } from '../../../src/storage/engine/database.ts';
import { evidenceEntries } from '../../../src/storage/evidence/evidence-entries.ts';
import { API, call } from '../../support/client.ts';
import type { Browser } from '../../support/console.ts';
import { foreignIn, tagsOf } from '../../support/markup.ts';
import { portalOf } from '../../support/portal.ts';
import { type RunningService, run, sharedService } from '../../support/service.ts';
import { openStore, rows, stored } from '../../support/store.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const PATH = '/portal/evidence';
const CREDENTIALS = `${PATH}/credentials`;
const HOSTILE = '<script>alert(1)</script>"\'&';
const NOTHING = '6f1c1d0e-8a57-4b1c-9a53-0d8f5c1f7a42';

let service: RunningService;
let [keyOfOne, credentialId]: string[] = [];
let [one, other, free]: Browser[] = [];
beforeAll(async () => {
  service = await sharedService('binary', 'issuer');
  const issued = await service.issue('--plan', 'pro');
  keyOfOne = issued.key;
  await keep(issued.license_id, 30, { [HOSTILE]: HOSTILE });
  const body = { type: 'license' };
  const reply = await call(service.url, `${API}/credentials`, { key: keyOfOne, body });
  credentialId = reply.json.data.credential_id;
  one = await portalOf(service, keyOfOne);
  other = await portalOf(service, (await service.issue('--plan', 'pro')).key);
  free = await portalOf(service, (await service.issue('--plan', 'free')).key);
});
afterAll(() => {
  expect(service.log()).not.toContain('unexpected error');
});

/** Adds another license's credential to a license, under another id. */
const copyCredential = (license: string, id: string, at: number) =>
  rows(
    service,
    `insert into credentials (public_id, license_id, type, basis, kid, list_id, list_index, token, issued_at, expires_at)
      select ?, ?, type, ?, kid, list_id, ?, token, issued_at, expires_at from credentials where public_id = ?`,
    ...[id, Number(license.slice(4)), `copy ${at}`, 200_000 + at, credentialId ?? ''],
  );
/** Adds entries to the log of a license. */
async function keep(license: string, count: number, data: Readonly<Record<string, unknown>>): Promise<void> {
  const db = openStore(service);
  const { keepEvidence } = evidenceEntries(db);
  const entry = {
    licenseId: Number(license.slice(4)),
    type: 'scan',
    at: Date.now(),
    siteId: null,
    data,
  } as const;
  await inTransaction(db, async () => {
    for (let kept = 0; kept < count; kept += 1) await keepEvidence(entry);
  });
  await disconnect(db);
}
const as = (browser: Browser | undefined): Browser => {
  if (browser === undefined) throw new Error('the service did not start');
  return browser;
};
const api = (path: string) => call(service.url, API + path, { key: keyOfOne });
const nextIn = (text: string) => /<a href="([^"]+)" rel="next">/.exec(text)?.[1]?.replaceAll('&amp;', '&');
const numbersIn = (text: string) =>
  [...text.matchAll(/<th scope="row">(\d+)<\/th>/g)].map(([, number]) => Number(number));
const file = (name: string, text: string) => {
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, text);
  return path;
};
const attached = (headers: Headers) => headers.get('content-disposition');

test('the page shows the state of the log as it is signed', async () => {
  const { status, text } = await as(one).get(PATH);
  const { data } = (await api('/evidence')).json;
  expect(status).toBe(200);
  for (const shown of [data.origin, data.root_hash, data.vkey.replaceAll('&', '&amp;')])
    expect(text).toContain(`<code>${shown}</code>`);
});

test('entries are listed in pages, each once, the oldest of the last days first', async () => {
  const walked: number[] = [];
  for (let path: string | undefined = PATH; path !== undefined; ) {
    const { text } = await as(one).get(path);
    walked.push(...numbersIn(text));
    path = nextIn(text);
  }
  const { entries } = (await api('/evidence/entries?limit=200')).json.data;
  expect(entries.length).toBeGreaterThan(20);
  expect(walked).toEqual(entries.map(({ index }: { index: number }) => index));
});

test('a malformed cursor is refused on the page', async () => {
  const { status, text } = await as(one).get(`${PATH}?cursor=${encodeURIComponent(HOSTILE)}`);
  expect([status, text.includes('role="alert"'), numbersIn(text)]).toEqual([400, true, []]);
});

test('a log of several pages of the API is one file that verifies', async () => {
  const { key, license_id } = await service.issue('--plan', 'pro');
  await keep(license_id, 2_100, {});
  const { headers } = await call(service.url, `${API}/evidence/export`, { key });
  expect(headers.get('link')).toContain('rel="next"');
  const { text } = await (await portalOf(service, key)).post(`${PATH}/export`);
  const log = file('evidence.ndjson', text);
  const { stdout } = await run('binary', {}, 'evidence', 'verify', log, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ holds: true, whole: true });
  expect(text.split('\n').filter((line) => line.includes('"format"'))).toHaveLength(2);
});

test('an export of days has their entries; a malformed day is refused on the page', async () => {
  const { text } = await as(one).post(`${PATH}/export`, { until: '2020-01-01' });
  expect(text.trimEnd().split('\n')).toHaveLength(1);
  const refused = await as(one).post(`${PATH}/export`, { since: 'yesterday' });
  expect([refused.status, attached(refused.headers)]).toEqual([400, null]);
  expect(refused.text).toContain('value="yesterday"');
});

test('a page of another origin gets no file', async () => {
  const { status, headers } = await as(one).post(`${PATH}/export`, {}, { origin: 'https://evil.example' });
  expect([status, attached(headers)]).toEqual([403, null]);
});

test('credentials are listed by status, and each is a file that the service verifies', async () => {
  const link = `${CREDENTIALS}/${credentialId}/download`;
  for (const path of [PATH, CREDENTIALS, `${CREDENTIALS}?status=valid`])
    expect((await as(one).get(path)).text).toContain(`<a href="${link}">`);
  expect((await as(one).get(`${CREDENTIALS}?status=expired`)).text).not.toContain(link);
  expect((await as(one).get(`${CREDENTIALS}?status=odd`)).status).toBe(400);
  const { status, headers, text } = await as(one).get(link);
  expect([status, attached(headers), headers.get('content-type')]).toEqual([
    200,
    `attachment; filename="${credentialId}.jwt"`,
    'application/vc+jwt',
  ]);
  const body = { credential: text };
  const verified = await call(service.url, `${API}/credentials/verify`, { key: keyOfOne, body });
  expect(verified.json.data.valid).toBe(true);
});

test('credentials are listed in pages, each once', async () => {
  const { key, license_id } = await service.issue('--plan', 'pro');
  const id = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
  for (let at = 0; at < 60; at += 1) copyCredential(license_id, id(at), at);
  const browser = await portalOf(service, key);
  const walked: string[] = [];
  for (let path: string | undefined = CREDENTIALS; path !== undefined; ) {
    const { text } = await browser.get(path);
    walked.push(...[...text.matchAll(/credentials\/([\w-]{36})\/download/g)].map(([, found = '']) => found));
    path = nextIn(text);
  }
  expect(walked).toEqual(Array.from({ length: 60 }, (_, at) => id(59 - at)));
});

test('another tenant’s credential is not found, like one that never existed', async () => {
  const before = stored(service);
  const [foreign, unknown] = [credentialId, NOTHING].map((id) => `${CREDENTIALS}/${id}/download`);
  const theirs = await as(other).get(foreign ?? '');
  expect([theirs.status, attached(theirs.headers)]).toEqual([404, null]);
  expect(theirs.text).toBe((await as(other).get(unknown ?? '')).text);
  expect((await as(other).get(`${CREDENTIALS}/..%2Fme/download`)).status).toBe(404);
  expect((await as(other).get(CREDENTIALS)).text).not.toContain(credentialId);
  expect(stored(service)).toEqual(before);
});

test('a plan without evidence shows the plan that includes it, offers no file, and still has its credentials', async () => {
  const page = await as(free).get(PATH);
  expect([page.status, page.text.includes('Requires the plan pro')]).toEqual([403, true]);
  expect(page.text).toContain(`href="${CREDENTIALS}"`);
  expect((await as(free).get(CREDENTIALS)).status).toBe(200);
  for (const refused of [await as(free).post(`${PATH}/export`), await as(free).get(`${PATH}/checkpoint`)])
    expect([refused.status, attached(refused.headers)]).toEqual([403, null]);
});

test('no text of an entry is markup', async () => {
  for (const path of [PATH, `${CREDENTIALS}?status=${encodeURIComponent(HOSTILE)}`]) {
    const { text } = await as(one).get(path);
    expect((await tagsOf(text)).map(foreignIn).filter((why) => why !== undefined)).toEqual([]);
    expect(text).not.toContain('<script>alert');
  }
});
