import { expect, test } from 'bun:test';
import { hashBearerSecret } from '../../src/domain/admin/bearer-secret.ts';
import { hashRecoveryCode } from '../../src/domain/admin/recovery-code.ts';
import { holdsToken, judgeTexts } from '../../src/domain/domain-control/challenge.ts';
import { readLicenseTable } from '../../src/domain/license/license-table.ts';
import { identitiesIn } from '../../src/lib/age-file.ts';

const AROUND = ['\n', '\r', ' ', '\t', '\ufeff', '\u200b', '\u00a0', '\u2060'];

test.each(AROUND)('%j around a secret is ignored where it is read', (around) => {
  const wrapped = (secret: string) => around + secret + around;
  expect(holdsToken(`first\n${wrapped('token-1')}\nlast`, 'token-1')).toBe(true);
  expect(judgeTexts([wrapped('token=token-1')], 'token-1', 0)).toBeNull();
  expect(identitiesIn(`# made\n${wrapped('AGE-SECRET-KEY-1')}\n`)).toEqual(['AGE-SECRET-KEY-1']);
  expect(hashBearerSecret(wrapped('secret'))).toBe(hashBearerSecret('secret'));
  const code = '0f3k-9xzt-71ab-c2de';
  expect(hashRecoveryCode(wrapped(code))).toBe(hashRecoveryCode(code) ?? 'a code');
});

test.each(AROUND)('%j around a cell is ignored in a table of licenses', (around) => {
  const key = 'foreign-key-0123456789';
  const cells = { key, plan: 'pro' };
  const wrapped = `${around}${key}${around}`;
  const csv = readLicenseTable(Buffer.from(`key,plan\n"${wrapped}",pro\n`), 'csv');
  expect(csv.rows).toMatchObject([{ cells }]);
  const ndjson = readLicenseTable(Buffer.from(JSON.stringify({ key: wrapped, plan: 'pro' })), 'ndjson');
  expect(ndjson.rows).toMatchObject([{ cells }]);
});
