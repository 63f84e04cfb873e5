/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { parseLicenseName } from '../domain/license/license-name.ts';
import { normalizeSiteDomain } from '../domain/site/site-domain.ts';
import { Field } from '../pages/form.tsx';
import type { Filters } from '../pages/query.ts';
import type { Config } from '../settings/config.ts';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.siteFilters;

/** The reason why filters are invalid. */
interface Problem {
  readonly problem: string;
}

/** Parsed filters, or a problem. */
export type Read<Filter> = Filter | Problem;

export const isProblem = (read: object): read is Problem => 'problem' in read;

/** Parses the license and the domain of filters. */
export function readSiteFilters(
  { license, domain }: Filters,
  { stagingDomains }: Pick<Config, 'stagingDomains'>,
): Read<{ readonly licenseId: number | undefined; readonly domain: string | undefined }> {
  const licenseId = license === undefined ? undefined : parseLicenseName(license);
  if (license !== undefined && licenseId === undefined) return { problem: WORDS.noLicense };
  const site = domain === undefined ? undefined : normalizeSiteDomain(domain, stagingDomains);
  if (domain !== undefined && site === undefined) return { problem: WORDS.noDomain };
  return { licenseId, domain: site?.name };
}

/** The fields of these filters. */
export const SiteFields = ({ filters }: { readonly filters: Filters }) => (
  <Fragment>
    <Field label={WORDS.license} name="license" value={filters.license} hint={WORDS.licenseHint} max={20} />
    <Field label={WORDS.domain} name="domain" value={filters.domain} max={253} />
  </Fragment>
);
