/** @jsxImportSource hono/jsx */
import { Facts, whole } from './html.tsx';
import { worded } from './identifier-words.ts';

const shown = (value: unknown): string => {
  if (typeof value === 'number') return whole(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** The statistics reported by a plugin, whose names and values are not known in advance. */
export const Stats = ({ of }: { readonly of: Readonly<Record<string, unknown>> }) => (
  <Facts of={Object.entries(of).map(([name, value]) => [worded(name), shown(value)] as const)} />
);
