import { findTarget, NO_TARGET } from '../acts/notifications/acts.ts';
import type { Outcome } from '../domain/notification/delivery.ts';
import type { Target } from '../domain/notification/target.ts';
import { systemClock } from '../lib/clock.ts';
import { VERSION } from '../lib/version.ts';
import { confirmPageOf } from '../operator/notifications/confirm-mail.ts';
import { mayBePrivate } from '../operator/notifications/private-receivers.ts';
import { createTargetTest } from '../operator/notifications/test-of-target.ts';
import { unsubscribePageOf } from '../operator/notifications/unsubscribe.ts';
import { createTransports } from '../outside/notify/deliver-to.ts';
import { systemNetwork } from '../outside/site-visit/network.ts';
import type { Config } from '../settings/config.ts';
import { smtpServer } from '../settings/smtp-server.ts';
import { createSendTest } from '../tasks/notification-test.ts';
import { CommandRefused } from '../terminal/output.ts';
import { keyedIdentitiesOf, type Store } from '../terminal/store.ts';
import { signingKeysOf } from './signing-keys.ts';

/**
 * Sends a test to a target from this process, as the server would.
 *
 * @throws CommandRefused without such a target
 */
export async function sendTestTo(name: string, store: Store, config: Config): Promise<Outcome> {
  const { target } = await findTarget(store.db, name);
  if (target === undefined) throw new CommandRefused(NO_TARGET);
  const clock = systemClock;
  const identities = keyedIdentitiesOf(config);
  const { deliverTo, close } = createTransports<Target>({
    network: systemNetwork,
    allowPrivateOf: mayBePrivate(config),
    signer: async () => (await signingKeysOf(store, config)).signer('webhook'),
    version: VERSION,
    now: clock.now,
    server: smtpServer(config),
    unsubscribeOf: unsubscribePageOf(config.baseUrl, identities),
    brand: config.brandName,
  });
  try {
    const sendTest = createSendTest({
      deliverTo,
      clock,
      confirmPageOf: confirmPageOf(config.baseUrl, identities),
    });
    return await createTargetTest({ identities, clock, sendTest })(target);
  } finally {
    close();
  }
}
