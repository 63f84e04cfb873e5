import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Zip, ZipDeflate, ZipPassThrough, zipSync } from 'fflate';
import { FeedRefused } from '../../../src/mirror/feed-refused.ts';
import { documentsOf } from '../../../src/mirror/files/documents.ts';
import { Expansion } from '../../../src/mirror/files/expansion.ts';
import { digestOf, openFeedFile } from '../../../src/mirror/files/feed-file.ts';
import { FEED_LIMITS, type FeedLimits } from '../../../src/mirror/limits.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const text = (size: number) => Array.from({ length: size }, (_, at) => `line ${at * 7_919}`).join('\n');
const bytesOf = (content: string) => new TextEncoder().encode(content);
const noise = crypto.getRandomValues(new Uint8Array(60_000));

function fileOf(content: Uint8Array | string): string {
  const path = join(temporaryDirectory(), 'feed');
  writeFileSync(path, content);
  return path;
}

async function read(path: string, limits: Partial<FeedLimits> = {}, between = () => {}): Promise<Buffer[]> {
  const file = openFeedFile(path);
  try {
    const all = { ...FEED_LIMITS, ...limits };
    const documents: Buffer[] = [];
    for (const chunks of documentsOf(file, all, new Expansion(all))) {
      const parts: Uint8Array[] = [];
      for await (const chunk of chunks) parts.push(chunk.slice());
      documents.push(Buffer.concat(parts));
    }
    between();
    file.assertUnchanged();
    return documents;
  } finally {
    file.close();
  }
}

const refusal = (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => 'taken',
    (error: unknown) => (error instanceof FeedRefused ? error.why : Promise.reject(error)),
  );

/** As a streaming program writes it: lengths and checksums follow the members (APPNOTE 4.3.9). */
function streamedZip(members: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const parts: Uint8Array[] = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    parts.push(part);
  });
  for (const [name, content] of Object.entries(members)) {
    const member = name.startsWith('stored') ? new ZipPassThrough(name) : new ZipDeflate(name, { level: 6 });
    zip.add(member);
    member.push(content, true);
  }
  zip.end();
  return Buffer.concat(parts);
}

describe('a file returns its documents', () => {
  const long = bytesOf(text(80_000));

  test('plain, and as gzip of one or several members', async () => {
    expect(await read(fileOf(long))).toEqual([Buffer.from(long)]);
    expect(await read(fileOf(gzipSync(long)))).toEqual([Buffer.from(long)]);
    expect(await read(fileOf(Buffer.concat([gzipSync('one'), gzipSync('two')])))).toEqual([
      Buffer.from('onetwo'),
    ]);
  });

  const members = {
    'a.json': bytesOf('{"a":1}'),
    'stored.json': noise,
    'empty.json': bytesOf(''),
    'long.json': long,
  };
  const contents = Object.values(members).map((content) => Buffer.from(content));

  test('of a zip: deflated or stored, short or long, without its directories', async () => {
    expect(await read(fileOf(zipSync({ ...members, folder: {} })))).toEqual(contents);
    expect(await read(fileOf(zipSync(members, { level: 0, comment: 'PK\x05\x06 in a comment' })))).toEqual(
      contents,
    );
  });

  test('of a zip written as a stream', async () => {
    expect(await read(fileOf(streamedZip(members)))).toEqual(contents);
  });

  test('of a zip with members that look like the ends and beginnings of others', async () => {
    const traps = {
      'stored.json': bytesOf('PK\x07\x08 PK\x03\x04 PK\x01\x02 PK\x05\x06'),
      'b.json': bytesOf('{}'),
    };
    expect(await read(fileOf(streamedZip(traps)))).toEqual(
      Object.values(traps).map((content) => Buffer.from(content)),
    );
  });

  const hasZip = spawnSync('zip', ['--version']).status === 0;
  test.skipIf(!hasZip)(`of a ZIP64 by Info-ZIP${hasZip ? '' : ' (zip is not installed)'}`, async () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'a.json'), long);
    const zipped = spawnSync('sh', ['-c', 'cat a.json | zip -fz - - > out.zip'], { cwd: folder });
    expect(zipped.status).toBe(0);
    expect(readFileSync(join(folder, 'out.zip')).includes('PK\x06\x06')).toBe(true);
    expect(await read(join(folder, 'out.zip'))).toEqual([Buffer.from(long)]);
  });
});

test('the digest of a file covers all its bytes', () => {
  const path = fileOf(noise);
  const file = openFeedFile(path);
  const seen: number[] = [];
  expect(digestOf(file, (bytes) => seen.push(bytes))).toBe(
    new Bun.CryptoHasher('sha256').update(noise).digest('hex'),
  );
  expect(seen.at(-1)).toBe(noise.length);
  file.close();
});

describe('refused:', () => {
  test('anything but an ordinary file', async () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'real'), '[]');
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    mkdirSync(join(folder, 'directory'));
    for (const name of ['link', 'directory', 'missing'])
      expect([name, await refusal(read(join(folder, name)))]).toEqual([name, 'not_a_file']);
  });

  test('an empty file, or one that changes while it is read', async () => {
    expect(await refusal(read(fileOf('')))).toBe('truncated');
    const path = fileOf(text(10));
    expect(await refusal(read(path, {}, () => appendFileSync(path, 'more')))).toBe('other_content');
    expect(await refusal(read(path, {}, () => truncateSync(path, 0)))).toBe('other_content');
  });

  test('truncated gzip and zip', async () => {
    const gzip = gzipSync(noise);
    const zip = zipSync({ 'a.json': noise });
    for (const part of [0.2, 0.5, 0.99]) {
      expect(await refusal(read(fileOf(gzip.subarray(0, gzip.length * part))))).toBe('truncated');
      expect(await refusal(read(fileOf(zip.subarray(0, zip.length * part))))).toBe('truncated');
    }
  });

  test('gzip and zip with a changed byte', async () => {
    const content = bytesOf(text(2_000));
    for (const packed of [
      gzipSync(content),
      zipSync({ 'a.json': content }),
      zipSync({ 'b.json': content }, { level: 0 }),
    ]) {
      const damaged = Uint8Array.from(packed);
      damaged[packed.length >> 1] = (damaged[packed.length >> 1] as number) ^ 0x55;
      expect(await refusal(read(fileOf(damaged)))).toBe('malformed');
    }
  });

  test('a zip with a wrong directory', async () => {
    const zip = zipSync({ 'a.json': bytesOf('{"a":1}'), 'b.json': bytesOf('{"b":2}') });
    const directory = Buffer.from(zip).indexOf('PK\x01\x02');
    const lie = (at: number, value: number) => {
      const view = new DataView(Uint8Array.from(zip).buffer);
      view.setUint32(at, value, true);
      return refusal(read(fileOf(new Uint8Array(view.buffer))));
    };
    // Compressed length, expanded length, place of the local header, method with flags, number of members.
    expect(await lie(directory + 20, 1_000)).toBe('malformed');
    expect(await lie(directory + 24, 6)).toBe('malformed');
    expect(await lie(directory + 42, 3)).toBe('malformed');
    expect(await lie(directory + 8, 0x000c_0000)).toBe('unrecognised');
    expect(await lie(directory + 8, 0x0008_0001)).toBe('unrecognised');
    expect(await lie(zip.length - 14, 0x0003_0003)).toBe('malformed');
    expect(await lie(directory, 0)).toBe('malformed');
  });

  test('bombs: by their members, their ratio and their expanded bytes', async () => {
    const many = zipSync(Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`${at}`, bytesOf('{}')])));
    expect(await refusal(read(fileOf(many), { members: 11 }))).toBe('taken');
    expect(await refusal(read(fileOf(many), { members: 10 }))).toBe('too_large');
    const zeros = new Uint8Array(3_000_000);
    for (const packed of [
      gzipSync(zeros),
      zipSync({ a: zeros }),
      zipSync({ a: zeros.subarray(0, 900_000) }),
    ]) {
      expect(await refusal(read(fileOf(packed), { ratioFromBytes: 800_000 }))).toBe('too_large');
      expect(await refusal(read(fileOf(packed), { expandedBytes: 800_000 }))).toBe('too_large');
      expect(await refusal(read(fileOf(packed)))).toBe('taken');
    }
  });

  test('a zip with members that share bytes, like those of a bomb', async () => {
    const zip = Buffer.from(zipSync({ a: noise }));
    const directory = zip.indexOf('PK\x01\x02');
    const [member, entry, end] = [
      zip.subarray(0, directory),
      zip.subarray(directory, -22),
      zip.subarray(-22),
    ];
    const with3 = Buffer.from(end);
    with3.writeUInt16LE(3, 8);
    with3.writeUInt16LE(3, 10);
    with3.writeUInt32LE(3 * entry.length, 12);
    expect(await refusal(read(fileOf(Buffer.concat([member, entry, end]))))).toBe('taken');
    expect(await refusal(read(fileOf(Buffer.concat([member, entry, entry, entry, with3]))))).toBe(
      'malformed',
    );
  });
});
