/** @jsxImportSource hono/jsx */
import type { SiteFactor } from '../domain/site/site-score.ts';
import { Table } from './table.tsx';
import { WORDS } from './words.ts';

const { factors: TEXTS } = WORDS;

/** The factors of a site's score, with the actions that would raise it. */
export const FactorTable = ({ factors }: { readonly factors: readonly SiteFactor[] }) => (
  <Table
    label={TEXTS.title}
    columns={TEXTS.columns}
    rows={factors.map(({ id, points, pointsMax, finding, remedy, source }) => [
      TEXTS.names[id],
      <span class="one">{TEXTS.points(points, pointsMax)}</span>,
      finding,
      remedy ?? TEXTS.nothingToDo,
      source,
    ])}
  />
);
