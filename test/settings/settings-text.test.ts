import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { settingsText } from '../../src/settings/settings-text.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import '../support/properties.ts';

test('settings of the environment and its file are listed, but not the data directory', () => {
  const file = join(temporaryDirectory(), 'redoubt.env');
  writeFileSync(file, 'SERVICE_PORT=9090\nSERVICE_HOST=0.0.0.0\nSERVICE_NO_SETTING=1\n');
  const text = settingsText({
    SERVICE_CONFIG: file,
    SERVICE_PORT: '8443',
    SERVICE_DATA_DIR: '/data',
    PATH: '/bin',
  });
  expect(text).toBe('SERVICE_HOST=0.0.0.0\nSERVICE_PORT=8443\n');
});

test('secrets are omitted, and only their files are named', () => {
  const text = settingsText({
    SERVICE_STRIPE_SECRET_KEY: 'sk_test_secret',
    SERVICE_AI_KEY_FILE: '/run/credentials/redoubt.service/ai',
    SERVICE_AI_URL: 'https://user:secret@ai.example/v1',
  });
  expect(text).not.toContain('secret@');
  expect(text).not.toContain('sk_test');
  expect(parseEnv(text)).toEqual({ SERVICE_AI_KEY_FILE: '/run/credentials/redoubt.service/ai' });
  expect(text.match(/^#.*$/gm)).toHaveLength(2);
});

test('any single-line value is read unchanged', () => {
  const value = fc.oneof(fc.string(), fc.stringMatching(/^[ -~]+$/), fc.constant(`it's "so" \\n #1`));
  fc.assert(
    fc.property(value, (text) => {
      fc.pre(text !== '' && !text.includes('@'));
      const written = settingsText({ SERVICE_AI_MODEL: text });
      const isPlain = /^[ -~]+$/.test(text) && !/[\\'"`]/.test(text);
      if (isPlain) expect(written).not.toStartWith('#');
      if (!written.startsWith('#')) expect(parseEnv(written)).toEqual({ SERVICE_AI_MODEL: text });
    }),
  );
});
