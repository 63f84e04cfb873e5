import { beforeAll, describe, expect, test } from 'bun:test';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import packageJson, { version } from '../../package.json';
import { releaseComment, releaseOf } from '../../src/domain/release/release.ts';
import { minisignSignatureIn } from '../../src/lib/minisign.ts';
import { exportFeed, writeBundle } from '../../src/operator/feed-exchange/export-feed.ts';
import { debianPackage } from '../../tools/release/debian-package.ts';
import { DEBIAN_PINS, purlOf } from '../../tools/release/image/debian-lock.ts';
import { VEX_STATEMENTS } from '../../tools/release/vex.ts';
import { packed } from '../support/bundles.ts';
import { buildOtherVersion } from '../support/newer-version.ts';
import { installPackages } from '../support/packages.ts';
import { newReleaseKey, signFile } from '../support/releases.ts';
import { BUN } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// Runs with the whole matrix: it makes two releases, which takes a minute.

const ROOT = join(import.meta.dir, '../..');
const SANDBOX = join(ROOT, '../shared/tools/systemd-sandbox');
const isCi = process.env.CI === 'true';
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
const has = (command: string) =>
  isCi || spawnSync('sh', ['-c', `command -v ${command}`], { env }).status === 0;

const key = newReleaseKey();
const keys = temporaryDirectory();
const [secretFile, publicFile] = [join(keys, 'release.key'), join(keys, 'release.pub')];
writeFileSync(secretFile, key.secretFile);
writeFileSync(publicFile, key.publicFile);

const date = { GIT_AUTHOR_DATE: '1764000000 +0000', GIT_COMMITTER_DATE: '1764000000 +0000' };
const git = (folder: string, ...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
    cwd: folder,
    stdio: 'pipe',
    env: { ...env, ...date },
  });

/** Shares the installed packages with a checked out folder. */
function withPackages(folder: string): string {
  writeFileSync(join(folder, '.git/info/exclude'), 'node_modules\n');
  installPackages(folder);
  return folder;
}

/** The current source as a new commit. */
function committed(): string {
  const folder = join(temporaryDirectory(), 'source');
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: ROOT,
  }).toString();
  const script = `mkdir -p "${folder}" && tar --null -T - -cf - | tar -xf - -C "${folder}"`;
  execFileSync('sh', ['-c', script], { cwd: ROOT, input: files });
  git(folder, 'init', '--quiet');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message=A release');
  return withPackages(folder);
}

/** The same commit in another place, checked out by another user with another umask. */
function cloned(of: string): string {
  const folder = join(temporaryDirectory(), 'another', 'place', 'of', 'it');
  execFileSync('sh', ['-c', 'umask 077 && git clone --quiet "$0" "$1"', of, folder], { stdio: 'pipe' });
  return withPackages(folder);
}

const runRelease = (
  folder: string,
  umask: string,
  more: Readonly<Record<string, string>>,
  ...words: string[]
) =>
  spawnSync('sh', ['-c', `umask ${umask} && exec "$0" tools/release/release.ts "$@"`, BUN, ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...env, ...more },
  });
const signed = ['--sign', secretFile, '--release-key', publicFile];

const sumsOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [
        path.slice(folder.length + 1),
        createHash('sha256').update(readFileSync(path)).digest('hex'),
      ]),
  );

let source: string;
let made: string;
const at = (name: string) => join(made, name);
beforeAll(() => {
  source = committed();
  const { status, stderr } = runRelease(source, '022', { TZ: 'UTC' }, ...signed);
  expect([status, stderr]).toEqual([0, '']);
  made = join(source, 'dist/release');
}, 600_000);

const PROGRAMS = ['linux-x64', 'linux-arm64'].map((target) => `redoubt-${version}-${target}`);
const DEBS = ['amd64', 'arm64'].map((debian) => `redoubt_${version}_${debian}.deb`);
/** The version of a later release. */
const NEWER = '9.9.9';
const KIT = `redoubt-${version}-airgap.tar`;
/** Files for every platform. */
const OF_ALL = ['-oci.tar', '-oci.cdx.json', '.cdx.json', '.openvex.json', '.intoto.json'].map(
  (end) => `redoubt-${version}${end}`,
);
const SIGNED = [...PROGRAMS, ...DEBS, ...OF_ALL, 'SHA256SUMS', KIT];

test('a release has executables and packages of both platforms, and all accompanying files', () => {
  const names = Object.keys(sumsOf(made));
  expect(names).toEqual(
    [
      ...['README.txt', `redoubt-${version}-handbook.html`, `redoubt-${version}-licenses.txt`],
      ...['man/redoubt.1', 'completion/_redoubt', 'completion/redoubt.bash', 'completion/redoubt.fish'],
      ...readdirSync(join(ROOT, 'systemd')).map((name) => `systemd/${name}`),
      ...SIGNED.flatMap((name) => [name, `${name}.minisig`]),
    ].sort(),
  );
  const machines = PROGRAMS.map((name) => readFileSync(at(name)).readUInt16LE(18));
  expect(machines).toEqual([62, 183]);
});

test('a second build, elsewhere by another user, is byte-identical', () => {
  const elsewhere = cloned(source);
  const zone = { TZ: 'Pacific/Auckland', LC_ALL: 'C', HOME: temporaryDirectory(), SOURCE_DATE_EPOCH: '1' };
  const { status, stderr } = runRelease(elsewhere, '077', zone, ...signed);
  expect([status, stderr]).toEqual([0, '']);
  const other = join(elsewhere, 'dist/release');
  expect(sumsOf(other)).toEqual(sumsOf(made));
  const modes = (folder: string) =>
    execFileSync('find', ['.', '-type', 'f', '-printf', '%m %p\\n'], { cwd: folder, encoding: 'utf8' })
      .split('\n')
      .sort();
  expect(modes(other)).toEqual(modes(made));
  rmSync(elsewhere, { recursive: true });
}, 600_000);

test('the checksums are correct, and the kit contains everything', () => {
  expect(spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: made }).status).toBe(0);
  const packed = execFileSync('tar', ['-tf', KIT], { cwd: made, encoding: 'utf8' }).trim().split('\n');
  const folder = KIT.replace('.tar', '/');
  expect(packed.filter((name) => !name.endsWith('/')).sort()).toEqual(
    Object.keys(sumsOf(made))
      .filter((name) => !name.startsWith(KIT))
      .map((name) => folder + name)
      .sort(),
  );
});

test('every signature names version, dates and platform', () => {
  const comments = SIGNED.map(
    (name) => minisignSignatureIn(readFileSync(at(`${name}.minisig`), 'utf8'))?.trustedComment,
  );
  const dates = 'serial:1764000000 built:2025-11-24T16:00:00.000Z expires:2027-11-24T16:00:00.000Z';
  const targets = [
    'linux-x64',
    'linux-arm64',
    'linux-x64',
    'linux-arm64',
    ...[...OF_ALL, 'sums', 'kit'].map(() => 'any'),
  ];
  expect(comments).toEqual(targets.map((target) => `redoubt ${version} ${dates} target:${target}`));
});

test('the executable reports its commit, and accepts every file of its own release', () => {
  const executable = at(`redoubt-${version}-linux-${process.arch}`);
  const { commit, built_at, sbom_sha256 } = JSON.parse(
    execFileSync(executable, ['version', '--json'], { encoding: 'utf8' }),
  );
  expect(sbom_sha256).toBe(sumsOf(made)[`redoubt-${version}.cdx.json`] ?? '');
  expect([commit, built_at]).toEqual([expect.stringMatching(/^[0-9a-f]{12}$/), '2025-11-24T16:00:00.000Z']);
  for (const name of SIGNED)
    expect([name, spawnSync(executable, ['verify', at(name)]).status]).toEqual([name, 0]);
});

test.if(has('minisign'))("Debian's minisign accepts every file", () => {
  for (const name of SIGNED)
    expect([name, spawnSync('minisign', ['-V', '-q', '-p', publicFile, '-m', at(name)]).status]).toEqual([
      name,
      0,
    ]);
});

const bomOf = (end: string) => JSON.parse(readFileSync(at(`redoubt-${version}${end}`), 'utf8'));
const BOM_ENDS = ['.cdx.json', '-oci.cdx.json'];

test.each(BOM_ENDS)(
  'the bill of materials *%s is CycloneDX 1.6, and lists the contents and nothing else',
  (end) => {
    const schemas = join(ROOT, 'node_modules/@cyclonedx/cyclonedx-library/res/schema');
    const schema = (name: string) =>
      JSON.parse(readFileSync(join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8'));
    const ajv = new Ajv({ strict: false });
    addFormats(ajv);
    for (const name of ['spdx', 'jsf-0.82'])
      ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
    ajv.addFormat('iri-reference', true);
    ajv.addFormat('idn-email', true);
    const isValid = ajv.compile(schema('bom-1.6'));
    const bom = bomOf(end);
    isValid(bom);
    expect(isValid.errors ?? []).toEqual([]);

    const purls: string[] = bom.components.map(({ purl }: { purl: string }) => purl);
    const inside = [
      'github/oven-sh/bun@bun-v1.4.5',
      'npm/elysia@',
      'npm/cookie@',
      'npm/%40sinclair/typebox@',
      'npm/swagger-ui-dist@',
    ];
    for (const name of inside) expect(purls.filter((purl) => purl.startsWith(`pkg:${name}`))).toHaveLength(1);
    for (const name of ['deno', 'fflate', 'typescript', 'bun-types', 'file-type'])
      expect(purls.filter((purl) => purl.startsWith(`pkg:npm/${name}@`))).toEqual([]);
    const debian = purls.filter((purl) => purl.startsWith('pkg:deb/'));
    expect(debian).toEqual(end === '.cdx.json' ? [] : DEBIAN_PINS.map(purlOf));
    const libraries: { name: string; version: string }[] = bom.components[0].components;
    expect(libraries.find(({ name }) => name === 'sqlite')?.version).toBe(process.versions.sqlite ?? '');
    for (const { name, version } of libraries)
      expect([name, version]).toEqual([name, expect.stringMatching(/./)]);
    for (const { hashes } of bom.components.slice(1))
      expect(hashes[0].content).toMatch(/^(?:[0-9a-f]{64}|[0-9a-f]{128})$/);
  },
);

test('the provenance names every file of the release, the commit, and every material by its hash', () => {
  const { _type, subject, predicateType, predicate } = bomOf('.intoto.json');
  expect([_type, predicateType]).toEqual([
    'https://in-toto.io/Statement/v1',
    'https://slsa.dev/provenance/v1',
  ]);
  const sums = Object.entries(sumsOf(made)).filter(
    ([name]) => !/[.]minisig$|^SHA256SUMS|[.]intoto[.]json$|-airgap[.]tar$/.test(name),
  );
  expect(subject.map(({ name, digest }: Subject) => [name, digest.sha256])).toEqual(sums);
  const { externalParameters, resolvedDependencies } = predicate.buildDefinition;
  const head = git(source, 'rev-parse', 'HEAD').toString().trim();
  expect(externalParameters).toMatchObject({ version, commit: head });
  expect(resolvedDependencies[0].digest).toEqual({ gitCommit: head });
  for (const { digest } of resolvedDependencies.slice(1))
    expect(Object.values(digest)).toEqual([expect.stringMatching(/^(?:[0-9a-f]{64}|[0-9a-f]{128})$/)]);
  const uris = resolvedDependencies.map(({ uri }: { uri?: string }) => uri);
  const inBill = bomOf('-oci.cdx.json').components.slice(1);
  expect(uris).toEqual(expect.arrayContaining(inBill.map(({ purl }: { purl: string }) => purl)));
});
interface Subject {
  readonly name: string;
  readonly digest: { readonly sha256: string };
}

test('the VEX document explains why findings do not apply to listed components, and the executable confirms it', () => {
  const vex = bomOf('.openvex.json');
  expect(vex).toMatchObject({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    version: 1,
    author: packageJson.author,
  });
  const listed = BOM_ENDS.flatMap((end) => bomOf(end).components).map(({ purl }: { purl: string }) => purl);
  for (const { vulnerability, products, status, justification } of vex.statements) {
    expect([vulnerability.name, status]).toEqual([expect.stringMatching(/^CVE-\d{4}-\d+$/), 'not_affected']);
    expect(JUSTIFICATIONS).toContain(justification);
    const parts = products.flatMap(
      ({ subcomponents }: { subcomponents: { '@id': string }[] }) => subcomponents,
    );
    expect(parts.length).toBeGreaterThan(0);
    for (const { '@id': purl } of parts) expect(listed).toContain(purl);
  }
  const unused = VEX_STATEMENTS.flatMap((statement) => statement.unused ?? []);
  for (const program of PROGRAMS) {
    const symbols = execFileSync('readelf', ['--dyn-syms', '--wide', at(program)], { encoding: 'utf8' });
    const imported = [...symbols.matchAll(/ UND ([^@\s]+)/g)].map(([, name = '']) => name);
    expect(imported).toContain('getaddrinfo');
    expect(imported.filter((name) => unused.includes(name))).toEqual([]);
  }
});
/** The vocabulary of OpenVEX 0.2.0. */
const JUSTIFICATIONS = [
  'component_not_present',
  'vulnerable_code_not_present',
  'vulnerable_code_not_in_execute_path',
  'vulnerable_code_cannot_be_controlled_by_adversary',
  'inline_mitigations_already_exist',
];

test('a release is refused for a changed tree, without git, or with an invalid key', () => {
  writeFileSync(join(source, 'more.txt'), 'more');
  const refusal = (folder: string, ...words: string[]) => {
    const { status, stderr } = runRelease(folder, '022', {}, '--out', join(keys, 'none'), ...words);
    return [status, stderr];
  };
  expect(refusal(source)).toEqual([1, expect.stringContaining('the source differs from it')]);
  rmSync(join(source, 'more.txt'));
  expect(refusal(source, '--sign', publicFile)).toEqual([1, expect.stringContaining('it is no secret key')]);
  expect(refusal(source, '--sign', join(keys, 'none'))).toEqual([1, expect.stringContaining('cannot read')]);
  expect(refusal(source, '--out', keys)).toEqual([1, expect.stringContaining('is no release')]);
  const within = join(temporaryDirectory(), 'unpacked');
  mkdirSync(within);
  execFileSync('sh', ['-c', `git archive HEAD | tar -xf - -C "${within}"`], { cwd: source });
  installPackages(within);
  expect(refusal(within)).toEqual([1, expect.stringContaining('git knows none here')]);
  expect(existsSync(join(keys, 'none'))).toBe(false);
});

describe('the package for Debian', () => {
  test.if(has('lintian'))(
    'has no lintian findings',
    () => {
      const { stdout } = spawnSync('lintian', ['--allow-root', at(DEBS[0] ?? '')], { encoding: 'utf8' });
      expect(stdout.split('\n').filter((line) => /^[EW]:/.test(line))).toEqual([]);
    },
    120_000,
  );

  const missing = [
    ...(process.getuid?.() === 0 ? [] : ['root']),
    ...(existsSync(SANDBOX) ? [] : [SANDBOX]),
    ...['systemctl', 'unshare', 'ip', 'dpkg-deb'].filter((command) => !has(command)),
  ];
  const mayBoot = missing.length === 0 || (isCi && existsSync(SANDBOX));
  if (!mayBoot) console.warn(`the test of the package is skipped: it needs ${missing.join(', ')}`);

  test.if(mayBoot)(
    'installs, upgrades and is removed under a real systemd: data stays, and it restarts only on request',
    () => {
      const folder = temporaryDirectory();
      const [older, newer] = [at(DEBS[process.arch === 'arm64' ? 1 : 0] ?? ''), join(folder, '2.deb')];
      const repack = `dpkg-deb -R "${older}" new && sed -i 's/^Version: .*/Version: 9.9.9/' new/DEBIAN/control && dpkg-deb -Zgzip -z1 -b new "${newer}"`;
      execFileSync('sh', ['-c', repack], { cwd: folder, stdio: 'pipe' });
      rmSync(join(folder, 'new'), { recursive: true });
      const bare = join(folder, 'bare.service');
      writeFileSync(bare, '[Service]\nType=oneshot\nExecStart=/bin/true\n');
      const { status, stdout, stderr } = spawnSync(
        SANDBOX,
        [
          ...['--unit', bare, '--seconds', '180'],
          ...['--file', `${older}:/root/1.deb:644`, '--file', `${newer}:/root/2.deb:644`],
          join(import.meta.dir, '../support/deb-probe.sh'),
        ],
        { encoding: 'utf8', env },
      );
      const held = stdout.split('\n').map((line) => line.split(':')[0]);
      expect([status, stdout, stderr]).toEqual([0, expect.any(String), '']);
      expect(held).toEqual('installed served upgraded removed '.split(' '));
    },
    600_000,
  );

  test.if(mayBoot)(
    'the steps of docs/air-gap.md work, from top to bottom, on a host without a route',
    async () => {
      const folder = temporaryDirectory();
      const stick = join(folder, 'stick');
      mkdirSync(stick);
      const debian = process.arch === 'arm64' ? 'arm64' : 'amd64';
      const platform = `linux-${process.arch}` as 'linux-x64';
      const steps = [
        ...readFileSync(join(ROOT, 'docs/air-gap.md'), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms),
      ].map(([, block = '']) =>
        block.replaceAll('0.1.0', version).replaceAll('0.2.0', NEWER).replaceAll('amd64', debian),
      );
      const files = steps.map((text, at) => [`/root/steps/${at + 1}`, text] as const);
      for (const [path, text] of files) writeFileSync(join(folder, path.replaceAll('/', '-')), text);

      const committedAt = Math.floor(Date.now() / 1_000) - 60;
      const sql = 'alter table licenses add column further text;';
      const newer = readFileSync(
        await buildOtherVersion({ version: NEWER, committedAt, releaseKey: publicFile, sql }),
      );
      const units = readdirSync(join(ROOT, 'systemd')).map((path) => ({
        path,
        bytes: readFileSync(join(ROOT, 'systemd', path)),
      }));
      const deb = join(stick, `redoubt_${NEWER}_${debian}.deb`);
      const parts = { version: NEWER, committedAtSeconds: committedAt, units, manPage: '-', licenses: '-' };
      const more = { completions: { bash: '-', zsh: '-', fish: '-' }, sbom: '-', handbook: '-' };
      writeFileSync(deb, debianPackage(newer, debian, { ...parts, ...more }));
      signFile(deb, key, releaseComment(releaseOf(NEWER, committedAt * 1_000, platform)));

      const { path: bundle, signer } = await packed();
      copyFileSync(bundle, join(stick, 'vulnerabilities.bundle'));
      writeFileSync(join(stick, 'vulnerabilities.key'), signer.verifier.vkey);
      const north = newReleaseKey();
      writeFileSync(join(stick, 'north.pub'), north.publicFile);
      const threat = {
        fingerprint: 'A'.repeat(43),
        attack_type: 'xss',
        severity: 'medium',
        corroboration_count: 3,
      };
      const snapshot = { epoch: 1, generatedAt: Date.now(), entries: JSON.stringify([threat]), own: null };
      writeBundle(join(stick, 'north.json.gz'), exportFeed(snapshot, north.signer));
      for (const name of [KIT, `${KIT}.minisig`]) copyFileSync(at(name), join(stick, name));

      const bare = join(folder, 'bare.service');
      writeFileSync(bare, '[Service]\nType=oneshot\nExecStart=/bin/true\n');
      const { status, stdout, stderr } = spawnSync(
        SANDBOX,
        [
          ...['--unit', bare, '--seconds', '300', '--file', `${publicFile}:/root/redoubt.pub:644`],
          ...readdirSync(stick).flatMap((name) => ['--file', `${join(stick, name)}:/mnt/stick/${name}:644`]),
          ...files.flatMap(([path]) => ['--file', `${join(folder, path.replaceAll('/', '-'))}:${path}:644`]),
          join(import.meta.dir, '../support/air-gap-probe.sh'),
        ],
        { encoding: 'utf8', env },
      );
      expect([status, stdout, stderr]).toEqual([0, expect.any(String), '']);
      const numbers = [...readFileSync(join(ROOT, 'docs/air-gap.md'), 'utf8').matchAll(/^## (\d)[.]/gm)];
      expect(stdout.trim().split('\n')).toEqual(numbers.map(([, number]) => `${number}: done`));
    },
    600_000,
  );
});
