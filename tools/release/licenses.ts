import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContainedPackage } from './contents.ts';

const RULE = '-'.repeat(79);

/** The license of this service, and those of what is in the executable, which want to go along with it. */
export function licensesText(root: string, packages: readonly ContainedPackage[]): string {
  const own = readFileSync(join(root, 'LICENSE'), 'utf8').trim();
  const others = packages.map(({ name, version, license, licenseTexts }) =>
    [`${name} ${version} (${license})`, ...licenseTexts.map((text) => text.trim())].join('\n\n'),
  );
  const bun = 'bun (MIT, with libraries under licenses of their own): https://bun.sh/docs/project/licensing';
  return [
    `Redoubt is under the Apache License 2.0. On Debian its text is in /usr/share/common-licenses/Apache-2.0 as well.\n\n${own}`,
    'What follows is about the parts of others in its executable.',
    bun,
    ...others,
    '',
  ].join(`\n\n${RULE}\n\n`);
}
