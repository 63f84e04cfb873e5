import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Type } from 'typebox';
import {
  ConfigRefused,
  loadConfig,
  readSetting,
  shownConfig,
  unknownSettings,
} from '../../src/settings/config.ts';
import { refuseDoubleSettings, SETTINGS, type Setting } from '../../src/settings/settings.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const SENTINEL = 'sentinel-9d2e';
const secret: Setting = {
  env: 'SERVICE_TEST_SECRET',
  kind: 'text',
  schema: Type.String({ pattern: '^sk_[a-z0-9-]+$' }),
  secret: true,
  form: 'a key such as sk_...',
  help: 'for tests',
};
const plain: Setting = { ...SETTINGS.dataDir, env: 'SERVICE_TEST_PLAIN' };
const settings = { secret, plain };

function file(text: string): string {
  const path = join(temporaryDirectory(), 'file');
  writeFileSync(path, text);
  return path;
}

function refusalOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigRefused);
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
}

describe('an unknown name', () => {
  test('is reported when it resembles a setting, and only then', () => {
    expect(
      unknownSettings({ SERVICE_PROT: '1', SERVICE_PORT: '1', PATH: '/bin', service_port: '1' }),
    ).toEqual(['SERVICE_PROT']);
  });

  test('is reported when it is in the settings file', () => {
    const path = file('SERVICE_HOST=::1\nSERVICE_HSOT=::1\nOTHER=1\n');
    expect(unknownSettings({ SERVICE_CONFIG: path })).toEqual(['SERVICE_HSOT']);
  });

  test('includes a file for a setting that is not secret, because no such file is read', () => {
    expect(unknownSettings({ SERVICE_PORT_FILE: '/x' })).toEqual(['SERVICE_PORT_FILE']);
    const names = { SERVICE_TEST_SECRET: 'x', SERVICE_TEST_SECRET_FILE: '/x', SERVICE_TEST_PLAIN_FILE: '/x' };
    expect(unknownSettings(names, settings)).toEqual(['SERVICE_TEST_PLAIN_FILE']);
  });

  test('excludes those that systemd sets for its own purposes', () => {
    expect(unknownSettings({ SERVICE_RESULT: 'success' })).toEqual([]);
  });
});

describe('a secret', () => {
  test.each([
    ['https://user:hunter2@example.com', 'SERVICE_BASE_URL'],
    ['http://user:hun/ter2@127.0.0.1/v1?x', 'SERVICE_AI_URL'],
  ])('is not part of the message about a refused address: %s', (address, name) => {
    expect(() => loadConfig({ [name]: address })).toThrow('********@');
    expect(() => loadConfig({ [name]: address })).not.toThrow(/hun|ter2/);
  });

  test('is masked where settings are shown, at any length; a missing one shows as null', () => {
    for (const value of ['x', SENTINEL.repeat(20)]) {
      const shown = shownConfig({ secret: value, plain: '/data' }, settings);
      expect(shown).toEqual({ SERVICE_TEST_SECRET: '********', SERVICE_TEST_PLAIN: '/data' });
    }
    expect(shownConfig({}, settings)).toEqual({ SERVICE_TEST_SECRET: null, SERVICE_TEST_PLAIN: null });
  });

  test('may be in a file; its last line break is ignored', () => {
    expect(readSetting(secret, { SERVICE_TEST_SECRET_FILE: file('sk_live\n') })).toBe('sk_live');
    expect(readSetting(secret, { SERVICE_TEST_SECRET: 'sk_live' })).toBe('sk_live');
    expect(readSetting(secret, {})).toBeUndefined();
  });

  test('is not repeated by a refusal, from any source', () => {
    for (const environment of [
      { SERVICE_TEST_SECRET: SENTINEL },
      { SERVICE_TEST_SECRET_FILE: file(SENTINEL) },
      { SERVICE_TEST_SECRET: SENTINEL, SERVICE_TEST_SECRET_FILE: file('sk_other') },
    ]) {
      const message = refusalOf(() => readSetting(secret, environment));
      expect(message).toStartWith('SERVICE_TEST_SECRET');
      expect(message).not.toContain(SENTINEL);
    }
  });

  test('with an unreadable file is refused by name', () => {
    const message = refusalOf(() => readSetting(secret, { SERVICE_TEST_SECRET_FILE: '/nowhere' }));
    expect(message).toBe(
      'SERVICE_TEST_SECRET_FILE: cannot read /nowhere: no such file or directory. Check its path',
    );
  });
});

describe('settings', () => {
  test('have every default alone, frozen', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      trustedProxies: [],
      bodyTimeoutSeconds: 15,
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  test('in the environment override those of the file; empty ones count as missing', () => {
    const SERVICE_CONFIG = file('SERVICE_PORT=1111\nSERVICE_HOST=::1\n');
    expect(loadConfig({ SERVICE_CONFIG, SERVICE_PORT: '2222', SERVICE_DATA_DIR: '' })).toMatchObject({
      port: 2222,
      host: '::1',
      dataDir: '/var/lib/redoubt',
    });
  });

  test('in an optional file that is missing are skipped', () => {
    expect(loadConfig({ SERVICE_CONFIG: '-/nowhere' }).port).toBe(8080);
    expect(refusalOf(() => loadConfig({ SERVICE_CONFIG: '/nowhere' }))).toStartWith('SERVICE_CONFIG');
  });

  test.each([
    ['SERVICE_PORT', '65536'],
    ['SERVICE_PORT', '8080.5'],
    ['SERVICE_PORT', '0x50'],
    ['SERVICE_PORT', '1e3'],
    ['SERVICE_BODY_TIMEOUT_SECONDS', '0'],
    ['SERVICE_BODY_TIMEOUT_SECONDS', '51'],
    ['SERVICE_BASE_URL', 'https://example.com/path'],
    ['SERVICE_BASE_URL', 'https://example.com?x=1'],
    ['SERVICE_BASE_URL', 'https://example.com#x'],
    ['SERVICE_BASE_URL', 'https://user:pass@example.com'],
    ['SERVICE_BASE_URL', 'https://example.com:port'],
    ['SERVICE_BASE_URL', 'https://[::1'],
    ['SERVICE_BASE_URL', 'https://example.com//'],
    ['SERVICE_BASE_URL', 'https://example.com/.'],
    ['SERVICE_BASE_URL', 'https://example.com:99999'],
    ['SERVICE_BASE_URL', 'https:example.com'],
    ['SERVICE_BASE_URL', 'ftp://example.com'],
    ['SERVICE_PLUGIN_VERSION', 'latest'],
    ['SERVICE_PLUGIN_VERSION', '2.4.1-beta'],
    ['SERVICE_STAGING_DOMAINS', 'a..b'],
    ['SERVICE_STAGING_DOMAINS', '.dev.example.com'],
    ['SERVICE_STAGING_DOMAINS', '*.example.com'],
    ['SERVICE_STAGING_DOMAINS', 'dev.example.com,'],
    ['SERVICE_TRUSTED_PROXIES', '10.0.0.1,'],
    ['SERVICE_TRUSTED_PROXIES', '10.0.0.1 10.0.0.2'],
    ['SERVICE_TLS_CERT', '/only/one'],
  ])('%s=%s is malformed, and refused by its name', (name, value) => {
    expect(refusalOf(() => loadConfig({ [name]: value }))).toContain(name);
  });

  test.each(['http://localhost:8080', 'https://licenses.example.com', 'https://[2001:db8::1]:8443'])(
    'SERVICE_BASE_URL may be %s',
    (baseUrl) => expect(loadConfig({ SERVICE_BASE_URL: baseUrl })).toMatchObject({ baseUrl }),
  );

  test.each([
    ['https://example.com/', 'https://example.com'],
    ['HTTPS://Licenses.EXAMPLE.com', 'https://licenses.example.com'],
    ['https://example.com:443', 'https://example.com'],
    ['http://example.com:0080/', 'http://example.com'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://[2001:DB8:0::1]', 'https://[2001:db8::1]'],
  ])('SERVICE_BASE_URL %s is stored as %s', (given, baseUrl) => {
    expect(loadConfig({ SERVICE_BASE_URL: given })).toMatchObject({ baseUrl });
  });

  test('SERVICE_STAGING_DOMAINS may have several, of one label or more', () => {
    const { stagingDomains } = loadConfig({
      SERVICE_STAGING_DOMAINS: 'dev.example.com, lan,wp-1.my_box.org',
    });
    expect(stagingDomains).toEqual(['dev.example.com', 'lan', 'wp-1.my_box.org']);
  });
});

test.each([
  [{ SERVICE_PORT: '99999' }, 'SERVICE_PORT "99999": must be a whole number from 0 to 65535'],
  [{ SERVICE_LOG_LEVEL: 'loud' }, 'SERVICE_LOG_LEVEL "loud": must be one of debug, info, warn, error'],
  [
    { SERVICE_BASE_URL: 'https://a+b.example' },
    'SERVICE_BASE_URL "https://a+b.example": must be http:// or https:// and a host that has no plus sign, without a path',
  ],
  [{ SERVICE_TRIALS_ENABLED: 'yes' }, 'SERVICE_TRIALS_ENABLED "yes": must be 0 or 1'],
  [
    { SERVICE_STRIPE_SECRET_KEY: SENTINEL },
    'SERVICE_STRIPE_SECRET_KEY: must be a key such as sk_test_... or rk_live_...',
  ],
])('%j is refused with the required form', (environment, message) => {
  expect(refusalOf(() => loadConfig(environment))).toBe(message);
});

describe('a private key for TLS', () => {
  const keyOf = (mode: number): { path: string; env: Record<string, string> } => {
    const path = file('key');
    chmodSync(path, mode);
    return { path, env: { SERVICE_TLS_CERT: '/cert.pem', SERVICE_TLS_KEY: path } };
  };

  test.each([0o600, 0o400, 0o640, 0o440])('of mode %o is accepted', (mode) => {
    const { path, env } = keyOf(mode);
    expect(loadConfig(env).tlsKey).toBe(path);
  });

  test.each([0o644, 0o604, 0o606, 0o602])(
    'of mode %o is open to every user: it is refused until the recommended command was run',
    (mode) => {
      const { path, env } = keyOf(mode);
      const told = refusalOf(() => loadConfig(env));
      expect(told).toContain(path);
      const command = / host\. Run (.*)$/.exec(told)?.[1] ?? '';
      expect(spawnSync('sh', ['-c', command]).status).toBe(0);
      expect(loadConfig(env).tlsKey).toBe(path);
      expect(statSync(path).mode & 0o700).toBe(mode & 0o700);
    },
  );

  test.if(process.getuid?.() === 0)('that all users may read is to be shared through a group', () => {
    const { path, env } = keyOf(0o604);
    const unshared = 12_345;
    chmodSync(dirname(path), 0o711);
    chownSync(path, 0, unshared + 1);
    process.setegid?.(unshared);
    process.seteuid?.(unshared);
    try {
      expect(refusalOf(() => loadConfig(env))).toEndWith(`chgrp ${unshared} ${path} && chmod 640 ${path}`);
    } finally {
      process.seteuid?.(0);
      process.setegid?.(0);
    }
  });

  test('is irrelevant to commands, which need none', () => {
    expect(() => loadConfig(keyOf(0o644).env, { secrets: false })).not.toThrow();
  });
});

test('a pipe without a writer blocks no start, for any setting', () => {
  const pipe = join(temporaryDirectory(), 'pipe');
  spawnSync('mkfifo', [pipe]);
  for (const name of ['SERVICE_CONFIG', 'SERVICE_STRIPE_SECRET_KEY_FILE'])
    expect(refusalOf(() => loadConfig({ [name]: pipe }))).toBe(
      `${name}: cannot read ${pipe}: it is a directory, a pipe or a socket. Move it away, or use another path`,
    );
  expect(loadConfig({ SERVICE_CONFIG: '/dev/null' }).port).toBe(8080);
});

test('text that is not UTF-8 is not a settings file', () => {
  for (const text of ['SERVICE_PORT=1\0', '\ufffd\ufffd'])
    expect(refusalOf(() => loadConfig({ SERVICE_CONFIG: file(text) }))).toMatch(/is not a text file/);
});

test.each([
  ['SERVICE_AI_URL', `user:${SENTINEL}@host/v1`],
  ['SERVICE_AI_URL', `https://user:${SENTINEL}@host/v1 x`],
  ['SERVICE_AI_URL', `https://host/v1?api_key=${SENTINEL}`],
  ['SERVICE_BASE_URL', `https:user:${SENTINEL}@host`],
  ['SERVICE_TRUSTED_PROXIES', `user:${SENTINEL}@192.0.2.1`],
  ['SERVICE_STRIPE_SECRET_KEY_FILE', `sk_live_${SENTINEL}`],
])('the secret part of a malformed %s is not repeated: %s', (name, value) => {
  expect(refusalOf(() => loadConfig({ [name]: value, SERVICE_AI_MODEL: 'm' }))).not.toContain(SENTINEL);
});

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['0:0:0:0:0:0:0:1', '::1'],
  ['[0:0:0:0:0:0:0:1]', '::1'],
  [' [::1] ', '::1'],
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['127.1', '127.0.0.1'],
  ['0', '0.0.0.0'],
  ['2001:DB8:0::1', '2001:db8::1'],
  ['LocalHost', 'localhost'],
  ['Node-1.Example', 'node-1.example'],
  ['/run/Redoubt/http.sock', '/run/Redoubt/http.sock'],
])('the host %s is %s, in any notation', (sent, host) => {
  const { host: own, adminHost } = loadConfig({
    SERVICE_HOST: sent,
    SERVICE_BASE_URL: 'https://redoubt.example',
    SERVICE_ADMIN_HOST: sent,
    SERVICE_ADMIN_PORT: 'off',
  });
  expect([own, adminHost]).toEqual([host, host]);
});

test.each(['[::1', '::1]', '[[::1]]', '[localhost]', '127.0.0.1:80', '"::1"', 'a:b', '-x', 'a..', 'ä'])(
  'the host %s is refused',
  (host) => {
    for (const name of ['SERVICE_HOST', 'SERVICE_ADMIN_HOST'])
      expect(refusalOf(() => loadConfig({ [name]: host }))).toContain(`${name} "${host}": must be a name`);
  },
);

test.each([
  ['the same host', { SERVICE_HOST: '127.0.0.1' }],
  ['any address', { SERVICE_HOST: '0.0.0.0' }],
  ['the other loopback address', { SERVICE_HOST: '::1' }],
  ['the other loopback address of the other', { SERVICE_HOST: '127.0.0.1', SERVICE_ADMIN_HOST: '::1' }],
  ['a name of both', { SERVICE_HOST: 'LOCALHOST' }],
])('two listeners on one port of %s are refused', (_, host) => {
  const refusal = refusalOf(() => loadConfig({ ...host, SERVICE_PORT: '9000', SERVICE_ADMIN_PORT: '9000' }));
  expect(refusal).toMatch(/^SERVICE_PORT and SERVICE_ADMIN_PORT are both 9000/);
  expect(
    loadConfig({ SERVICE_HOST: '127.0.0.2', SERVICE_PORT: '9000', SERVICE_ADMIN_PORT: '9000' }).port,
  ).toBe(9000);
  expect(loadConfig({ ...host, SERVICE_PORT: '0', SERVICE_ADMIN_PORT: '0' }).adminPort).toBe(0);
});

test.each(Object.values<Setting>(SETTINGS).filter(({ fallback }) => fallback))(
  'the default of $env is valid',
  (setting) => {
    // As if the operator had set it: the default itself is not checked at each start.
    const { fallback = '', ...unset } = setting;
    expect(readSetting(unset, { [setting.env]: fallback })).toEqual(readSetting(setting, {}));
  },
);

test('two settings with the same variable are refused, with both places', () => {
  refuseDoubleSettings({ ...SETTINGS, plain });
  expect(() => refuseDoubleSettings({ ...SETTINGS, another: SETTINGS.dataDir })).toThrow(
    'two settings are named "SERVICE_DATA_DIR": in dataDir and in another',
  );
});
