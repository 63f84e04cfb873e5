import { demoEnvironment, makeDemo, printDemo } from '../cli/demo.ts';
import { reasonOf } from '../lib/fault.ts';
import { createLog, isReadByJournal } from '../lib/log.ts';
import { serviceManager } from '../lib/service-manager.ts';
import { Turns } from '../lib/turns.ts';
import { VERSION } from '../lib/version.ts';
import { controlPath, openControl } from '../operator/control.ts';
import { runtime } from '../runtime/runtime.ts';
import { type Environment, shownConfig } from '../settings/config.ts';
import { loadInput, warnOf } from '../settings/service-input.ts';
import { createReload } from './reload.ts';
import { type Entries, startService } from './wiring.ts';

/** Runs the service until SIGTERM or SIGINT. SIGHUP and `redoubt reload` apply changed settings. */
export async function serve(entries: Entries, { demo }: { demo: boolean }): Promise<void> {
  const environment: Environment = demo ? demoEnvironment(process.env) : process.env;
  const input = loadInput(environment);
  const { config } = input;
  const log = createLog({
    level: config.logLevel,
    json: !process.stderr.isTTY,
    priorities: isReadByJournal(),
  });
  warnOf(input, environment, log);
  const seeded = demo ? await makeDemo(config) : undefined;

  const ended = Promise.withResolvers<void>();
  const reloads = { hasLastFailed: false };
  const service = await startService({
    entries,
    input,
    reloads,
    log,
    onFatal: (message) => ended.reject(new Error(message)),
  });
  const manager = serviceManager(process.env, (reason) =>
    log.error('systemd could not be notified', { reason }),
  );
  const turns = new Turns();
  let running = input;
  const reload = createReload({
    turns,
    environment,
    initial: input,
    async apply(next) {
      await service.reload(next);
      running = next;
    },
    state: reloads,
    log,
    tell: manager.status,
  });
  process.once('SIGTERM', () => ended.resolve());
  process.once('SIGINT', () => ended.resolve());
  process.on('SIGHUP', () => reload());
  const control = await openControl(controlPath(config.dataDir), {
    reload,
    settings: () => shownConfig(running.config),
  }).catch((error) => log.warn('redoubt reload is unavailable; use SIGHUP', { reason: reasonOf(error) }));

  log.announce('ready', {
    url: service.url,
    admin_url: service.adminUrl,
    version: VERSION,
    runtime: runtime.name,
  });
  log.flush();
  manager.ready();
  manager.watch(service.settled);
  if (seeded) printDemo({ ...service, dataDir: config.dataDir }, seeded);

  try {
    await ended.promise;
    manager.stopping();
    log.info('stopping');
    control?.close();
    await turns.take(service.stop);
    log.info('stopped');
  } finally {
    log.flush();
  }
}
