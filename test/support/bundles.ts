import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type NoteSigner, noteSigner } from '../../src/lib/signed-note.ts';
import { paddingAfter, tarHeader } from '../../src/lib/tar.ts';
import { packFeeds } from '../../src/mirror/bundle/pack.ts';
import { epssFile, FEEDS_NOW, osvRecord } from './feeds.ts';
import { temporaryDirectory } from './temporary.ts';

export const newSigner = (name = 'example.com/feeds'): NoteSigner =>
  noteSigner(name, generateKeyPairSync('ed25519').privateKey);

/** A feed of OSV and one of EPSS, as downloaded. */
export function twoFeeds(): [osv: string, epss: string] {
  const directory = temporaryDirectory();
  const [osv, epss] = [join(directory, 'all records.json'), join(directory, 'epss.csv.gz')];
  writeFileSync(osv, JSON.stringify([osvRecord(), osvRecord({ id: 'X-2' })]));
  writeFileSync(epss, gzipSync(epssFile(['CVE-2026-0001,0.5,0.9'])));
  return [osv, epss];
}

/** A bundle of two feeds. */
export async function packed() {
  const [signer, feeds, path] = [newSigner(), twoFeeds(), join(temporaryDirectory(), 'feeds.bundle')];
  await packFeeds(feeds, signer, path, { nowMs: FEEDS_NOW });
  return { path, signer, feeds };
}

/** A member of a bundle, as [name, content]. */
export type Member = readonly [name: string, content: Uint8Array];

/** Reads the members of a bundle. */
export function membersOf(path: string): Member[] {
  const bytes = readFileSync(path);
  const members: Member[] = [];
  for (let at = 0; bytes[at] !== 0; ) {
    const name = bytes.toString('latin1', at, bytes.indexOf(0, at));
    const length = Number.parseInt(bytes.toString('latin1', at + 124, at + 135), 8);
    members.push([name, bytes.subarray(at + 512, at + 512 + length)]);
    at += 512 + length + paddingAfter(length).length;
  }
  return members;
}

/** A bundle of any members, with any manifest. */
export function bundleOf(members: readonly Member[]): string {
  const path = join(temporaryDirectory(), 'made.bundle');
  const parts = members.flatMap(([name, content]) => [
    tarHeader({ name, bytes: content.length, modifiedAtSeconds: 0 }),
    content,
    paddingAfter(content.length),
  ]);
  writeFileSync(path, Buffer.concat([...parts, new Uint8Array(1_024)]));
  return path;
}
