import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What bun.lock has pinned. */
export interface Pinned {
  readonly version: string;
  /** As registries tell it: the algorithm, then base64. */
  readonly integrity: string;
}

/** One line of bun.lock tells one package: its name there, its name and version, more about it, its hash. */
const LINE = /^ {4}"[^"]+": \["(@?[^"@]+)@([^"]+)", .*"(sha512-[^"]+)"\],$/gm;

/** The packages of bun.lock, by `name@version`. */
export function pinnedPackages(root: string): ReadonlyMap<string, Pinned> {
  const lock = readFileSync(join(root, 'bun.lock'), 'utf8');
  return new Map(
    [...lock.matchAll(LINE)].map(([, name = '', version = '', integrity = '']) => [
      `${name}@${version}`,
      { version, integrity },
    ]),
  );
}
