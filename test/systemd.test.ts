import { expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_SETTINGS } from '../src/cli/init-service.ts';
import { debianPackage } from '../tools/release/debian-package.ts';
import { bootedHost, expectOnHost, HOST_ENV, hasCommand } from './support/booted-host.ts';
import { tlsSettings } from './support/certificate.ts';
import { hydratedPostgres } from './support/postgres.ts';
import { binary } from './support/service.ts';
import { suite } from './support/suite.ts';
import { temporaryDirectory } from './support/temporary.ts';
import { sign, twoReleases } from './support/updates.ts';

const ROOT = join(import.meta.dir, '..');
const UNITS = join(ROOT, 'systemd');
const UNIT = join(UNITS, 'redoubt.service');
/** The highest exposure level that systemd-analyze security may report for each service. */
const EXPOSURES: readonly (readonly [string, number])[] = [
  ['redoubt.service', 1.1],
  ['redoubt@.service', 1.1],
  ['redoubt-backup.service', 0.2],
  ['redoubt-admin.service', 0.2],
];

/** An instance of each template: systemd analyzes only instances. */
const instanceOf = (name: string) => name.replace('@.', '@8101.');
const isCi = process.env.CI === 'true';
const canAnalyze = hasCommand('systemd-analyze');
const host = bootedHost('the test under a real systemd', 'openssl');
const { mayBoot } = host;
/** Each takes minutes. */
const mayUpdate = mayBoot && suite === 'all';

test.if(canAnalyze || isCi).each(EXPOSURES)(
  '%s has an exposure level of at most %d in systemd-analyze security',
  (name, exposure) => {
    expect(canAnalyze).toBe(true);
    const { status, stdout } = spawnSync(
      'systemd-analyze',
      // It reports ten times the level.
      ['security', '--offline=true', `--threshold=${exposure * 10}`, join(UNITS, name)],
      { encoding: 'utf8', env: HOST_ENV },
    );
    expect([status, stdout.split('\n').filter((line) => line.includes('Overall'))]).toEqual([
      0,
      expect.anything(),
    ]);
  },
);

test.each(EXPOSURES)('%s needs no folder that another processor architecture lacks', (name) => {
  const [, paths = ''] = /^ExecPaths=(.*)$/m.exec(readFileSync(join(UNITS, name), 'utf8')) ?? [];
  // Debian's arm64 has only these.
  const everywhere = ['/usr/local/bin/redoubt', '/usr/bin/systemd-notify', '/usr/lib', '/lib'];
  for (const path of paths.split(' ')) expect(path.startsWith('-') || everywhere.includes(path)).toBe(true);
});

test.if(canAnalyze || isCi)('the units pass systemd-analyze verify', async () => {
  expect(canAnalyze).toBe(true);
  const root = temporaryDirectory();
  const paths = await Promise.all(
    readdirSync(UNITS)
      .filter((name) => !name.endsWith('.conf'))
      .map(async (name) => {
        // verify requires the executable, which has another path here.
        const unit = readFileSync(join(UNITS, name), 'utf8').replaceAll(
          '/usr/local/bin/redoubt',
          await binary(),
        );
        writeFileSync(join(root, instanceOf(name)), unit);
        return join(root, instanceOf(name));
      }),
  );
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', ...paths], {
    encoding: 'utf8',
    env: HOST_ENV,
  });
  expect([status, stdout, stderr]).toEqual([0, '', '']);
});

test.if(mayBoot)(
  'init --systemd prepares a bare host for the service, and repeats nothing',
  async () => {
    const units = readdirSync(UNITS).filter((name) => !name.endsWith('.conf'));
    expectOnHost(
      host,
      'init-probe.sh',
      {
        files: [
          [await binary(), '/root/redoubt', 0o755],
          ...units.map((name) => [join(UNITS, name), `/root/units/${name}`, 0o644] as const),
        ],
      },
      'refused missing made enabled backup restore again',
    );
  },
  60_000,
);

test.if(mayBoot)(
  'under a real systemd: readiness, credentials, analysis, watchdog, reload and port 443 work, and SIGKILL or a hang loses no data',
  async () => {
    const folder = temporaryDirectory();
    const unit = join(folder, 'redoubt.service');
    writeFileSync(unit, readFileSync(UNIT, 'utf8').replace('WatchdogSec=30', 'WatchdogSec=4'));
    const certificate = join(folder, 'cert.pem');
    const key = join(folder, 'key.pem');
    const made = spawnSync('openssl', [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '1',
      ],
      ...['-subj', '/CN=localhost', '-keyout', key, '-out', certificate],
    ]);
    expect(made.status).toBe(0);
    const renewed = tlsSettings();
    const settings = join(folder, 'redoubt.env');
    writeFileSync(
      settings,
      [
        'SERVICE_PORT=8443',
        'SERVICE_TLS_CERT=/run/credentials/redoubt.service/redoubt.tls-cert',
        'SERVICE_TLS_KEY=/run/credentials/redoubt.service/redoubt.tls-key',
        'SERVICE_RATE_KEY_PER_MINUTE=500',
        'SERVICE_RATE_IP_PER_MINUTE=100000',
        '',
      ].join('\n'),
    );
    const executable = join(folder, 'redoubt');
    copyFileSync(await binary(), executable);

    expectOnHost(
      host,
      'systemd-probe.sh',
      {
        unit,
        users: ['redoubt'],
        seconds: 240,
        files: [
          [executable, '/usr/local/bin/redoubt', 0o755],
          [settings, '/etc/redoubt/redoubt.env', 0o644],
          [certificate, '/etc/credstore/redoubt.tls-cert', 0o600],
          [key, '/etc/credstore/redoubt.tls-key', 0o600],
          [renewed.SERVICE_TLS_CERT, '/root/renewed.pem', 0o600],
          [renewed.SERVICE_TLS_KEY, '/root/renewed.key', 0o600],
          [join(ROOT, 'systemd/redoubt-443.conf'), '/root/443.conf', 0o644],
        ],
      },
      'ready story doctor scan analysis watchdog reload certificate restart hang port-443 stop',
    );
  },
  330_000,
);

test.if(mayBoot)(
  'under a real systemd: no other user can take a port or socket of the service in any state',
  async () => {
    const folder = temporaryDirectory();
    const settings = join(folder, 'redoubt.env');
    writeFileSync(
      settings,
      `${NO_SETTINGS}SERVICE_HOST=/run/redoubt/http.sock\nSERVICE_BASE_URL=https://redoubt.example\n`,
    );
    const dropIn = join(folder, 'proxy.conf');
    writeFileSync(dropIn, '[Service]\nExecStartPost=+/usr/bin/chgrp www-data /run/redoubt/http.sock\n');
    expectOnHost(
      host,
      'ports-probe.sh',
      {
        unit: UNIT,
        users: ['redoubt'],
        seconds: 120,
        files: [
          [await binary(), '/usr/local/bin/redoubt', 0o755],
          [settings, '/etc/redoubt/redoubt.env', 0o644],
          [dropIn, '/etc/systemd/system/redoubt.service.d/proxy.conf', 0o644],
          ...['redoubt-admin.socket', 'redoubt-admin.service'].map(
            (name) => [join(UNITS, name), `/etc/systemd/system/${name}`, 0o644] as const,
          ),
        ],
      },
      'console proxy held impostor',
    );
  },
  200_000,
);

test.if(mayBoot)(
  'several instances on one PostgreSQL wait for it, survive killed peers, and need the common keys',
  async () => {
    const folder = temporaryDirectory();
    // A separate file: the sandbox has another /tmp than a clone of this repository in /tmp.
    const native = join(folder, 'native.tar');
    expect(spawnSync('tar', ['-C', hydratedPostgres(), '-cf', native, '.']).status).toBe(0);
    expectOnHost(
      host,
      'nodes-probe.sh',
      {
        users: ['redoubt', 'postgres'],
        seconds: 120,
        files: [
          [await binary(), '/usr/local/bin/redoubt', 0o755],
          [native, '/root/native.tar', 0o644],
          ...['redoubt@.service', 'redoubt-backup.service'].map(
            (name) => [join(UNITS, name), `/etc/systemd/system/${name}`, 0o644] as const,
          ),
        ],
      },
      'waits several equal backup killed settings database keys stop',
    );
  },
  200_000,
);

test.if(mayUpdate)(
  'update replaces the executable of a running service, and rolls back after any failure',
  async () => {
    const folder = temporaryDirectory();
    const [unit, settings] = [join(folder, 'redoubt.service'), join(folder, 'redoubt.env')];
    // A hanging version has to be killed.
    writeFileSync(unit, readFileSync(UNIT, 'utf8').replace('TimeoutStopSec=30', 'TimeoutStopSec=2'));
    writeFileSync(settings, '\n');
    const releases = await twoReleases();
    for (const release of releases) sign(release.executable, release);
    const [one, two] = releases.map(({ executable }) => executable);
    expectOnHost(
      host,
      'update-probe.sh',
      {
        unit,
        users: ['redoubt'],
        seconds: 300,
        files: [
          [one, '/usr/local/bin/redoubt', 0o755],
          [settings, '/etc/redoubt/redoubt.env', 0o644],
          [one, '/root/one', 0o755],
          [`${one}.minisig`, '/root/one.minisig', 0o644],
          [two, '/root/two', 0o755],
          [`${two}.minisig`, '/root/two.minisig', 0o644],
        ],
      },
      'refused start hang unready hang-up updated back power',
    );
  },
  400_000,
);

test.if(mayUpdate)(
  'update installs the package where the service came as one, and rolls back as well',
  async () => {
    const folder = temporaryDirectory();
    const units = readdirSync(UNITS).map((path) => ({ path, bytes: readFileSync(join(UNITS, path)) }));
    const text = '-';
    const [one, two] = (await twoReleases()).map((release) => {
      const path = join(folder, `${release.version}.deb`);
      const parts = {
        version: release.version,
        committedAtSeconds: release.serial,
        units,
        manPage: text,
        completions: { bash: text, zsh: text, fish: text },
        licenses: text,
        sbom: text,
        handbook: text,
      };
      const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';
      writeFileSync(path, debianPackage(readFileSync(release.executable), architecture, parts));
      for (const file of [path, release.executable]) sign(file, release);
      return { deb: path, alone: release.executable };
    });
    expectOnHost(
      host,
      'update-deb-probe.sh',
      {
        seconds: 180,
        files: [
          [one?.deb, '/root/one.deb', 0o644],
          [two?.deb, '/root/two.deb', 0o644],
          [`${two?.deb}.minisig`, '/root/two.deb.minisig', 0o644],
          [two?.alone, '/root/two', 0o755],
          [`${two?.alone}.minisig`, '/root/two.minisig', 0o644],
        ],
      },
      'back updated',
    );
  },
  300_000,
);
