import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/settings/config.ts';
import { oidcSettings } from '../../src/settings/oidc.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const SET = {
  SERVICE_ADMIN_URL: 'https://console.example.com',
  SERVICE_OIDC_ISSUER: 'https://id.example.com/realms/main',
  SERVICE_OIDC_CLIENT_ID: 'redoubt',
  SERVICE_OIDC_ROLES: 'owner=a,owner=b c,viewer=*',
};
const read = (environment: Record<string, string>) => oidcSettings(loadConfig(environment));

test('nothing is configured without an issuer', () => {
  expect(read({})).toBeUndefined();
  expect(read({ SERVICE_OIDC_NAME: 'Example' })).toBeUndefined();
});

test('an issuer has defaults, a secret in a file, and CA certificates', () => {
  const directory = temporaryDirectory();
  const [secret, ca] = [join(directory, 'secret'), join(directory, 'ca.pem')];
  writeFileSync(secret, 'a secret\n', { mode: 0o600 });
  writeFileSync(ca, 'certificates');
  const found = read({ ...SET, SERVICE_OIDC_CLIENT_SECRET_FILE: secret, SERVICE_OIDC_CA: ca });
  expect(found).toEqual({
    issuer: SET.SERVICE_OIDC_ISSUER,
    clientId: 'redoubt',
    clientSecret: 'a secret',
    scopes: 'openid profile email',
    roleClaim: 'groups',
    name: 'single sign-on',
    isOnly: false,
    groups: { viewer: ['*'], support: [], operator: [], owner: ['a', 'b c'] },
    ca: 'certificates',
    consoleOrigin: 'https://console.example.com',
  });
});

test.each([
  ['SERVICE_OIDC_ISSUER', 'http://id.example.com', /must start with https/],
  ['SERVICE_OIDC_ISSUER', 'ftp://id.example.com', /must be an address/],
  ['SERVICE_OIDC_ISSUER', 'https://id.example.com/?a=b', /must be an address/],
  ['SERVICE_OIDC_ISSUER', 'https://[', /malformed/],
  ['SERVICE_OIDC_ISSUER', '', /SERVICE_OIDC_CLIENT_ID requires SERVICE_OIDC_ISSUER/],
  ['SERVICE_OIDC_CLIENT_ID', '', /requires SERVICE_OIDC_CLIENT_ID/],
  ['SERVICE_ADMIN_URL', '', /requires SERVICE_ADMIN_URL/],
  ['SERVICE_OIDC_ROLES', '', /requires SERVICE_OIDC_ROLES/],
  ['SERVICE_OIDC_ROLES', 'admin=a', /must be pairs/],
  ['SERVICE_OIDC_ROLES', 'owner=', /must be pairs/],
  ['SERVICE_OIDC_SCOPES', 'profile', /lacks openid/],
  ['SERVICE_OIDC_CA', '/nowhere/ca.pem', /cannot read/],
] as const)('%s as %p is refused in words', (name, value, words) => {
  expect(() => read({ ...SET, [name]: value })).toThrow(words);
});

test('SERVICE_OIDC_ONLY alone is refused, for it would keep all operators out', () => {
  expect(() => read({ SERVICE_OIDC_ONLY: '1' })).toThrow(/requires SERVICE_OIDC_ISSUER/);
});

test.each(['http://localhost:8080', 'http://127.0.0.1:9/realms/x', 'http://[::1]:9'])(
  'a provider on this host may have %s without TLS',
  (issuer) => {
    expect(read({ ...SET, SERVICE_OIDC_ISSUER: issuer })?.issuer).toBe(issuer);
  },
);
