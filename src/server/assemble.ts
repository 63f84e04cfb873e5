import { inOrder, type LastingOf } from '../lib/assemble-in-order.ts';
import { openTogether } from '../lib/closing.ts';
import { faultOf } from '../lib/fault.ts';
import { ownTurn } from '../lib/own-turn.ts';
import type { Served } from '../runtime/listener.ts';
import type { ServiceInput } from '../settings/service-input.ts';
import type { AdminAppParts } from './admin-app.ts';
import { type App, type AppParts, createApp } from './app.ts';
import { callers } from './parts/callers.ts';
import { outsideLooks, payments, retention } from './parts/clockwork.ts';
import { keys } from './parts/keys.ts';
import { rateLimits } from './parts/limits.ts';
import { listener } from './parts/listener.ts';
import { notifications } from './parts/notifications.ts';
import { adminListener, signIn, watching } from './parts/operators.ts';
import { analysis, portal, trust } from './parts/tenants.ts';

/** The parts of the service. Each may use earlier ones. */
const PARTS = [
  signIn,
  rateLimits,
  callers,
  payments,
  retention,
  outsideLooks,
  keys,
  notifications,
  trust,
  analysis,
  portal,
  listener,
  watching,
  adminListener,
] as const;

/** Parts that persist across reloads. */
export type LastingParts = LastingOf<typeof PARTS> &
  Pick<
    AppParts,
    | 'statusLists'
    | 'countEvents'
    | 'countVulnerabilities'
    | 'scanDesk'
    | 'evidenceDesk'
    | 'evidenceKey'
    | 'health'
    | 'feed'
    | 'noteAnswer'
    | 'requestMetrics'
    | 'taxiiPages'
    | 'uses'
  > &
  Pick<AdminAppParts, 'backupDesk' | 'executableChange' | 'streams'>;

/** The parts that are rebuilt from the settings, at the start and on each reload. */
export interface Assembled {
  readonly app: App;
  /** Loads and creates the admin app. Called after the public listener is open, which must not wait for it. */
  readonly adminApp: () => Promise<Served>;
  /** See Retention. */
  readonly forget: () => Promise<void>;
  /** See CredentialKeys. */
  readonly canSign: () => boolean;
  /** Whether this node has the private key for replies. True if that cannot be checked. */
  readonly canSignReplies: () => Promise<boolean>;
  /** Stops all scheduled work. */
  readonly stop: () => Promise<void>;
}

/** @returns a function that builds all parts from an input. If it throws, it has closed everything that it opened. */
export function createAssembly(lasting: LastingParts): (input: ServiceInput) => Promise<Assembled> {
  const { log } = lasting;
  const { writer } = lasting.store;
  const assembleParts = inOrder(PARTS, lasting);

  const assemble = async (closing: AsyncDisposableStack, input: ServiceInput): Promise<Assembled> => {
    const { config, offer, sources } = input;
    const parts = await assembleParts({ ...lasting, ...input, writer, catalog: offer.catalog, closing });
    return {
      app: createApp(parts),
      async adminApp() {
        // During startup the public listener is already open, so pending requests get a turn.
        await ownTurn();
        const { createAdminApp } = await import('./admin-app.ts');
        await ownTurn();
        return createAdminApp({ ...parts, ...parts.admin, config, offer, sources });
      },
      forget: parts.forget,
      canSign: parts.credentialKeys.canSign,
      // An unreachable database is reported separately.
      canSignReplies: () =>
        parts.signingKeys.signer('reply').then(
          (key) => key !== undefined,
          () => true,
        ),
      stop: () => closing.disposeAsync(),
    };
  };

  const onFault = (error: unknown) =>
    log.error('a resource of the settings could not be closed', { fault: faultOf(error) });
  return (input) => openTogether((closing) => assemble(closing, input), onFault);
}
