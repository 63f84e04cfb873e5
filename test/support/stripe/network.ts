import { afterAll, afterEach, beforeAll } from 'bun:test';
import { FetchInterceptor } from '@mswjs/interceptors/fetch/web';
import { defineNetwork, InterceptorSource } from 'msw/experimental';

/**
 * MSW in front of every fetch of a test file. Its own `setupServer` intercepts Node's sockets, which Bun's
 * fetch does not use.
 */
export function interceptFetch() {
  const network = defineNetwork({
    sources: [new InterceptorSource({ interceptors: [new FetchInterceptor() as never] })],
    onUnhandledFrame: 'error',
    context: { quiet: true },
    handlers: [],
  });
  beforeAll(() => network.enable());
  afterEach(() => network.resetHandlers());
  afterAll(() => network.disable());
  return network;
}
