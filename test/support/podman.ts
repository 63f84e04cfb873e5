import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from './temporary.ts';

// Podman in its own mount and PID namespaces: its leftovers end with them, and it needs neither a service
// manager nor control groups.

const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
const has = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`], { env }).status === 0;

/** The missing requirements for containers on this host. */
export const missingForPodman = (): string[] => [
  ...(process.getuid?.() === 0 ? [] : ['root']),
  ...['podman', 'crun', 'unshare', 'nsenter'].filter((command) => !has(command)),
];

/** Limits that a process without CAP_SYS_RESOURCE may set, and no locks in shared memory. */
const CONF = `[containers]
cgroups = "disabled"
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
lock_type = "file"
`;
/** crun does not support mixed control groups of both versions. */
const MOUNTS =
  'ip link set lo up && mount -t tmpfs run /run && umount -R -l /sys/fs/cgroup; mount -t tmpfs cgroup /sys/fs/cgroup && mount -t cgroup2 cgroup /sys/fs/cgroup; mount -t proc proc /proc';

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Podman {
  /** Runs a podman command to its end. */
  podman(...words: readonly string[]): Ran;
  /**
   * Runs a bash script with the working directory `folder`, where podman works as on any host; ports are
   * those of the namespaces.
   */
  script(text: string, folder: string): Ran;
  /** Ends every container. */
  end(): void;
}

/** There are no networks here, so that a published port is one of the namespaces'. */
const inNamespaces = (roots: readonly string[]) => `podman() {
  local words=() word
  for word; do case $word in --publish) words+=(--network host); skip=1 ;; *) [ "\${skip-}" ] || words+=("$word"); skip= ;; esac; done
  command podman ${roots.join(' ')} "\${words[@]}"
}`;

export async function startPodman(): Promise<Podman> {
  const folder = temporaryDirectory();
  const conf = join(folder, 'containers.conf');
  writeFileSync(conf, CONF);
  const words = ['-m', '-n', '-p', '-f', '--propagation', 'private', '--kill-child', 'sh', '-c'];
  const outer = spawn('unshare', [...words, `${MOUNTS}; echo ready; exec sleep infinity`], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise((resolve) => outer.stdout.once('data', resolve));
  const inner = readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8').trim();
  const roots = [
    '--root',
    join(folder, 'root'),
    '--runroot',
    '/run/containers',
    '--cgroup-manager',
    'cgroupfs',
  ];
  const within = (cwd: string, ...more: readonly string[]): Ran => {
    const { status, stdout, stderr } = spawnSync(
      'nsenter',
      ['-t', inner, '-m', '-n', '-p', `--wd=${cwd}`, ...more],
      {
        encoding: 'utf8',
        env: { ...env, CONTAINERS_CONF: conf },
      },
    );
    return { status, stdout, stderr };
  };
  return {
    podman: (...more) => within(folder, 'podman', ...roots, ...more),
    script: (text, cwd) => within(cwd, 'bash', '-euc', `${inNamespaces(roots)}\n${text}`),
    end: () => outer.kill('SIGKILL'),
  };
}
