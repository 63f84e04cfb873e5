import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tlsSettings } from '../support/certificate.ts';
import { failedSignInLines, failingSignIns, TRUSTING_PROXIES } from '../support/failed-sign-ins.ts';
import { freePort } from '../support/free-port.ts';
import { importDemo } from '../support/mirror.ts';
import { type RunningService, start, until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// Needs Prometheus, fail2ban and CrowdSec.

const FILES = join(import.meta.dir, '../../docs/integrations');
const RULES = join(FILES, 'prometheus/redoubt.rules.yml');
const DASHBOARD = join(FILES, 'grafana/redoubt.json');
const FILTER = join(FILES, 'fail2ban/filter.conf');
/** Debian's package, unpacked by .ci/run. */
const CROWDSEC = join(import.meta.dir, '../../.ci/tools/crowdsec');

const has = (program: string) => Bun.which(program) !== null;
for (const program of ['promtool', 'fail2ban-regex'])
  if (!has(program)) console.warn(`the tests with ${program} are skipped: it is not installed`);

const run = (program: string, args: readonly string[], input = '') => {
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' });
  return { status, output: stdout + stderr };
};

describe('metrics', () => {
  let service: RunningService;
  let metrics: string;
  beforeAll(async () => {
    // Its own process: it has all metrics, also those of a certificate, a backup and imported data.
    service = await start('binary', tlsSettings());
    await importDemo(service);
    await service.command('backup', 'create', '--to', join(temporaryDirectory(), 'redoubt.backup'));
    const request = { tls: { rejectUnauthorized: false } };
    metrics = await (await fetch(`${service.url}/metrics`, request)).text();
  });
  afterAll(() => service.end());

  const named = (text: string): string[] => [
    ...new Set(text.match(/\b(?:redoubt|process)_[a-z_]+/g)?.map((name) => name.replace(/_bucket$/, ''))),
  ];

  test.each([
    ['the rules', RULES],
    ['the dashboard', DASHBOARD],
  ])('every metric that %s name exists', (_, path) => {
    const existing = [...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    const found = named(readFileSync(path, 'utf8'));
    expect(found.length).toBeGreaterThan(8);
    expect(found.filter((name) => !existing.includes(name))).toEqual([]);
  });

  test.skipIf(!has('promtool'))('are right by promtool', () => {
    expect(run('promtool', ['check', 'metrics'], metrics)).toEqual({ status: 0, output: '' });
  });
});

test.skipIf(!has('promtool'))('promtool finds the rules right, and each fires when it should', () => {
  expect(run('promtool', ['check', 'rules', RULES])).toMatchObject({ status: 0 });
  const tests = RULES.replace('.rules.yml', '.rules.test.yml');
  expect(run('promtool', ['test', 'rules', tests])).toMatchObject({ status: 0 });
  const alerts = [...readFileSync(RULES, 'utf8').matchAll(/alert: (\w+)/g)].map(([, name]) => name);
  const tested = readFileSync(tests, 'utf8');
  expect(alerts.filter((name) => !tested.includes(`alertname: ${name}\n`))).toEqual([]);
});

test('the dashboard has one variable for its data source, which all panels use, and needs no plugin', () => {
  const { panels, templating } = JSON.parse(readFileSync(DASHBOARD, 'utf8'));
  const sources = templating.list.filter(({ type }: { type: string }) => type === 'datasource');
  expect(sources).toMatchObject([{ name: 'datasource', query: 'prometheus' }]);
  for (const { type, datasource, targets } of panels) {
    expect(type).toBeOneOf(['stat', 'timeseries', 'bargauge']);
    for (const each of [datasource, ...targets.map((target: { datasource: object }) => target.datasource)])
      expect(each).toEqual({ type: 'prometheus', uid: `\${datasource}` });
  }
});

const failed = (kind: string, address: string, second: number, time = true) =>
  `{${time ? `"time":"2026-11-30T07:00:${String(second).padStart(2, '0')}.123Z",` : ''}"level":"warn","message":"sign-in failed","kind":"${kind}","address":"${address}"}`;

/** What is in a log, and the address that is to be blocked for it; null = none. */
const LINES: Readonly<Record<string, readonly [line: string, address: string | null]>> = {
  'with the priority of the journal': [`<4>${failed('console', '192.0.2.4', 4)}`, '192.0.2.4'],
  'as journalctl shows it': [
    `Nov 30 07:00:05 host redoubt[12]: ${failed('console', '192.0.2.5', 5)}`,
    '192.0.2.5',
  ],
  'without a time': [failed('console', '192.0.2.6', 6, false), '192.0.2.6'],
  'from an unknown address': [failed('console', 'unknown', 8), null],
  'by another door': [failed('cellar', '192.0.2.9', 9), null],
  'quoted by another line': [
    JSON.stringify({
      time: '2026-11-30T07:00:10.123Z',
      level: 'info',
      message: failed('console', '192.0.2.10', 10),
    }),
    null,
  ],
  'of another level': [failed('console', '192.0.2.11', 11).replace('warn', 'info'), null],
  'with more behind it': [failed('console', '192.0.2.12', 12).replace('}', ',"x":1}'), null],
};

describe.skipIf(!has('fail2ban-regex'))('fail2ban', () => {
  const matched = (lines: readonly string[], filter = FILTER, ...options: string[]) => {
    const log = join(temporaryDirectory(), 'log');
    writeFileSync(log, `${lines.join('\n')}\n`);
    return run('fail2ban-regex', [...options, '-o', '<ip>', log, filter]).output.trim();
  };

  test.each(Object.entries(LINES))('blocks for a failed sign-in %s, or does not', (_, [line, address]) => {
    expect(matched([line])).toBe(address ?? '');
    // From the journal, fail2ban takes the time from the entry and leaves the line whole.
    expect(matched([line], FILTER, '--datepattern', '{NONE}')).toBe(address ?? '');
  });

  test('blocks for the lines of a running service, and for wrong license keys where the jail lists them', async () => {
    // Its own process: its log is read, and it trusts a proxy.
    const service = await start('binary', TRUSTING_PROXIES);
    const addresses: string[] = [];
    for (const [at, fail] of Object.values(failingSignIns(service)).entries()) {
      addresses.push(`192.0.2.${at + 1}`, `2001:db8:${at + 1}::7`);
      for (const address of addresses.slice(-2)) expect((await fail(address)).status).toBe(401);
    }
    const lines = await until(() => {
      const found = failedSignInLines(service);
      return found.length === addresses.length ? found : undefined;
    });
    await service.end();
    const blocked = (filter: string, ...options: string[]) => matched(lines, filter, ...options).split('\n');
    const everyKind = `${FILTER}[kinds="console|portal|token|key"]`;
    for (const options of [[], ['--datepattern', '{NONE}']]) {
      expect(blocked(FILTER, ...options)).toEqual(addresses.slice(0, 6));
      expect(blocked(everyKind, ...options)).toEqual(addresses);
    }
  });
});

describe.skipIf(!existsSync(CROWDSEC))('CrowdSec', () => {
  /** Has it read a log once, and gives what it says. */
  async function detect(lines: readonly string[]): Promise<string> {
    const home = temporaryDirectory();
    const at = (...names: string[]) => join(home, ...names);
    const hub = join(CROWDSEC, 'usr/share/crowdsec/hub/parsers');
    const files = {
      'parsers/s00-raw/syslog-logs.yaml': join(hub, 's00-raw/crowdsecurity/syslog-logs.yaml'),
      'parsers/s01-parse/redoubt-logs.yaml': join(FILES, 'crowdsec/parser.yaml'),
      'parsers/s02-enrich/dateparse-enrich.yaml': join(hub, 's02-enrich/crowdsecurity/dateparse-enrich.yaml'),
      'scenarios/redoubt-sign-in.yaml': join(FILES, 'crowdsec/scenario.yaml'),
      'profiles.yaml': join(CROWDSEC, 'etc/crowdsec/profiles.yaml'),
      'simulation.yaml': join(CROWDSEC, 'etc/crowdsec/simulation.yaml'),
    };
    for (const folder of ['hub', 'data', 'plugins', 'notifications', 'postoverflows']) mkdirSync(at(folder));
    for (const [name, from] of Object.entries(files)) {
      mkdirSync(join(at(name), '..'), { recursive: true });
      copyFileSync(from, at(name));
    }
    run('cp', ['-r', join(CROWDSEC, 'etc/crowdsec/patterns'), at('patterns')]);
    writeFileSync(at('acquis.yaml'), '');
    writeFileSync(at('hub/.index.json'), '{"parsers":{},"scenarios":{},"postoverflows":{},"collections":{}}');
    const address = `127.0.0.1:${await freePort()}`;
    const paths = {
      config_dir: home,
      data_dir: at('data'),
      simulation_path: at('simulation.yaml'),
      hub_dir: at('hub'),
      index_path: at('hub/.index.json'),
      notification_dir: at('notifications'),
      plugin_dir: at('plugins'),
    };
    const api = {
      client: { credentials_path: at('credentials.yaml') },
      server: { listen_uri: address, profiles_path: at('profiles.yaml'), console_path: at('console.yaml') },
    };
    const config = {
      common: { daemonize: false, log_media: 'stdout', log_level: 'info', working_dir: home },
      config_paths: paths,
      crowdsec_service: { acquisition_path: at('acquis.yaml'), parser_routines: 1 },
      cscli: { output: 'human' },
      db_config: { log_level: 'info', type: 'sqlite', db_path: at('data/crowdsec.db') },
      api,
      prometheus: { enabled: false },
    };
    // JSON is YAML.
    writeFileSync(at('config.yaml'), JSON.stringify(config));
    writeFileSync(
      at('credentials.yaml'),
      JSON.stringify({ url: `http://${address}/`, login: 'x', password: 'x' }),
    );
    const machine = ['machines', 'add', 'test', '-p', 'secret', '-f', at('credentials.yaml')];
    const binary = (name: string) => join(CROWDSEC, 'usr/bin', name);
    run(binary('cscli'), ['-c', at('config.yaml'), ...machine, '-u', `http://${address}/`]);
    writeFileSync(at('log'), `${lines.join('\n')}\n`);
    const reading = ['-c', at('config.yaml'), '-type', 'syslog', '-dsn', `file://${at('log')}`];
    const { stdout, stderr } = await promisify(execFile)(binary('crowdsec'), reading, { timeout: 50_000 });
    return stdout + stderr;
  }

  test('blocks the address of many failed sign-ins, and none for wrong license keys or few tries', async () => {
    const lines = Array.from({ length: 14 }, (_, at) => [
      failed('console', '192.0.2.1', at),
      failed('key', '192.0.2.2', at),
      ...(at < 5 ? [failed('token', '2001:db8::7', at)] : []),
      failed('console', 'unknown', at),
    ]).flat();
    const said = await detect(lines.map((line) => `Nov 30 07:00:00 host redoubt[12]: ${line}`));
    const blocked = [...said.matchAll(/Ip (\S+) performed 'redoubt\/sign-in-bruteforce'/g)].map(
      ([, ip]) => ip,
    );
    expect(new Set(blocked)).toEqual(new Set(['192.0.2.1']));
  }, 60_000);
});
