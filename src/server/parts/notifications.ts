import type { Target } from '../../domain/notification/target.ts';
import { isRefusal } from '../../domain/refusal.ts';
import { systemAfter } from '../../lib/clock.ts';
import { VERSION } from '../../lib/version.ts';
import { confirmPageOf } from '../../operator/notifications/confirm-mail.ts';
import { mayBePrivate } from '../../operator/notifications/private-receivers.ts';
import { unsubscribePageOf } from '../../operator/notifications/unsubscribe.ts';
import { createTransports } from '../../outside/notify/deliver-to.ts';
import { systemNetwork } from '../../outside/site-visit/network.ts';
import type { Parts } from '../../routes/parts.ts';
import { consoleOrigin } from '../../settings/console-address.ts';
import { readDueEvents } from '../../storage/notifications/due-events.ts';
import { readIsDue } from '../../storage/notifications/leases.ts';
import { readForSweep } from '../../storage/notifications/sweep-reads.ts';
import { readTargets } from '../../storage/notifications/targets.ts';
import { startNotificationSweep } from '../../tasks/notification-sweep.ts';
import { createSendTest } from '../../tasks/notification-test.ts';
import { startNotifications } from '../../tasks/notifications.ts';
import type { SigningKeys } from '../../tasks/signing-keys.ts';
import { NODE_STOPPING } from '../health.ts';
import type { Closing, Input, OfClock, OfStore } from './needs.ts';

type Lasting = Parts<'clock' | 'health' | 'identities' | 'log'> &
  OfClock &
  OfStore<'clockWork' | 'db' | 'writer'>;

interface Existing extends Input<'config' | 'databaseAddress' | 'smtpServer'>, Closing {
  readonly signingKeys: Pick<SigningKeys, 'signer'>;
}

/** Notifications of events and of scheduled checks. */
export function notifications({ store, clock, health, identities, log, isClockBehind }: Lasting) {
  const { db, writer, clockWork } = store;
  const counts = new Map<string, number>();
  const targets = readTargets(db);
  const common = { clock, after: systemAfter, log, writer };
  const reads = { due: readDueEvents(db), isDue: readIsDue(db), targets };
  const sweepReads = readForSweep(db);
  // After a reload, leases may belong to deliveries that are still running.
  let isFirst = true;

  const pauseTenants = async (): Promise<void> => {
    const refusal = await writer.write('pauseTenantTargets', { now: clock.now() });
    if (isRefusal(refusal)) log.warn('targets of tenants could not be paused; reload to try again');
  };

  return ({ config, databaseAddress, smtpServer, signingKeys, closing }: Existing) => {
    const isAlone = databaseAddress === undefined;
    if (!config.tenantNotifications) void pauseTenants();
    const transports = createTransports<Target>({
      network: systemNetwork,
      allowPrivateOf: mayBePrivate(config),
      signer: () => signingKeys.signer('webhook'),
      version: VERSION,
      now: clock.now,
      server: smtpServer,
      unsubscribeOf: unsubscribePageOf(config.baseUrl, identities),
      brand: config.brandName,
    });
    closing.defer(transports.close);
    const sending = startNotifications({
      ...common,
      ...reads,
      counts,
      isAlone: isAlone && isFirst,
      targetKey: identities.targetKey,
      addresses: () => ({ console: consoleOrigin(config), portal: config.baseUrl }),
      deliverTo: transports.deliverTo,
    });
    isFirst = false;
    closing.defer(sending.stop);
    closing.defer(
      startNotificationSweep({
        ...common,
        clockWork,
        isClockBehind,
        isAlone,
        reads: sweepReads,
        health: {
          problems: () => health.problems().filter((problem) => problem !== NODE_STOPPING),
          warnings: health.warnings,
        },
        requestsPerMinute: () => config.rateKeyPerMinute,
      }),
    );
    return {
      notifications: { counts, totals: targets.totals },
      sendTest: createSendTest({
        deliverTo: transports.deliverTo,
        clock,
        confirmPageOf: confirmPageOf(config.baseUrl, identities),
      }),
    };
  };
}
