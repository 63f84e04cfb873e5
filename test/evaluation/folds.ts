import { createHash } from 'node:crypto';
import type { AnalysisRequest } from '../../src/analysis/analysis.ts';

/** Sources are left out in so many turns, several at a time. */
export const FOLDS = 5;

/** Sources that copy each other are left out together. */
const FAMILIES: readonly (readonly [string, RegExp])[] = [
  ['payloadbox', /^payloadbox\//],
  ['chat stealers', /discord|token-grabber/i],
  ['recorded GitHub clients', /^(?:sigmavirus24|PyGithub)\//],
];

/** The turn in which a source is left out. Versions and forks of a plugin are left out together. */
export function foldOf(repository: string): number {
  const name = (repository.split('/')[1] ?? '').replace('plugins-', '').toLowerCase();
  const plugin = repository.startsWith('WordPressBugBounty/') ? name.split('-')[0] : name;
  const digest = createHash('sha256')
    .update(familyOf(repository) ?? plugin ?? repository)
    .digest();
  return digest.readUInt16LE(0) % FOLDS;
}

/** The name of the sources that a source copies or that copy it; undefined where there are none. */
export const familyOf = (repository: string): string | undefined =>
  FAMILIES.find(([, pattern]) => pattern.test(repository))?.[0];

/** What two contents share that differ in white space only. */
export const keyOf = ({ inputType, content }: AnalysisRequest): string =>
  createHash('sha1')
    .update(`${inputType}:${content.replace(/\s+/g, '')}`)
    .digest('base64');

/** Whether a file is among those of which one in so many is taken. */
export const isAmong = (path: string, every: number): boolean =>
  every === 1 || createHash('sha1').update(path).digest().readUInt32LE(0) % every === 0;
