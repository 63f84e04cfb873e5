/**
 * The cost of reading a feed: `bun test/bench/mirror.bench.ts`. A fictitious Wordfence feed of 42,500 records
 * and 160 MB, plain and as gzip, and a streamed archive of 100,000 records of OSV; next to the first,
 * `JSON.parse` of the whole as the measure. Then the whole import of the first, into nothing and over itself,
 * and opening the result, by the functions of the command or with REDOUBT_EXECUTABLE. Each in a separate
 * process, to measure the peak of its memory.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Zip, ZipDeflate } from 'fflate';
import { importFeeds } from '../../src/cli/vulns-import-feeds.ts';
import { readFeed } from '../../src/mirror/read-feed.ts';
import { databasePath } from '../../src/storage/engine/data-directory.ts';
import { connect, prepareDatabase } from '../../src/storage/engine/sqlite/database.ts';
import { openKeptSnapshot } from '../../src/storage/mirror/open-snapshot.ts';
import { readMirrorState } from '../../src/storage/vulnerabilities/mirror-state.ts';
import { storeOf } from '../../src/terminal/store.ts';
import { FEEDS_NOW, osvRecord, wordfenceRecord, wordfenceSoftware } from '../support/feeds.ts';

const RECORDS = 42_500;
const RECORD_BYTES = 3_860;
const MEMBERS = 100_000;
const [PLAIN, GZIP, ZIP] = ['wordfence.json', 'wordfence.json.gz', 'all.zip'] as const;

async function makeWordfence(path: string): Promise<void> {
  const out = createWriteStream(path);
  for (let at = 0; at < RECORDS; at++) {
    const id = `${at.toString(16).padStart(8, '0')}-1a7a-43d2-bbbf-597e975446be`;
    const own = {
      id,
      cve: `CVE-2026-${at + 10_000}`,
      software: [wordfenceSoftware({ slug: `plugin-${at % 12_000}` })],
    };
    const bare = JSON.stringify(wordfenceRecord({ ...own, description: '' })).length;
    const description = `The "Contact Us" plugin\n${`is vulnerable in \\ number ${at}. `.repeat(200)}`;
    const text = JSON.stringify(
      wordfenceRecord({ ...own, description: description.slice(0, RECORD_BYTES - bare - 200) }),
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
    member.push(
      utf8.encode(
        JSON.stringify(osvRecord({ id: `X-${at}`, aliases: [`CVE-2025-${at + 10_000}`], details })),
      ),
      true,
    );
  }
  zip.end();
  writeFileSync(path, Buffer.concat(parts));
}

/** The command's functions, on the result of an earlier call in the folder. */
async function importInto(directory: string, feed: string): Promise<number> {
  const database = databasePath(directory);
  prepareDatabase(database);
  const act = { actor: 'cli:bench', now: Date.now() } as const;
  const wanted = { directory, feeds: [{ path: feed }], force: false, dryRun: false, act };
  const { changes } = await importFeeds(storeOf(connect(database)), wanted);
  return changes[0]?.after.records ?? 0;
}

/** A server's work with the result of an earlier call in the folder, before it uses it. */
async function openImported(directory: string): Promise<void> {
  const { current } = await readMirrorState(connect(databasePath(directory)))();
  if (current !== null) (await openKeptSnapshot(directory, current)).close();
}

/** The same by an executable, which reports its own peak. */
function runImport(way: string, feed: string, env: Record<string, string> = {}): void {
  const executable = process.env.REDOUBT_EXECUTABLE;
  if (executable === undefined) {
    run(way, feed, env);
    return;
  }
  const all = { ...process.env, SERVICE_DATA_DIR: dirname(feed), ...env };
  Bun.spawnSync([executable, 'init'], { env: all });
  const began = performance.now();
  const ended = Bun.spawnSync([executable, 'vulns', 'import', feed], { env: all, stderr: 'inherit' });
  const seconds = ((performance.now() - began) / 1_000).toFixed(2);
  const peakMb = Math.round((ended.resourceUsage?.maxRSS ?? 0) / 1_024 ** 2);
  console.log(JSON.stringify({ way, exitCode: ended.exitCode, seconds: Number(seconds), 'peak MB': peakMb }));
}

/** One measurement, in a process started for it. */
async function measure(way: string, path: string): Promise<void> {
  const began = performance.now();
  let records = 0;
  if (way === 'open') await openImported(dirname(path));
  else if (way.startsWith('import')) records = await importInto(dirname(path), path);
  else if (way === 'JSON.parse') records = Object.keys(JSON.parse(readFileSync(path, 'utf8'))).length;
  else records = (await readFeed(path, () => {}, { nowMs: FEEDS_NOW })).records;
  const seconds = (performance.now() - began) / 1_000;
  const peakMb = process.resourceUsage().maxRSS / 1_024;
  console.log(
    JSON.stringify({ way, records, seconds: Number(seconds.toFixed(2)), 'peak MB': Math.round(peakMb) }),
  );
}

/** The peak of a process begins with that of its parent: so this one does nothing itself. */
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
  runImport('import', plain);
  run('open', plain);
  runImport('import over itself', plain);
  runImport('import over itself, interpreter', plain, { BUN_JSC_useJIT: '0' });
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
