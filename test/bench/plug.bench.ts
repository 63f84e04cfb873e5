import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { BALANCERS, startBalancer } from '../support/balancer.ts';
import { API } from '../support/client.ts';
import { startPostgres } from '../support/postgres.ts';
import { binary, run, until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// Effects on clients when a node loses its network during a change, as if unplugged: three nodes, each in its
// own network, PostgreSQL over TLS, and a balancer with the configuration in docs/scaling/. Needs root,
// iproute2, nginx and haproxy.

const NODES = [1, 2, 3] as const;
const SENDERS = 8;
const BEFORE_MS = 3_000;
const AWAY_MS = 15_000;
const AFTER_MS = 5_000;

const sh = (command: string) => execFileSync('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] });
const remove = () =>
  NODES.forEach((node) => {
    sh(`ip netns del plug${node} || true; ip link del plug${node} || true`);
  });
remove();
process.once('exit', remove);
for (const node of NODES) {
  const inside = `ip -n plug${node}`;
  sh(`ip netns add plug${node} && ip link add plug${node} type veth peer name net netns plug${node}
    ip addr add 10.77.${node}.1/24 dev plug${node} && ip link set plug${node} up
    ${inside} addr add 10.77.${node}.2/24 dev net && ${inside} link set net up && ${inside} link set lo up`);
}

const folder = temporaryDirectory();
const [certificate, privateKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
sh(`openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=database \
  -addext subjectAltName=${NODES.map((node) => `IP:10.77.${node}.1`).join(',')} -keyout ${privateKey} -out ${certificate}`);
const server = await startPostgres([
  "listen_addresses = '*'",
  'ssl = on',
  `ssl_cert_file = '${certificate}'`,
  `ssl_key_file = '${privateKey}'`,
]);
appendFileSync(join(server.directory, 'data/pg_hba.conf'), '\nhostssl all all 10.77.0.0/16 trust\n');
const sql = (text: string) =>
  execFileSync('psql', ['-h', server.directory, '-U', 'redoubt', '-Atc', text, 'postgres']).toString().trim();
sql('select pg_reload_conf()');

const keys = temporaryDirectory();
const executable = await binary();
const envs = NODES.map((node) => ({
  PATH: process.env.PATH ?? '',
  SERVICE_DATABASE_URL: `postgres://redoubt@10.77.${node}.1/postgres`,
  SERVICE_DATABASE_CA: certificate,
  SERVICE_KEYS_DIR: keys,
  SERVICE_DATA_DIR: temporaryDirectory(),
  SERVICE_HOST: `10.77.${node}.2`,
  SERVICE_PORT: '8080',
  SERVICE_ADMIN_PORT: 'off',
  SERVICE_TRUSTED_PROXIES: '10.77.0.0/16',
  SERVICE_RATE_KEY_PER_MINUTE: '1000000',
  SERVICE_RATE_IP_PER_MINUTE: '1000000',
}));
const [first = {}] = envs;
await run('binary', first, 'init');
const issuing = ['--plan', 'enterprise', '--domain', 'a.example.com', '--daily-events', '0', '--json'];
const { key } = JSON.parse((await run('binary', first, 'license', 'issue', ...issuing)).stdout);
const nodes = NODES.map((node, index) => {
  const child = spawn('ip', ['netns', 'exec', `plug${node}`, executable, 'serve'], {
    env: envs[index],
    stdio: 'ignore',
  });
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
});
const addresses = NODES.map((node) => `http://10.77.${node}.2:8080`);
const allReady = () =>
  until(async () => {
    const asked = addresses.map((url) =>
      fetch(`${url}/readyz`)
        .then(({ ok }) => ok)
        .catch(() => false),
    );
    return (await Promise.all(asked)).every(Boolean);
  }, 30_000);

/** Unplugs the first node while it has the lock that all changes need. */
async function pull(): Promise<void> {
  const holds = `select count(*) from pg_stat_activity where client_addr = '10.77.1.2' and state = 'idle in transaction'`;
  for (;;) {
    nodes[0]?.kill('SIGSTOP');
    await Bun.sleep(30);
    if (sql(holds) !== '0') break;
    nodes[0]?.kill('SIGCONT');
    await Bun.sleep(100);
  }
  sh('ip -n plug1 link set net down');
}
function putBack(): void {
  sh('ip -n plug1 link set net up');
  nodes[0]?.kill('SIGCONT');
}

console.log(
  '| Balancer | Requests | Failed: GET /me | license/verify | telemetry | Over a second | The longest |',
);
console.log('|---|---:|---:|---:|---:|---:|---:|');
for (const name of BALANCERS) {
  await allReady();
  const balancer = await startBalancer(name, addresses);
  const failed = [0, 0, 0];
  const times: number[] = [];
  let isOver = false;
  const send = async (sender: number) => {
    for (let index = 0; !isOver; index++) {
      const kind = (sender + index) % 3;
      const domain = 'a.example.com';
      const events = [{ type: 'login_failed', event_id: `${name}:${sender}:${index}` }];
      const [path, body] = (
        [['/me'], ['/license/verify', { domain }], ['/telemetry', { domain, events }]] as const
      )[kind] ?? ['/me'];
      const begun = performance.now();
      const isRight = await fetch(`${balancer.url}${API}${path}`, {
        tls: { rejectUnauthorized: false },
        headers: { authorization: `Bearer ${key}` },
        ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      }).then(
        async (reply) => Boolean(await reply.text()) && reply.status === 200,
        () => false,
      );
      times.push(performance.now() - begun);
      if (!isRight) failed[kind] = (failed[kind] ?? 0) + 1;
    }
  };
  const sending = Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(sender)));
  await Bun.sleep(BEFORE_MS);
  await pull();
  await Bun.sleep(AWAY_MS);
  putBack();
  await Bun.sleep(AFTER_MS);
  isOver = true;
  await sending;
  await balancer.end();
  const longest = `${(Math.max(...times) / 1_000).toFixed(1)} s`;
  const long = times.filter((time) => time > 1_000).length;
  console.log(`| ${name} | ${times.length} | ${failed.join(' | ')} | ${long} | ${longest} |`);
}
await server.stop('SIGQUIT');
process.exit(0);
