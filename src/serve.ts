import { demoEnvironment, makeDemo, printDemo } from './cli/demo.ts';
import { ConfigRefused, type Environment, loadConfig, unknownSettings } from './config.ts';
import { createLog } from './lib/log.ts';
import { serviceManager } from './lib/service-manager.ts';
import { runtime } from './listen.ts';
import { VERSION } from './version.ts';
import { startService } from './wiring.ts';

/** Runs the service until SIGTERM or SIGINT; SIGHUP takes over changed settings. */
export async function serve({ demo }: { demo: boolean }): Promise<void> {
  const environment: Environment = demo ? demoEnvironment(process.env) : process.env;
  const config = loadConfig(environment);
  const log = createLog({ level: config.logLevel, json: !process.stderr.isTTY });
  for (const name of unknownSettings(environment)) log.warn('unknown setting ignored', { setting: name });
  const seeded = demo ? await makeDemo(config) : undefined;

  const ended = Promise.withResolvers<void>();
  const service = await startService({
    config,
    log,
    onFatal: (message) => ended.reject(new Error(message)),
  });
  const manager = serviceManager(process.env, (reason) => log.error('systemd could not be told', { reason }));
  process.once('SIGTERM', () => ended.resolve());
  process.once('SIGINT', () => ended.resolve());
  process.on('SIGHUP', async () => {
    try {
      await service.reload(loadConfig(environment));
      log.info('reloaded');
    } catch (error) {
      const reason = error instanceof ConfigRefused ? error.message : (error as Error).name;
      log.error('not reloaded; the old settings stay', { reason });
    }
  });

  log.announce('ready', { url: service.url, version: VERSION, runtime: runtime.name });
  log.flush();
  manager.ready();
  manager.watch(service.settled);
  if (seeded) printDemo(service.url, seeded.key);

  try {
    await ended.promise;
    manager.stopping();
    log.info('stopping');
    await service.stop();
    log.info('stopped');
  } finally {
    log.flush();
  }
}
