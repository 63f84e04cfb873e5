/** @jsxImportSource hono/jsx */
import type { AffectedComponent } from '../../operator/site-risks.ts';
import { componentWords } from '../../operator/vulnerability-words.ts';
import { componentPath } from './address.ts';
import { WORDS } from './words.ts';

/** A vulnerable component, which links to its sites. */
export const ComponentLink = ({
  of: { ecosystem, component, isExploited },
  words = componentWords(ecosystem, component, '').trim(),
}: {
  readonly of: AffectedComponent;
  readonly words?: string | undefined;
}) => (
  <span class="badges">
    <a href={componentPath({ ecosystem, component })}>{words}</a>{' '}
    {isExploited ? <span class="badge bad">{WORDS.exploited}</span> : null}
  </span>
);
