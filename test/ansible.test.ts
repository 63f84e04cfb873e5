import { expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from './support/temporary.ts';
import { sign, twoReleases } from './support/updates.ts';

// Runs with the whole matrix: it installs the service on a host, which takes a minute.

const ROOT = join(import.meta.dir, '..');
const ANSIBLE = join(ROOT, 'docs/integrations/ansible');
const SANDBOX = join(ROOT, '../shared/tools/systemd-sandbox');
const isCi = process.env.CI === 'true';
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
const has = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`], { env }).status === 0;

test.if(has('ansible-lint') || isCi)(
  'the role and the playbook are clean by ansible-lint, with its strictest profile',
  () => {
    const { status, stdout, stderr } = spawnSync(
      'ansible-lint',
      ['--offline', '--nocolor', '--profile', 'production', 'playbook.yml', 'roles/redoubt'],
      { cwd: ANSIBLE, encoding: 'utf8', env: { ...env, HOME: temporaryDirectory() } },
    );
    expect([status, stdout, stderr]).toEqual([0, '', expect.stringContaining('0 failure(s), 0 warning(s)')]);
  },
  120_000,
);

const missing = [
  ...(process.getuid?.() === 0 ? [] : ['root']),
  ...(existsSync(SANDBOX) ? [] : [SANDBOX]),
  ...['systemctl', 'unshare', 'ip', 'curl', 'ansible-playbook'].filter((command) => !has(command)),
];
const mayBoot = missing.length === 0 || (isCi && existsSync(SANDBOX));
if (!mayBoot) console.warn(`the test of the Ansible role is skipped: it needs ${missing.join(', ')}`);

test.if(mayBoot)(
  'the role installs, changes settings and updates under a real systemd, and changes nothing twice',
  async () => {
    expect(missing).toEqual([]);
    const folder = temporaryDirectory();
    const bare = join(folder, 'bare.service');
    writeFileSync(bare, '[Service]\nType=oneshot\nExecStart=/bin/true\n');
    const [one, two] = (await twoReleases()).map((release) => {
      sign(release.executable, release);
      return release.executable;
    });
    const files = readdirSync(ANSIBLE, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    const { status, stdout, stderr } = spawnSync(
      SANDBOX,
      [
        ...['--unit', bare, '--seconds', '300'],
        ...['--file', `${one}:/root/one:755`, '--file', `${two}:/root/two:755`],
        ...['--file', `${two}.minisig:/root/two.sig:644`],
        ...files.flatMap((path) => ['--file', `${path}:/root/ansible${path.slice(ANSIBLE.length)}:644`]),
        join(import.meta.dir, 'support/ansible-probe.sh'),
      ],
      { encoding: 'utf8', env },
    );
    const held = stdout.split('\n').map((line) => line.split(':')[0]);
    expect([status, stdout, stderr]).toEqual([0, expect.any(String), '']);
    expect(held).toEqual('refused installed repeated changed wrong updated '.split(' '));
  },
  400_000,
);
