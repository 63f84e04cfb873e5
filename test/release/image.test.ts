import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Packed, tarOf } from '../../tools/release/archive.ts';
import { fetchDebian } from '../../tools/release/image/fetch-debian.ts';
import { imageLayout } from '../../tools/release/image/image.ts';
import { once } from '../support/once.ts';
import { missingForPodman, type Podman, startPodman } from '../support/podman.ts';
import { binary, until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// Runs with the whole matrix: it starts thirty containers.

const isCi = process.env.CI === 'true';
const missing = [
  ...missingForPodman(),
  ...['skopeo', 'umoci', 'apt-get', 'dpkg-deb'].filter((name) => Bun.which(name) === null),
];
const mayRun = missing.length === 0 || isCi;
if (!mayRun) console.warn(`the test of the image is skipped: it needs ${missing.join(', ')}`);

const ARCHITECTURE = process.arch === 'arm64' ? 'arm64' : 'amd64';
const IMAGE = 'localhost/redoubt:1.2.3';
/** The options of docs/containers.md, and only this host's network. */
const LIMITS =
  '--network host --read-only --read-only-tmpfs=false --cap-drop ALL --security-opt no-new-privileges'.split(
    ' ',
  );
const USER = 10_001;

let containers: Podman;
let archive: string;

beforeAll(async () => {
  if (!mayRun) return;
  archive = join(temporaryDirectory(), 'oci.tar');
  writeFileSync(archive, Buffer.concat([...tarOf(await layoutOf('1.2.3'), 1_764_000_000)]));
  containers = await startPodman();
  expect(containers.podman('load', '--quiet', '--input', archive)).toMatchObject({
    status: 0,
    stdout: `Loaded image: ${IMAGE}\n`,
  });
}, 120_000);
afterAll(() => containers?.end());

const debian = once(async () => fetchDebian(temporaryDirectory(), undefined));

/** The layout of an image with this host's executable only. */
async function layoutOf(version: string): Promise<Packed[]> {
  const executables = [{ architecture: ARCHITECTURE, bytes: readFileSync(await binary()) }] as const;
  const parts = { version, commit: 'f'.repeat(40), committedAt: 1_764_000_000_000 };
  return imageLayout({ ...parts, executables, licenses: 'licenses', sbom: '{}' }, await debian());
}

/** A folder for a volume. */
function volumeOf(uid: number, gid: number, mode: number): string {
  const volume = join(temporaryDirectory(), 'volume');
  mkdirSync(volume);
  chownSync(volume, uid, gid);
  chmodSync(volume, mode);
  return volume;
}

/** Runs a command of the image in a container with all restrictions. */
const inImage = (volume: string, options: readonly string[], ...words: readonly string[]) =>
  containers.podman('run', '--rm', ...LIMITS, '--volume', `${volume}:/data`, ...options, IMAGE, ...words);

const ownerOf = (path: string) => {
  const { uid, gid, mode } = statSync(path);
  return [uid, gid, (mode & 0o777).toString(8)];
};

test.if(mayRun)('the image has what the executable needs, and no shell', () => {
  expect(missing).toEqual([]);
  const folder = temporaryDirectory();
  execFileSync('skopeo', ['copy', '--quiet', `oci-archive:${archive}`, 'oci:copy:x'], { cwd: folder });
  // It compares every hash.
  execFileSync('umoci', ['unpack', '--image', 'copy:x', 'bundle'], { cwd: folder, stdio: 'pipe' });
  const root = join(folder, 'bundle/rootfs');
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const programs = files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => (statSync(path).mode & 0o111) !== 0);
  expect(programs.map((path) => path.slice(root.length)).sort()).toEqual([
    expect.stringMatching(/^[/]lib.*[/]ld-linux/),
    '/usr/bin/redoubt',
  ]);
  expect(readFileSync(join(root, 'etc/passwd'), 'utf8')).toContain(`redoubt:x:${USER}:${USER}:`);
  const authorities = readFileSync(join(root, 'etc/ssl/certs/ca-certificates.crt'), 'utf8');
  expect(authorities.split('BEGIN CERTIFICATE').length).toBeGreaterThan(100);
  expect(ownerOf(join(root, 'data'))).toEqual([USER, 0, '770']);
});

test.if(mayRun)('its settings are those of an unprivileged service', () => {
  const [inspected] = JSON.parse(containers.podman('image', 'inspect', IMAGE).stdout);
  expect(inspected).toMatchObject({
    Architecture: ARCHITECTURE,
    Annotations: { 'redoubt.libraries': expect.stringContaining(`pkg:deb/debian/libc6@`) },
    Config: {
      User: String(USER),
      Env: expect.arrayContaining(['SERVICE_DATA_DIR=/data', 'SERVICE_HOST=0.0.0.0']),
      Entrypoint: ['/usr/bin/redoubt'],
      Cmd: ['serve'],
      Volumes: { '/data': {} },
      Labels: {
        'org.opencontainers.image.version': '1.2.3',
        'org.opencontainers.image.revision': 'f'.repeat(40),
      },
    },
  });
  const raw = JSON.parse(
    execFileSync('skopeo', ['inspect', '--config', '--raw', `oci-archive:${archive}`], { encoding: 'utf8' }),
  );
  expect(raw.config.Healthcheck.Test).toEqual(['CMD', '/usr/bin/redoubt', 'healthy']);
});

/** Owner, group and mode of a volume, options of the container, and the resulting owner of the data. */
const USABLE = {
  'its own user on a volume of that user': [[USER, USER, 0o700], [], ''],
  'its own user on a new volume': [[USER, 0, 0o2770], [], ''],
  'any user on a new volume': [[USER, 0, 0o2770], ['--user', '12345'], 'redoubt'],
  'any user on a volume of its own': [[12_345, 12_345, 0o700], ['--user', '12345:12345'], ''],
  'a volume of a group, as by fsGroup': [[0, 2_000, 0o2770], ['--group-add', '2000'], 'redoubt'],
  'the same outside of the image': [
    [0, 2_000, 0o2770],
    ['--group-add', '2000', '--env', 'container=other'],
    'redoubt',
  ],
  'any user on a volume of a group': [[0, 2_000, 0o2770], ['--user', '12345:2000'], 'redoubt'],
} as const;

test.if(mayRun).each(Object.entries(USABLE))(
  'without privileges and with a read-only root it creates data for its user only: %s',
  (_, [[uid, gid, mode], options, within]) => {
    const volume = volumeOf(uid, gid, mode);
    expect(inImage(volume, options, 'init')).toMatchObject({ status: 0, stderr: '' });
    const user = options.includes('--user' as never) ? 12_345 : USER;
    const data = join(volume, within);
    if (within) expect(ownerOf(data)).toEqual([user, gid, '700']);
    for (const name of ['installation.key', 'redoubt.sqlite'])
      expect(ownerOf(join(data, name))).toEqual([user, expect.any(Number), '600']);
    // Again with existing data.
    expect(inImage(volume, options, 'license', 'list')).toMatchObject({ status: 0, stderr: '' });
  },
  60_000,
);

const REFUSED = {
  root: [[USER, 0, 0o2770], ['--user', '0'], 'the container runs as root. Remove --user 0'],
  'any user on a volume of another': [
    [USER, USER, 0o700],
    ['--user', '12345'],
    `/data belongs to user ${USER}`,
  ],
  'a volume of root': [[0, 0, 0o755], [], `Run chown ${USER} on the volume`],
  'a volume of another group': [[0, 2_000, 0o2770], ['--group-add', '2001'], '--group-add 2000, or fsGroup'],
  'a group that may only read': [[0, 2_000, 0o2750], ['--group-add', '2000'], 'Or run chmod 2770 on it'],
  'a volume that is its own and closed to it': [[USER, USER, 0o500], [], 'Run chmod u+rwX /data'],
} as const;

test.if(mayRun).each(Object.entries(REFUSED))(
  'it exits with code 2 and a reason, and does not change the volume: %s',
  (_, [[uid, gid, mode], options, words]) => {
    const volume = volumeOf(uid, gid, mode);
    const before = ownerOf(volume);
    for (const command of ['serve', 'init']) {
      const { status, stderr } = inImage(volume, options, command);
      expect([status, stderr]).toEqual([2, expect.stringContaining(words)]);
    }
    expect([readdirSync(volume), ownerOf(volume)]).toEqual([[], before]);
  },
  60_000,
);

test.if(mayRun)('it refuses a read-only volume, and data of another user on a shared one', () => {
  const volume = volumeOf(USER, 0, 0o2770);
  const readOnly = containers.podman('run', '--rm', ...LIMITS, '--volume', `${volume}:/data:ro`, IMAGE);
  expect([readOnly.status, readOnly.stderr]).toEqual([2, expect.stringContaining('/data is read-only')]);
  expect(inImage(volume, [], 'init').status).toBe(0);
  const before = readdirSync(volume);
  const other = inImage(volume, ['--user', '12345'], 'init');
  expect([other.status, other.stderr]).toEqual([2, expect.stringContaining(`Start it as user ${USER}`)]);
  expect(readdirSync(volume)).toEqual(before);

  const shared = volumeOf(0, 2_000, 0o2770);
  expect(inImage(shared, ['--user', '12345:2000'], 'init').status).toBe(0);
  const next = inImage(shared, ['--group-add', '2000'], 'serve');
  expect([next.status, next.stderr]).toEqual([2, expect.stringContaining('Start it as user 12345')]);

  const trap = volumeOf(0, 2_000, 0o2770);
  execFileSync('ln', ['-s', '/tmp', join(trap, 'redoubt')]);
  const linked = inImage(trap, ['--group-add', '2000', '--tmpfs', '/tmp'], 'init');
  expect([linked.status, linked.stderr]).toEqual([
    2,
    expect.stringContaining('/data/redoubt belongs to user 0'),
  ]);
});

describe('a server in a container', () => {
  const volume = mayRun ? volumeOf(0, 2_000, 0o2770) : '';
  const data = join(volume, 'redoubt');
  const options = ['--detach', '--name', 'redoubt', '--group-add', '2000'];
  const exec = (...words: string[]) => containers.podman('exec', 'redoubt', 'redoubt', ...words);
  const isHealthy = () => exec('healthy').status === 0;
  /** Until it is also removed, which podman does later. */
  const stop = async () => {
    expect(containers.podman('stop', '--time', '20', 'redoubt').status).toBe(0);
    await until(() => containers.podman('container', 'exists', 'redoubt').status === 1);
  };
  test.if(mayRun)(
    'is healthy once it is ready, analyzes in a separate process, and stops cleanly',
    async () => {
      expect(inImage(volume, options).status).toBe(0);
      await until(isHealthy);
      expect(exec('healthy').stdout).toBe('ready\n');
      expect(exec('doctor').stdout).toBe('no problems found\n');
      const { key } = JSON.parse(exec('license', 'issue', '--plan', 'pro', '--json').stdout);
      const body = JSON.stringify({ input_type: 'code', content: ['<?php ev', 'al($_POST[1]);'].join('') });
      const { stdout } = containers.script(
        `curl -s -H 'Authorization: Bearer ${key}' -d '${body}' http://127.0.0.1:8080/api/v1/brain/analyze`,
        volume,
      );
      expect(JSON.parse(stdout)).toMatchObject({ data: { verdict: 'malicious' } });
      await stop();
    },
    60_000,
  );

  test.if(mayRun)(
    "closes its data again after a change of the volume's group, and finds the same license",
    async () => {
      // Kubernetes does this with fsGroup at each mount of a volume.
      spawnSync('chmod', ['-R', 'g+rwX,g+s', volume]);
      expect(inImage(volume, options).status).toBe(0);
      await until(isHealthy);
      expect(ownerOf(data)).toEqual([USER, 2_000, '700']);
      expect(ownerOf(join(data, 'installation.key'))).toEqual([USER, 2_000, '600']);
      expect(JSON.parse(exec('license', 'list', '--json').stdout)).toHaveLength(1);
      // Without a server at its address, the same command fails.
      const { status, stderr } = containers.podman(
        ...['exec', '--env', `SERVICE_PORT=8079`, 'redoubt', 'redoubt', 'healthy'],
      );
      expect([status, stderr]).toEqual([1, expect.stringContaining('the server does not answer')]);
      await stop();
      rmSync(volume, { recursive: true });
    },
    60_000,
  );
});

/** Commands of the handbook for other containers, or that need what is not here. */
const NOT_RUN = /docker|skopeo|systemctl/;
const PAGE = readFileSync(join(import.meta.dir, '../../docs/containers.md'), 'utf8');

test.if(mayRun)(
  'docs/containers.md works as written, from top to bottom, with only podman',
  async () => {
    const folder = temporaryDirectory();
    chmodSync(folder, 0o755);
    const newer = archive.replace('oci.tar', 'newer.tar');
    writeFileSync(newer, Buffer.concat([...tarOf(await layoutOf('0.2.0'), 1_764_000_000)]));
    execFileSync('cp', [newer, join(folder, 'redoubt-0.2.0-oci.tar')]);
    const older = Buffer.concat([...tarOf(await layoutOf('0.1.0'), 1_764_000_000)]);
    writeFileSync(join(folder, 'redoubt-0.1.0-oci.tar'), older);
    const blocks = [...PAGE.matchAll(/^( *)```sh\n(.*?)^ *```$/gms)]
      .map(([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
      .filter((block) => !NOT_RUN.test(block))
      .map((block) => block.replaceAll(/redoubt-3f9a1c2e-\S+/g, '$(basename backups/*.tar)'));
    expect(blocks).toHaveLength(6);
    // The health check of the page's container, and the same command by hand.
    const isHealthy = (words: string) => containers.podman(...words.split(' ')).status === 0;
    for (const block of blocks) {
      expect(containers.script(block, folder)).toMatchObject({ status: 0 });
      await until(() => isHealthy('exec redoubt redoubt healthy'));
      if (block === blocks[0]) expect(isHealthy('healthcheck run redoubt')).toBe(true);
      // A backup that is copied out of a container becomes readable by the user who copies it.
      spawnSync('chmod', ['-R', 'a+rX', join(folder, 'backups')], { stdio: 'ignore' });
    }
    expect(containers.podman('exec', 'redoubt', 'redoubt', 'license', 'list', '--json').stdout).toContain(
      '"pro"',
    );
    expect(containers.podman('rm', '--force', 'redoubt').status).toBe(0);
  },
  120_000,
);
