import { createHash } from 'node:crypto';
import type { Label, Side } from './corpus.ts';

/** A collection of code of which one half, by content, is on each side: its language, its label and which files are wanted. */
export interface Collection {
  readonly repository: string;
  readonly commit: string;
  readonly language: 'PHP' | 'JavaScript';
  readonly label: Label;
  readonly isWanted: (path: string) => boolean;
  /** One file in so many is taken. */
  readonly every: number;
}

const PHP = /\.(?:php\d?|phtml)$/i;

const collection = (
  repository: string,
  commit: string,
  language: Collection['language'],
  label: Label,
  isWanted: (path: string) => boolean,
  every = 1,
): Collection => ({ repository, commit, language, label, isWanted, every });

const MAGENTO = ['gwillem/magento-malware-scanner', '10539a47c587'] as const;
const WORDPRESS = ['stefanpejcic/wordpress-malware', 'f551d84c417d'] as const;
const HZIEEC = ['HzieeC/WebshellDetectDataset', '6e04368e9fcc'] as const;
const JIAHENG = ['JiaHeng-DLUT/Webshell-samples', '84be4718b39a'] as const;

export const COLLECTIONS: readonly Collection[] = [
  collection(...MAGENTO, 'PHP', 'malicious', (path) => /^corpus\/backend\//.test(path)),
  collection(...MAGENTO, 'JavaScript', 'malicious', (path) => /^corpus\/frontend\//.test(path)),
  collection(...WORDPRESS, 'PHP', 'malicious', (path) => PHP.test(path)),
  collection(...WORDPRESS, 'JavaScript', 'malicious', (path) => /\.js$/.test(path)),
  collection('Zusyaku/PHP-Webshell', '03a150d6c6f5', 'PHP', 'malicious', (path) => PHP.test(path)),
  collection('z3n70/webshell_bypass', '3462cf925679', 'PHP', 'malicious', (path) => PHP.test(path)),
  collection(...HZIEEC, 'PHP', 'malicious', (path) => /^php\/black\//.test(path)),
  collection('for-just-we/webshell_sample', '051903ec3e95', 'PHP', 'malicious', (path) =>
    /webshell\/.*\.php$/.test(path),
  ),
  collection(...HZIEEC, 'PHP', 'clean', (path) => /^php\/white\//.test(path), 6),
  collection(...JIAHENG, 'PHP', 'clean', (path) => /^samples\/nonwebshell.*\.php$/.test(path), 8),
  collection(...JIAHENG, 'JavaScript', 'clean', (path) => /^samples\/nonwebshell.*\.js$/.test(path), 4),
];

/** The side of a content of a collection, the same wherever it stands; undefined when it is not taken. */
export function sideOf(content: string, every: number): Side | undefined {
  const digest = createHash('sha1').update(content.replace(/\s+/g, '')).digest('hex');
  const number = Number.parseInt(digest.slice(0, 8), 16);
  if (Math.floor(number / 2) % every !== 0) return undefined;
  return number % 2 === 0 ? 'tuning' : 'evaluation';
}
