import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RiskFacts } from '../../../src/domain/risk/facts.ts';
import { assess, KERNEL, LISTED, STORED_XSS, TAKEOVER } from './known.ts';

const GUIDE = readFileSync(join(import.meta.dir, '../../../docs/vulnerabilities.md'), 'utf8');
const takeover = { cvssVectors: [TAKEOVER], exposure: 'open' } as const;

test.each<[string, Partial<RiskFacts>]>([
  ['anyone can take over an active plugin; no exploit is known', takeover],
  ['the same, listed by CISA', { ...takeover, knownExploited: [LISTED] }],
  ['the same in an inactive plugin, not listed', { ...takeover, exposure: 'controlled' }],
  ['authors can store a script in an active plugin', { cvssVectors: [STORED_XSS], exposure: 'open' }],
  [
    'local users can take over a host that is not public, listed by CISA',
    { cvssVectors: [KERNEL], exposure: 'small', knownExploited: [LISTED] },
  ],
])('the guide has the actual decisions and days: %s', (what, facts) => {
  const { decision, remediateWithinDays, forensics } = assess({ importance: 'medium', ...facts });
  const days = `${remediateWithinDays}${forensics ? ', and check for compromise first' : ''}`;
  expect(GUIDE).toContain(`| ${what} | \`${decision}\` | ${days} |`);
});
