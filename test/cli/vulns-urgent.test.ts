import { afterAll, beforeAll, expect, test } from 'bun:test';
import { DEMO_COMPONENTS } from '../../src/cli/demo-vulnerabilities.ts';
import { API, call } from '../support/client.ts';
import { osvRecord } from '../support/feeds.ts';
import { importDemo, importRecords } from '../support/mirror.ts';
import { type RunningService, run, SURE, start } from '../support/service.ts';
import { rows } from '../support/store.ts';
import { tenantOf } from '../support/tenant.ts';

let service: RunningService;
beforeAll(async () => {
  // Its own process: vulnerable sites of all licenses are listed.
  service = await start('binary');
  await importDemo(service);
});
afterAll(() => service.end());

/** A license with a site that reported and, when given, its components. */
async function licenseWith(domain: string, components: readonly object[]): Promise<string> {
  const { key, licenseId, get, heartbeat } = await tenantOf(service);
  await heartbeat(domain);
  const [{ id }] = (await get('/sites')).json.data.sites;
  if (components.length > 0)
    await call(service.url, `${API}/sites/${id}/components`, { key, body: { components } });
  return licenseId;
}

const urgent = async (...words: string[]) => {
  const { stdout, stderr } = await run('binary', service.env, 'vulns', 'urgent', ...words);
  return { stdout, stderr };
};
const json = async () => JSON.parse((await urgent('--json')).stdout);

test('urgent names customers in words, marks suspended licenses, and reports what it lacks', async () => {
  const reporting = await licenseWith('told.test', DEMO_COMPONENTS);
  expect(await urgent()).toEqual({
    stdout: expect.stringMatching(
      / told\.test +plugin example-gallery 1\.2\.3 +look for signs of compromise, then update to 1\.2\.4 +CVE-1998-0001\n$/,
    ),
    stderr: '',
  });

  const silent = await licenseWith('silent.test', []);
  await licenseWith('mute.test', []);
  const incomplete =
    /^redoubt: the list is incomplete: 2 sites seen in the last 24 hours reported no components/;
  expect((await urgent()).stderr).toMatch(incomplete);
  expect(await json()).toMatchObject({ sites_without_components: 2 });
  rows(service, "update sites set last_seen_at = last_seen_at - 90000000 where domain = 'mute.test'");
  expect(await json()).toMatchObject({ sites_without_components: 1 });
  await service.command('license', 'revoke', silent, ...SURE);
  expect(await json()).toMatchObject({ sites_without_components: 0 });

  await service.command('license', 'suspend', reporting, '--hold', 'payment');
  expect((await urgent()).stdout).toContain(`  ${reporting} (suspended)  `);
  expect((await json()).findings).toMatchObject([{ license: reporting, license_state: 'suspended' }]);
  await service.command('license', 'revoke', reporting, ...SURE);
  expect(await urgent()).toEqual({
    stdout: expect.stringContaining('No known fixes'),
    stderr: 'redoubt: excluded: 1 site of revoked licenses\n',
  });
  expect(await json()).toMatchObject({ findings: [], sites_of_revoked_licenses: 1 });
});

test('a component without a fix is to be removed or isolated', async () => {
  await importRecords(service, 'osv:npm', [
    osvRecord({
      severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
      affected: [
        {
          package: { ecosystem: 'npm', name: 'left-pad' },
          ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }] }],
        },
      ],
    }),
  ]);
  await licenseWith('packages.test', [{ ecosystem: 'npm', name: 'left-pad', version: '1.0.0' }]);
  expect((await urgent()).stdout).toContain(
    'npm package left-pad 1.0.0  no fix: remove it or restrict access to it',
  );
});
