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

/** The parts of the service, each before those that need it. */
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

/** What outlives a reload. */
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

/** What is made of an input. */
export interface Assembled {
  readonly app: App;
  /** Loads and creates the admin app. It comes after the public listener, which must not wait for it. */
  readonly adminApp: () => Promise<Served>;
  /** See Retention. */
  readonly forget: () => Promise<void>;
  /** See CredentialKeys. */
  readonly canSign: () => boolean;
  /** Whether this node has the private half of the key for replies, as far as can be told. */
  readonly canSignReplies: () => Promise<boolean>;
  /** Ends what runs by the clock. */
  readonly stop: () => Promise<void>;
}

/** @returns a function that makes the interface, and what runs by the clock, of an input; all of it or, when it throws, nothing */
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
        // At a start the interface listens already: requests that have arrived are answered between the two.
        await ownTurn();
        const { createAdminApp } = await import('./admin-app.ts');
        await ownTurn();
        return createAdminApp({ ...parts, ...parts.admin, config, offer, sources });
      },
      forget: parts.forget,
      canSign: parts.credentialKeys.canSign,
      // A database that does not answer is a problem of its own.
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
