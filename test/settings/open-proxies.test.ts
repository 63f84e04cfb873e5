import { expect, test } from 'bun:test';
import { createLog } from '../../src/lib/log.ts';
import { loadConfig, proxiesOfEverybody } from '../../src/settings/config.ts';
import { loadInput, warnOf } from '../../src/settings/service-input.ts';

test.each([
  ['0.0.0.0/0', true],
  ['::/0', true],
  ['0.0.0.0/1,128.0.0.0/1', true],
  ['2000::/3', true],
  ['127.0.0.1, 0.0.0.0/0', true],
  ['10.0.0.0/8, fc00::/7, 127.0.0.1, ::1', false],
  ['', false],
])('trusting %p as a proxy means trusting everyone: %p', (proxies, isOpen) => {
  for (const env of ['SERVICE_TRUSTED_PROXIES', 'SERVICE_ADMIN_TRUSTED_PROXIES'])
    expect(proxiesOfEverybody(loadConfig({ [env]: proxies }))).toEqual(isOpen ? [env] : []);
});

/** The warnings in the log of a start. */
function warningsOf(environment: Record<string, string>): unknown[] {
  const lines: string[] = [];
  const log = createLog({ level: 'info', json: true, write: (text) => lines.push(text) });
  warnOf(loadInput(environment), environment, log);
  return lines
    .map((line) => JSON.parse(line))
    .map(({ level, message, setting }) => [level, message, setting]);
}

const EVERYBODY = 'every address is a trusted proxy: callers choose the address used for limits';

test('a start warns exactly of the settings that trust everyone as a proxy', () => {
  const settings = ['SERVICE_TRUSTED_PROXIES', 'SERVICE_ADMIN_TRUSTED_PROXIES'];
  for (const proxies of ['0.0.0.0/0', '::/0', '10.0.0.1,0.0.0.0/0', '0.0.0.0/1,128.0.0.0/1']) {
    for (const setting of settings)
      expect([proxies, warningsOf({ [setting]: proxies })]).toEqual([
        proxies,
        [['warn', EVERYBODY, setting]],
      ]);
  }
  expect(warningsOf(Object.fromEntries(settings.map((setting) => [setting, '::/0'])))).toEqual(
    settings.map((setting) => ['warn', EVERYBODY, setting]),
  );
  expect(warningsOf(Object.fromEntries(settings.map((setting) => [setting, '127.0.0.1,::1'])))).toEqual([]);
});
