import { expect, test } from 'bun:test';
import { Browser, operatorOf } from '../../support/console.ts';
import { type RunningService, SEAM_TARGETS, start } from '../../support/service.ts';

const EVENTS = '/console/overview/live';

/** The text of a stream until a pattern matches, or it ends. */
async function received(stream: Response, pattern: RegExp): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream.body as ReadableStream<Uint8Array>) {
    text += decoder.decode(chunk);
    if (pattern.test(text)) break;
  }
  return text;
}

const listen = (service: RunningService, { cookie = '' }: Browser, seen = '') =>
  fetch(`${service.adminUrl}${EVENTS}?seen=${seen}`, { headers: { cookie } });

test.each(SEAM_TARGETS)(
  'the page Now receives changes, and none after a session has ended: %s',
  async (target) => {
    // Its own process: it is stopped while pages are open.
    const service = await start(target);
    const [alice, bob] = [await operatorOf(service, 'alice'), await operatorOf(service, 'bob', 'viewer')];
    const [, seen = ''] = /data-seen="([^"]+)"/.exec((await alice.get('/console')).text) ?? [];
    const [toAlice, toBob, idle] = [
      await listen(service, alice, seen),
      await listen(service, bob),
      await listen(service, alice),
    ];
    expect([toAlice.status, toAlice.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream;charset=utf-8',
    ]);
    await service.command('operator', 'disable', 'bob');
    await service.issue('--plan', 'pro');
    const [changed, ended] = await Promise.all([received(toAlice, /changed/), received(toBob, /ended/)]);
    expect(changed).toContain('event: changed');
    expect(ended).toContain('event: ended');
    expect(ended.slice(ended.indexOf('event: ended'))).not.toContain('changed');

    const nobody = await new Browser(service).get(EVENTS);
    expect([nobody.status, nobody.headers.get('location')]).toEqual([303, '/console/sign-in']);
    // An open stream does not delay the stop, which allows ten seconds for requests in flight.
    const stopped = Date.now();
    await Promise.all([service.end(), received(idle, /never/).catch(() => '')]);
    expect(Date.now() - stopped).toBeLessThan(8_000);
  },
);
