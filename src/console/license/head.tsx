/** @jsxImportSource hono/jsx */
import { planShown } from '../../domain/license/license-filter.ts';
import { licenseName } from '../../domain/license/license-name.ts';
import { capitalized } from '../../lib/capitalized.ts';
import type { Explanation } from '../../operator/explain-license.ts';
import { Copyable } from '../../pages/copy.tsx';
import { PageActions } from '../../pages/page-actions.tsx';
import { addressOf } from '../../pages/query.ts';
import { Time } from '../../pages/time.tsx';
import { licensePath } from '../license-link.tsx';
import { StateBadge } from '../licenses/table.tsx';
import type { LicenseAction } from './actions.ts';
import { WORDS } from './words.ts';

/** State, plan, sites and expiry, below the title. */
export const LicenseFacts = ({ explanation }: { readonly explanation: Explanation }) => {
  const { license, standing, sites, readAt } = explanation;
  return (
    <span class="badges">
      <Copyable text={licenseName(license.id)} />
      <StateBadge state={standing.state} />
      <span class="badge">{capitalized(planShown(license, standing))}</span>
      <span class={`badge ${sites.used >= sites.allowed ? 'warn' : ''}`}>
        {WORDS.sitesOf(sites.used, sites.allowed)}
      </span>
      {standing.expiresAt === null ? null : (
        <span class="badge">
          {`${standing.expiresAt > readAt ? WORDS.ends : WORDS.ended} `}
          <Time at={standing.expiresAt} />
        </span>
      )}
    </span>
  );
};

/** Links to the forms of a license's acts. */
export const LicenseActions = (props: {
  readonly name: string;
  readonly actions: readonly LicenseAction[];
}) => {
  const links = props.actions.map(({ name, words, act, isMain = false }) => ({
    href: `${addressOf(licensePath(props.name), { act: name })}#act`,
    words,
    isFinal: act.isFinal ?? false,
    isMain,
  }));
  return (
    <PageActions
      main={links.filter(({ isMain }) => isMain)}
      more={links.filter(({ isMain }) => !isMain)}
      label={WORDS.more}
    />
  );
};
