import { ASSESSMENT_PARTS, type AssessmentPart } from '../../domain/assessment/assessment.ts';
import { type Brand, OWN_NAME } from '../../domain/brand/brand.ts';
import { escaped } from '../../lib/markup.ts';
import type { PublicTrust } from '../../tasks/trust.ts';
import { plainPages } from '../plain-page.ts';
import { stateAddress } from './addresses.ts';
import ownStyle from './style.css' with { type: 'text' };

const PART_WORDS: Readonly<Record<AssessmentPart, readonly [name: string, meaning: string]>> = {
  telemetry: [
    'What the site reports about itself',
    'its settings, its versions, and alerts of its security plugin',
  ],
  surface: [
    'What the site shows to visitors',
    'encryption, headers, cookies, and files that should not be public',
  ],
  vulnerabilities: [
    'Known vulnerabilities',
    'whether its components, by name and version, are listed in public databases as vulnerable',
  ],
};

const NOT_FOUND_PAGE = {
  title: 'No such assessment',
  content: `<p class="kind">Security assessment</p>
<h1>No assessment is published here</h1>
<p>The badge that led you here is outdated, or a copy from another site.</p>`,
};

const moment = (atMs: number): string => {
  const at = new Date(atMs).toISOString();
  return `<time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 16)} UTC</time>`;
};

const stateOf = ({ grade, assessedAt }: PublicTrust): string => {
  if (assessedAt === null)
    return `<div class="state"><p><strong>There is no current assessment to show.</strong><br>
This does not mean that something is wrong with the site: it may simply not have been assessed lately.</p></div>`;
  const letter = grade === null ? '' : `<span class="grade" aria-hidden="true">${grade}</span>\n`;
  const words =
    grade === null ? 'Assessed, and above the minimum of this service' : `Assessed with the grade ${grade}`;
  return `<div class="state assessed">${letter}<p><strong>${words}</strong><br>as of ${moment(assessedAt)}</p></div>`;
};

const factsOf = ({ validUntil }: PublicTrust): string =>
  validUntil === null ? '' : `<dt>Valid until</dt><dd>${moment(validUntil)}</dd>\n`;

const partsOf = ({ assessedAt, assessed }: PublicTrust): string => {
  if (assessedAt === null) return '';
  const items = ASSESSMENT_PARTS.map((part) => {
    const [name, meaning] = PART_WORDS[part];
    const was = assessed.includes(part) ? 'examined' : 'not fully examined';
    return `<li><strong>${name}: ${was}</strong> — ${meaning}.</li>`;
  });
  return `<h2>What was examined</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
};

const credentialOf = ({ credential }: PublicTrust, issuer: string): string =>
  credential === null
    ? ''
    : `<details><summary>The signed credential</summary>
<p>A JWT that states the same. Verify it with the keys at
<a href="${escaped(issuer)}/.well-known/jwks.json">${escaped(issuer)}/.well-known/jwks.json</a>.</p>
<pre tabindex="0">${escaped(credential)}</pre></details>`;

/** Returns the pages that badges link to, with the name and logo of a brand. They need no script. */
export function trustPages(brand: Brand) {
  const { policy, html } = plainPages(ownStyle, undefined, brand);
  return {
    policy,
    /** The page of an id that is unknown or was disabled. */
    notFound: html(NOT_FOUND_PAGE),
    /** @param issuer URL of this service */
    ofSite: (site: PublicTrust, issuer: string): string =>
      html({ title: `Security assessment of ${site.domain}`, content: assessment(site, issuer, brand) }),
  };
}

/** Renders the assessment of a site, with the parts that were not assessed. */
function assessment(site: PublicTrust, issuer: string, { name }: Brand): string {
  const { domain, trustId } = site;
  const state = stateAddress(issuer, trustId);
  const issuedBy = name === OWN_NAME ? escaped(issuer) : `${escaped(name)}, ${escaped(issuer)}`;
  return `<p class="kind">Security assessment of</p>
<h1>${escaped(domain)}</h1>
${stateOf(site)}
<p class="compare"><strong>Compare this domain with the address bar of the site that you came from.</strong>
The badge is valid only on ${escaped(domain)}, and this page only at ${escaped(issuer)}.</p>
<dl>
${factsOf(site)}<dt>Issued by</dt><dd>${issuedBy}</dd>
</dl>
${partsOf(site)}
<h2>What an assessment does not say</h2>
<ul>
<li>It is not a guarantee. It describes the site as of one day.</li>
<li>It is not a penetration test, a review of the site's code, or a check of its owner.</li>
<li>It says nothing about what is sold or written there.</li>
</ul>
<p>Grades go from A, the best, to F. Only current grades above the minimum of this service are shown, and only for domains whose
control was proven or confirmed.</p>
<h2>For programs</h2>
<p><a href="${escaped(state)}">The same as JSON</a></p>
${credentialOf(site, issuer)}`;
}
