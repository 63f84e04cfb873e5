import { expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bootedHost, expectOnHost, HOST_ENV, hasCommand } from './support/booted-host.ts';
import { temporaryDirectory } from './support/temporary.ts';
import { sign, twoReleases } from './support/updates.ts';

// Runs with the whole matrix: it installs the service on a host, which takes a minute.

const ROOT = join(import.meta.dir, '..');
const ANSIBLE = join(ROOT, 'docs/integrations/ansible');
const isCi = process.env.CI === 'true';

test.if(hasCommand('ansible-lint') || isCi)(
  'the role and the playbook pass ansible-lint with its strictest profile',
  () => {
    const { status, stdout, stderr } = spawnSync(
      'ansible-lint',
      ['--offline', '--nocolor', '--profile', 'production', 'playbook.yml', 'roles/redoubt'],
      { cwd: ANSIBLE, encoding: 'utf8', env: { ...HOST_ENV, HOME: temporaryDirectory() } },
    );
    expect([status, stdout, stderr]).toEqual([0, '', expect.stringContaining('0 failure(s), 0 warning(s)')]);
  },
  120_000,
);

const host = bootedHost('the test of the Ansible role', 'ansible-playbook');

test.if(host.mayBoot)(
  'the role installs, changes settings and updates under a real systemd, and repeats nothing',
  async () => {
    const [one, two] = (await twoReleases()).map((release) => {
      sign(release.executable, release);
      return release.executable;
    });
    const files = readdirSync(ANSIBLE, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    expectOnHost(
      host,
      'ansible-probe.sh',
      {
        seconds: 300,
        files: [
          [one, '/root/one', 0o755],
          [two, '/root/two', 0o755],
          [`${two}.minisig`, '/root/two.sig', 0o644],
          ...files.map((path) => [path, `/root/ansible${path.slice(ANSIBLE.length)}`, 0o644] as const),
        ],
      },
      'refused installed repeated changed wrong updated',
    );
  },
  400_000,
);
