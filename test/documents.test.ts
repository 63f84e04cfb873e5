import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultCatalog } from '../src/domain/catalog.ts';
import { PAYMENT_EVENTS } from '../src/domain/payment-event.ts';
import { SETTINGS, type Setting } from '../src/settings.ts';

const read = (name: string) => readFileSync(join(import.meta.dir, '..', name), 'utf8');

test('the README lists every setting with its default and meaning', () => {
  const readme = read('README.md');
  for (const { env, fallback, help } of Object.values<Setting>(SETTINGS)) {
    expect(readme).toContain(`| \`${env}\` | ${fallback ? `\`${fallback}\`` : ''} | ${help} |`);
  }
});

test('the README tells how many sites each plan has', () => {
  const readme = read('README.md');
  for (const [plan, { sitesAllowed }] of Object.entries(defaultCatalog)) {
    expect(readme).toContain(`| \`${plan}\` | ${sitesAllowed} |`);
  }
});

test('the README names every event of Stripe that the webhook listens to', () => {
  const readme = read('README.md');
  for (const type of Object.keys(PAYMENT_EVENTS)) expect(readme).toContain(`\`${type}\``);
});

test('ARCHITECTURE lists every dependency', () => {
  const architecture = read('ARCHITECTURE.md');
  const { dependencies, devDependencies } = JSON.parse(read('package.json'));
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    if (!name.startsWith('@types/')) expect(architecture).toContain(name);
  }
});
