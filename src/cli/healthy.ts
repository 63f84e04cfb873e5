import { Command } from 'commander';
import { askReadiness } from '../operator/update/readiness.ts';
import type { Config } from '../settings/config.ts';
import { CommandRefused, print } from '../terminal/output.ts';

/** Asks the server of these settings whether it is ready: a health check for images without a shell or an HTTP client. */
export function healthyCommand(settings: () => Config): Command {
  return new Command('healthy')
    .description('ask the running server whether it is ready, as /readyz does')
    .addHelpText('after', '\nExample:\n  redoubt healthy')
    .action(async () => {
      const { host, port, tlsCert } = settings();
      const problems = await askReadiness({ host, port, isTls: tlsCert !== undefined });
      if (problems === undefined)
        throw new CommandRefused(
          'the server does not answer. Set SERVICE_PORT, or SERVICE_CONFIG, as for the server',
        );
      if (problems.length > 0) throw new CommandRefused(`not ready: ${problems.join('. ')}`);
      print('ready');
    });
}
