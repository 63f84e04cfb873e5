import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Browser, operatorOf } from '../../support/console.ts';
import { type KnownTenant, knownTenant, rowsOf } from '../../support/known-tenant.ts';
import { formsOf } from '../../support/markup.ts';
import { importDemo } from '../../support/mirror.ts';
import { portalOf, portalRoutes } from '../../support/portal.ts';
import { sendRaw } from '../../support/raw.ts';
import { type RunningService, start, UNLIMITED } from '../../support/service.ts';
import { rotating } from '../../support/suite.ts';

const SIGN_OUT = '/portal/sign-out';
const SIGN_IN = '/portal/sign-in';

let service: RunningService;
let ann: KnownTenant;
let ben: KnownTenant;
/** Ann's requests. */
let browser: Browser;
/** Texts that only Ben may see. */
let secrets: readonly string[];

beforeAll(async () => {
  // Its own process: vulnerability data is imported.
  service = await start('binary', {
    SERVICE_BASE_URL: 'https://redoubt.example',
    // No scan leaves the host, with any number of requests.
    SERVICE_SURFACE_SCANS: '0',
    ...UNLIMITED,
  });
  await importDemo(service);
  ann = await knownTenant(service, 'aardvark');
  ben = await knownTenant(service, 'bellbird');
  browser = await portalOf(service, ann.key);
  secrets = [ben.mark, ben.key, ben.licenseId, ...Object.values(ben.ids), ...ben.cursors];
});
afterAll(async () => {
  expect(service.log()).not.toContain('unexpected error');
  await service.end();
});

const GETS = portalRoutes.filter(({ method }) => method === 'GET').map(({ path }) => path);
const POSTS = portalRoutes
  .filter(({ method, path }) => method === 'POST' && path !== SIGN_OUT && path !== SIGN_IN)
  .map(({ path }) => path);
const PARAMETER = /:\w+/g;
/** Parameters that name an object by id in an address or a form. */
const NAMES = 'site cursor scan credential event id site_id scan_id site_url after before license'.split(' ');

const filled = (path: string, values: readonly string[]): string[] =>
  path.includes(':') ? values.map((value) => path.replaceAll(PARAMETER, value)) : [path];
const everythingOf = ({ ids, cursors, licenseId, domain }: KnownTenant) => [
  ...Object.values(ids),
  ...cursors,
  licenseId,
  domain,
];

/** The values of Ben to try in a field: all in the whole matrix; otherwise a quarter, which changes with field and run. */
const valuesFor = (field: number): string[] => {
  const values = everythingOf(ben);
  return rotating([...values.slice(field % 4), ...values.slice(0, field % 4)], 4);
};

/** The secrets in an answer, except the requester's input. */
const secretsIn = (answer: { readonly text: string; readonly headers: Headers }, typed: string): string[] => {
  const whole = answer.text + JSON.stringify([...answer.headers]);
  return secrets.filter((secret) => !typed.includes(secret) && whole.includes(secret));
};

async function expectNothingOfBen(path: string, form?: Record<string, string>): Promise<void> {
  const answer = form === undefined ? await browser.get(path) : await browser.post(path, form);
  const typed = decodeURIComponent(path) + JSON.stringify(form ?? {});
  expect([path, form, answer.status < 500, secretsIn(answer, typed)]).toEqual([path, form, true, []]);
}

/** Acts as Ann, after which all of Ben's data must be unchanged. */
async function leavingBenAlone(act: () => Promise<void>): Promise<void> {
  const day = new Date().getUTCDate();
  const before = [rowsOf(service, ben.licenseId), await ben.answers()];
  await act();
  // Daily counts restart at midnight.
  if (new Date().getUTCDate() !== day) return leavingBenAlone(act);
  expect([rowsOf(service, ben.licenseId), await ben.answers()]).toEqual(before);
}

test('each secret is found on its owner’s pages, and in the console', async () => {
  const own = await portalOf(service, ben.key);
  const found = new Set<string>();
  for (const path of GETS.flatMap((path) => filled(path, Object.values(ben.ids)))) {
    const { text } = await own.get(path);
    for (const secret of secrets) if (text.includes(secret)) found.add(secret);
  }
  expect(found).toContain(ben.mark);
  expect(found).toContain(ben.licenseId);
  expect(found).not.toContain(ben.key);
  expect((await (await operatorOf(service, 'olivia')).get('/console/sites')).text).toContain(ben.mark);
});

describe('a tenant', () => {
  test("sees nothing of another one, with any of that one's ids in a path", async () => {
    await leavingBenAlone(async () => {
      for (const path of GETS.flatMap((path) => filled(path, everythingOf(ben))))
        await expectNothingOfBen(path);
    });
  });

  test("sees nothing of another one, with any of that one's values in a filter or cursor", async () => {
    const parameters = GETS.flatMap((path) => filled(path, [ann.ids.site ?? '', ann.ids.scan ?? '']));
    await leavingBenAlone(async () => {
      for (const path of parameters) {
        const forms = await formsOf((await browser.get(path)).text);
        const names = new Set([...NAMES, ...forms.flatMap(({ fields }) => Object.keys(fields))]);
        for (const [at, name] of [...names].entries())
          await Promise.all(
            valuesFor(at).map((value) =>
              expectNothingOfBen(`${path}?${new URLSearchParams({ [name]: value })}`),
            ),
          );
      }
    });
  });

  test("changes nothing of another one, with any of that one's values in the path or fields of a form", async () => {
    const pages = GETS.flatMap((path) => filled(path, Object.values(ann.ids)));
    const forms = (await Promise.all(pages.map(async (path) => formsOf((await browser.get(path)).text))))
      .flat()
      .filter(({ method, action }) => method === 'post' && action !== SIGN_OUT);
    const names = [...new Set([...NAMES, ...forms.flatMap(({ fields }) => Object.keys(fields))])];
    const fields = Object.assign({}, ...forms.map((form) => form.fields));
    await leavingBenAlone(async () => {
      for (const path of POSTS) {
        for (const value of everythingOf(ben)) {
          const all = Object.fromEntries(names.map((name) => [name, value]));
          const ofBen = filled(path, [value]).flatMap((action) => [
            [action, fields] as const,
            [action, all] as const,
          ]);
          const ofAnn = filled(path, [ann.ids.site ?? '', ann.ids.scan ?? '']).flatMap((action) =>
            names
              .filter((_, at) => valuesFor(at).includes(value))
              .map((name) => [action, { ...fields, [name]: value }] as const),
          );
          await Promise.all([...ofBen, ...ofAnn].map(([action, form]) => expectNothingOfBen(action, form)));
        }
      }
    });
  });

  test('has one session of one license, with any other cookies and headers', async () => {
    const other = await portalOf(service, ben.key);
    const [name] = browser.cookie?.split('=') ?? [];
    const { text } = await browser.get('/portal', {
      authorization: `Bearer ${ben.key}`,
      'x-api-key': ben.key,
      'x-license-id': ben.licenseId,
    });
    expect([text.includes(ann.licenseId), text.includes(ben.licenseId)]).toEqual([true, false]);
    for (const cookie of [`${browser.cookie}; ${other.cookie}`, `${other.cookie}; ${browser.cookie}`]) {
      const page = await browser.get('/portal', { cookie });
      const shown = [ann, ben].filter(({ licenseId }) => page.text.includes(licenseId));
      expect([cookie, shown.length]).toEqual([cookie, page.status === 200 ? 1 : 0]);
    }
    const forged = await browser.get('/portal', { cookie: `${name}=${ben.licenseId}` });
    expect([forged.status, forged.headers.get('location')]).toEqual([303, SIGN_IN]);
  });
});

test('a license of the plan free sees nothing of another one, at any address', async () => {
  const { key } = await service.issue('--plan', 'free');
  const poor = await portalOf(service, key);
  for (const path of GETS.flatMap((path) => filled(path, everythingOf(ben)))) {
    const answer = await poor.get(path);
    expect([path, secretsIn(answer, path)]).toEqual([path, []]);
  }
});

test('no page and no act is available without a session', async () => {
  const outside = { origin: service.env.SERVICE_BASE_URL ?? service.url };
  for (const path of GETS.flatMap((path) => filled(path, Object.values(ann.ids)))) {
    const answer = await fetch(service.url + path, { redirect: 'manual' });
    const isIn = path === SIGN_IN;
    expect([path, answer.status, answer.headers.get('location')]).toEqual([
      path,
      isIn ? 200 : 303,
      isIn ? null : SIGN_IN,
    ]);
  }
  for (const path of POSTS.flatMap((path) => filled(path, Object.values(ann.ids)))) {
    const answer = await fetch(service.url + path, {
      method: 'POST',
      headers: outside,
      redirect: 'manual',
      body: new URLSearchParams({ site: 'x' }),
    });
    expect([path, answer.headers.get('location')]).toEqual([path, SIGN_IN]);
  }
});

describe('no path leads to anything but its own page', () => {
  const tricks = ({ site = '' }: KnownTenant['ids']) => [
    ...['..', '%2e%2e', '.%2e', '..%2f', '..%2f..%2fme', '%2e%2e%2f%2e%2e%2fme', '..%5c..%5cme', '..;'],
    ...['..%252f..%252fme', `${site}%2f..%2f..%2fme`, `a%2f..%2f..%2fme`, `${site}%2fcomponents`],
    ...[`${site}%2f`, `${site}%3Fcursor=x`, `${site}%23`, '%3F', '%23', '%00', `${site}%00`, `${site}%0a`],
    ...['%0d%0aset-cookie:x=1', '%20', '%25', '%', '%zz', '%c0%ae%c0%ae', '%ff', '%e2%80%ae', '日本'],
    ...[
      'undefined',
      'null',
      '__proto__',
      'constructor',
      '0',
      '-1',
      '*',
      "'%20or%201=1--",
      'x'.repeat(10_000),
    ],
  ];
  const isDotted = (path: string) => path.split('/').some((part) => /^(?:\.|%2e){1,2}$/i.test(part));

  test.each(['GET', 'POST'])('by %s', async (method) => {
    const routes = (method === 'GET' ? GETS : POSTS).filter((path) => path.includes(':'));
    const { host } = new URL(service.url);
    const paths = routes.flatMap((path) => filled(path, tricks(ann.ids)));
    await leavingBenAlone(async () => {
      for (const path of paths) {
        const answer = await sendRaw(
          service.url,
          `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${browser.cookie}\r\norigin: ${service.env.SERVICE_BASE_URL ?? service.url}\r\n` +
            'content-type: application/x-www-form-urlencoded\r\nconnection: close\r\ncontent-length: 0\r\n\r\n',
        );
        // Dot segments are resolved before routing, so that the result was requested.
        const isWell = (answer.status >= 300 && answer.status < 500) || isDotted(path);
        expect([path, answer.status, isWell, answer.status < 500]).toEqual([path, answer.status, true, true]);
        expect([path, answer.headers.get('set-cookie')]).toEqual([path, null]);
        expect([
          path,
          answer.body.includes('"success":true'),
          secretsIn({ ...answer, text: answer.body }, path),
        ]).toEqual([path, false, []]);
      }
    });
  });
});
