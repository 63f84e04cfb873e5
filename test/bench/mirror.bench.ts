/**
 * What it costs to read a feed: `bun test/bench/mirror.bench.ts`. A made-up Wordfence feed of 42,500 records and 160 MB, plain and as
 * gzip, and an archive of 100,000 records of OSV that was written as a stream; beside the first, `JSON.parse` of the whole as the
 * measure. Each in a process of its own, so that the peak of its memory is its own.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Zip, ZipDeflate } from 'fflate';
import { readFeed } from '../../src/mirror/read-feed.ts';
import { FEEDS_NOW, osvRecord, wordfenceRecord } from '../support/feeds.ts';

const RECORDS = 42_500;
const RECORD_BYTES = 3_860;
const MEMBERS = 100_000;
const [PLAIN, GZIP, ZIP] = ['wordfence.json', 'wordfence.json.gz', 'all.zip'] as const;

async function makeWordfence(path: string): Promise<void> {
  const out = createWriteStream(path);
  for (let at = 0; at < RECORDS; at++) {
    const id = `${at.toString(16).padStart(8, '0')}-1a7a-43d2-bbbf-597e975446be`;
    const bare = JSON.stringify(wordfenceRecord({ id, description: '' })).length;
    const description = `The "Contact Us" plugin\n${`is vulnerable in \\ number ${at}. `.repeat(200)}`;
    const text = JSON.stringify(
      wordfenceRecord({ id, description: description.slice(0, RECORD_BYTES - bare - 200) }),
    );
    if (!out.write(`${at === 0 ? '{' : ','}"${id}":${text}`)) await once(out, 'drain');
  }
  out.end('}');
  await once(out, 'close');
}

function makeArchive(path: string): void {
  const parts: Uint8Array[] = [];
  const zip = new Zip((_, part) => parts.push(part));
  const utf8 = new TextEncoder();
  for (let at = 0; at < MEMBERS; at++) {
    const member = new ZipDeflate(`X-${at}.json`, { level: 1 });
    zip.add(member);
    const details = `${Math.sin(at)} `.repeat(60);
    member.push(utf8.encode(JSON.stringify(osvRecord({ id: `X-${at}`, details }))), true);
  }
  zip.end();
  writeFileSync(path, Buffer.concat(parts));
}

/** One measurement, in the process that was started for it. */
async function measure(way: string, path: string): Promise<void> {
  const began = performance.now();
  let records = 0;
  if (way === 'JSON.parse') records = Object.keys(JSON.parse(readFileSync(path, 'utf8'))).length;
  else records = (await readFeed(path, () => {}, { nowMs: FEEDS_NOW })).records;
  const seconds = (performance.now() - began) / 1_000;
  const peakMb = process.resourceUsage().maxRSS / 1_024;
  console.log(
    JSON.stringify({ way, records, seconds: Number(seconds.toFixed(2)), 'peak MB': Math.round(peakMb) }),
  );
}

/** The peak of a process begins with that of the one that started it: so this one does nothing itself. */
function run(way: string, path: string, env: Record<string, string> = {}): void {
  spawnSync(process.execPath, [import.meta.path, way, path], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
}

async function compare(folder: string): Promise<void> {
  run('make', folder);
  const plain = join(folder, PLAIN);
  run('JSON.parse', plain);
  run('plain', plain);
  run('plain, interpreter', plain, { BUN_JSC_useJIT: '0' });
  run('gzip', join(folder, GZIP));
  run('zip', join(folder, ZIP));
}

const [way, path] = process.argv.slice(2);
if (way === 'make' && path !== undefined) {
  await makeWordfence(join(path, PLAIN));
  writeFileSync(join(path, GZIP), gzipSync(readFileSync(join(path, PLAIN)), { level: 1 }));
  makeArchive(join(path, ZIP));
  for (const name of [PLAIN, GZIP, ZIP]) console.log(name, statSync(join(path, name)).size, 'bytes');
} else if (way !== undefined && path !== undefined) await measure(way, path);
else {
  const folder = await mkdtemp(join(tmpdir(), 'redoubt-bench-'));
  await compare(folder).finally(() => rm(folder, { recursive: true, force: true }));
}
