/** @jsxImportSource hono/jsx */
import { SUBJECT_CHARACTERS_MAX } from '../../domain/site/alerts.ts';
import { DAY_MS, HOUR_MS } from '../../lib/clock.ts';
import type { CustomerList } from '../../operator/customers.ts';
import { Choice, Field, FilterBar } from '../../pages/form.tsx';
import { type Filters, oneOfFilter } from '../../pages/query.ts';
import type { Config } from '../../settings/config.ts';
import type { AlertFilter } from '../../storage/sites/open-alerts.ts';
import { PLACES } from '../places.ts';
import { isProblem, type Read, readSiteFilters, SiteFields } from '../site-filters.tsx';
import { TEXTS } from '../texts.ts';
import { WORDS } from './words.ts';

export const FILTERS = ['severity', 'state', 'type', 'age', 'customer', 'license', 'domain'];
const SEVERITIES = ['critical', 'high'] as const;
const STATES = ['no', 'yes'] as const;
const AGES = ['hour', 'day', 'days'] as const;
const AGE_MS = { hour: HOUR_MS, day: DAY_MS, days: 3 * DAY_MS } satisfies Record<
  (typeof AGES)[number],
  number
>;

/** Returns the licenses of customers whose name contains a text. */
const licensesOf = ({ all }: CustomerList, text: string): ReadonlySet<number> =>
  new Set(
    all.flatMap(({ name, licenses }) => (name.toLowerCase().includes(text.toLowerCase()) ? licenses : [])),
  );

/**
 * Parses the filters.
 *
 * @param customers undefined for operators who may not see customers
 */
export function readAlertFilters(
  asked: Filters,
  config: Config,
  customers: CustomerList | undefined,
  now: number,
): Read<AlertFilter> {
  const sites = readSiteFilters(asked, config);
  if (isProblem(sites)) return sites;
  const state = oneOfFilter(STATES, asked.state);
  const age = oneOfFilter(AGES, asked.age);
  return {
    ...sites,
    severity: oneOfFilter(SEVERITIES, asked.severity),
    isAcknowledged: state && state === 'yes',
    subject: asked.type?.toLowerCase().replaceAll(' ', '_'),
    lastBefore: age && now - AGE_MS[age],
    licenses:
      customers === undefined || asked.customer === undefined
        ? undefined
        : licensesOf(customers, asked.customer),
  };
}

const choices = <Word extends string>(words: readonly Word[], meanings: Readonly<Record<Word, string>>) =>
  words.map((word) => [word, meanings[word]] as const);

export const FilterForm = (props: { readonly filters: Filters; readonly hasCustomers: boolean }) => {
  const { filters, hasCustomers } = props;
  return (
    <FilterBar action={PLACES.alerts.path}>
      <Choice
        label={WORDS.severity}
        name="severity"
        value={filters.severity}
        of={SEVERITIES}
        none={TEXTS.none}
      />
      <Choice
        label={WORDS.state}
        name="state"
        value={filters.state}
        of={choices(STATES, WORDS.states)}
        none={TEXTS.none}
      />
      <Choice
        label={WORDS.age}
        name="age"
        value={filters.age}
        of={choices(AGES, WORDS.ages)}
        none={TEXTS.none}
      />
      <Field
        label={WORDS.type}
        name="type"
        value={filters.type}
        hint={WORDS.typeHint}
        max={SUBJECT_CHARACTERS_MAX}
      />
      {hasCustomers ? (
        <Field label={WORDS.customer} name="customer" value={filters.customer} max={253} />
      ) : null}
      <SiteFields filters={filters} />
    </FilterBar>
  );
};
