import { expect, test } from 'bun:test';
import { loadConfig, proxiesOfEverybody } from '../../src/settings/config.ts';

test.each([
  ['0.0.0.0/0', true],
  ['::/0', true],
  ['0.0.0.0/1,128.0.0.0/1', true],
  ['2000::/3', true],
  ['127.0.0.1, 0.0.0.0/0', true],
  ['10.0.0.0/8, fc00::/7, 127.0.0.1, ::1', false],
  ['', false],
])('trusting %p as a proxy is trusting everybody: %p', (proxies, isOpen) => {
  for (const env of ['SERVICE_TRUSTED_PROXIES', 'SERVICE_ADMIN_TRUSTED_PROXIES'])
    expect(proxiesOfEverybody(loadConfig({ [env]: proxies }))).toEqual(isOpen ? [env] : []);
});
