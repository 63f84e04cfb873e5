import { beforeAll, expect, test } from 'bun:test';
import { PLANS } from '../../../src/domain/license/catalog.ts';
import { PLACES } from '../../../src/portal/places.ts';
import { API, call } from '../../support/client.ts';
import { portalOf } from '../../support/portal.ts';
import { type RunningService, sharedService } from '../../support/service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await sharedService();
});

/** The API request behind a page; with a body, a POST. */
const ASKED: Readonly<Record<keyof typeof PLACES, readonly [path: string, body?: object]>> = {
  overview: ['/me'],
  sites: ['/sites'],
  alerts: ['/sites'],
  license: ['/me'],
  events: ['/events'],
  scans: ['/scans'],
  analysis: ['/brain/analyze', { input_type: 'text', content: 'hello' }],
  reports: ['/reports'],
  signals: ['/me'],
  evidence: ['/evidence'],
  notifications: ['/notifications'],
  api: ['/me'],
};

test.each(PLANS)(
  'with the plan %s a page is shut exactly where the API is, and says what would open it',
  async (plan) => {
    const { key } = await service.issue('--plan', plan);
    const browser = await portalOf(service, key);
    for (const [name, [path, body]] of Object.entries(ASKED)) {
      const place = PLACES[name as keyof typeof PLACES];
      const { status } = await call(service.url, API + path, {
        key,
        ...(body === undefined ? {} : { method: 'POST', body }),
      });
      const page = await browser.get(place.path);
      expect([name, page.status === 403]).toEqual([name, status === 403]);
      if (page.status === 403) expect(page.text).toContain(`Included in ${place.plan}`);
      expect(page.text).toContain('aria-current="page"');
    }
  },
);
