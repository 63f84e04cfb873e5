import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type {
  Feed,
  Options,
  Sent,
  Told,
  Verdict,
  Vulnerabilities,
} from '../../docs/clients/redoubt-client.ts';
import { BUN, DENO } from './service.ts';
import { temporaryDirectory } from './temporary.ts';

export const CLIENTS = join(import.meta.dir, '../../docs/clients');
const PHP_CLIENT = join(CLIENTS, 'redoubt-client.php');
const TS_CLIENT = join(CLIENTS, 'redoubt-client.ts');

const php = (...options: string[]) => spawnSync('php', [...options, '-m'], { encoding: 'utf8' }).stdout ?? '';
const MODULES = php();

/** The runtimes of the clients in docs/, and whether they are installed. */
export const OF_PHP = [
  { runtime: 'PHP with curl', isThere: MODULES.includes('curl'), needs: 'php-cli and php-curl' },
  { runtime: 'PHP without curl', isThere: MODULES !== '' && !php('-n').includes('curl'), needs: 'php-cli' },
] as const;
export const OF_TYPESCRIPT = [
  { runtime: 'Bun', isThere: true, needs: '' },
  { runtime: 'Deno', isThere: true, needs: '' },
  { runtime: 'Node.js', isThere: spawnSync('node', ['--version']).status === 0, needs: 'node' },
] as const;
type Runtime = (typeof OF_PHP | typeof OF_TYPESCRIPT)[number]['runtime'];

const PHP_DRIVER = `require $argv[1];
  [$settings, $calls] = json_decode($argv[2], true);
  $client = new RedoubtClient(...$settings);
  foreach ($calls as $call) $answers[] = $client->{$call[0]}(...array_slice($call, 1));
  echo json_encode($answers);`;
const TS_DRIVER = (client: string) => `import process from 'node:process';
  import { RedoubtClient } from ${JSON.stringify(client)};
  const [settings, calls] = JSON.parse(process.argv[2]);
  const client = new RedoubtClient(...settings);
  const answers = [];
  for (const [name, ...rest] of calls) answers.push((await client[name](...rest)) ?? null);
  console.log(JSON.stringify(answers));`;

/** The command that runs a client. Node.js gets it without types, because older versions cannot read them. */
function commandOf(runtime: Runtime): [string, ...string[]] {
  if (runtime === 'PHP with curl') return ['php', '-r', PHP_DRIVER, '--', PHP_CLIENT];
  if (runtime === 'PHP without curl') return ['php', '-n', '-r', PHP_DRIVER, '--', PHP_CLIENT];
  const driver = join(temporaryDirectory(), 'driver.mjs');
  let client = TS_CLIENT;
  if (runtime === 'Node.js') {
    client = join(temporaryDirectory(), 'client.mjs');
    const transpiler = new Bun.Transpiler({ loader: 'ts', target: 'node' });
    writeFileSync(client, transpiler.transformSync(readFileSync(TS_CLIENT, 'utf8')));
  }
  writeFileSync(driver, TS_DRIVER(client));
  if (runtime === 'Node.js') return ['node', driver];
  return runtime === 'Bun' ? [BUN, driver] : [DENO, 'run', '--quiet', '-A', driver];
}

type Call =
  | readonly ['verify', ask?: boolean]
  | readonly ['feed']
  | readonly ['record', event: object]
  | readonly ['heartbeat', version: string, stats?: object, atOnce?: boolean]
  | readonly ['components', components: readonly object[]]
  | readonly ['vulnerabilities'];
export interface Plugin {
  /** Runs calls in a separate process, and returns the result of the last one. */
  run(options: Partial<Options>, ...calls: Call[]): Promise<Verdict & Feed & Sent & Told & Vulnerabilities>;
  /** Runs PHP code with the client as `$redoubt`, and returns its output. */
  runCode(code: string): Promise<string>;
  /** A file of its state, by the end of its name. */
  pathOf(end: string): string;
  readonly directory: string;
}

/** A plugin installed on shop.test. */
export function installPlugin(runtime: Runtime, url: string, key: string, directory?: string): Plugin {
  const [program, ...before] = commandOf(runtime);
  const execute = async (words: readonly string[]) => {
    const { stdout, stderr } = await promisify(execFile)(program, words, { timeout: 15_000 });
    if (stderr !== '' || stdout.includes(key)) throw new Error(`It wrote more than its answers: ${stderr}`);
    return stdout;
  };
  const home = directory ?? join(temporaryDirectory(), 'state');
  return {
    directory: home,
    async run(options, ...calls) {
      const input = JSON.stringify([[url, ` ${key}\n`, 'shop.test', home, options], calls]);
      return JSON.parse(await execute([...before, input])).at(-1);
    },
    runCode(code) {
      const flags = before.slice(0, before.indexOf('-r'));
      const made = `require $argv[1]; $redoubt = new RedoubtClient(...json_decode($argv[2]));`;
      const settings = JSON.stringify([url, key, 'shop.test', home]);
      return execute([...flags, '-r', made + code, '--', PHP_CLIENT, settings]);
    },
    pathOf: (end) => join(home, readdirSync(home).find((name) => name.endsWith(`-${end}`)) ?? end),
  };
}
