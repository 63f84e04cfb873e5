import { fixedRoute } from './fixed-route.ts';
import { HANDBOOK, SEARCH_ADDRESSES } from './handbook/addresses.ts';
import style from './landing.css' with { type: 'text' };
import { plainPages } from './plain-page.ts';

const PAGES = plainPages(style, "'self'");

const CHOICES = [
  ['/portal', 'Portal', 'For customers: sign in with a license key to see your sites, alerts and reports.'],
  [HANDBOOK, 'Handbook', 'For operators and developers: install, connect clients, fix problems.'],
  ['/docs', 'API reference', 'Every request of the Public Security Service API v1, to try here.'],
] as const;

const page = (): string =>
  PAGES.html({
    title: 'Redoubt',
    content: `<h1>Redoubt</h1>
<p class="lead">The security service that plugins and agents on your websites, servers and PCs report to.</p>
<ul>
${CHOICES.map(([href, name, about]) => `<li><a href="${href}"><strong>${name}</strong>${about}</a></li>`).join('\n')}
</ul>
<form action="${SEARCH_ADDRESSES.page}">
<label>Search the handbook<input type="search" name="q"></label>
<button type="submit">Search</button>
</form>`,
  });

/** The page at `/`. */
export const landing = fixedRoute('/', 'text/html', PAGES.policy, page);
