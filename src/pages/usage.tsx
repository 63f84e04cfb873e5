/** @jsxImportSource hono/jsx */
import { Meter } from './meter.tsx';

/** The used part of a limit; only the amount if there is no limit. */
export const Usage = (props: {
  readonly name: string;
  readonly used: number;
  /** Null = no limit. */
  readonly limit: number | null;
  readonly shown: (amount: number) => string;
}) => {
  const { name, used, limit, shown } = props;
  const words = limit === null ? `${shown(used)}, no limit` : `${shown(used)} of ${shown(limit)}`;
  return (
    <div>
      <header class="usage">
        <span>{name}</span>
        <span class="quiet">{words}</span>
      </header>
      {limit === null ? null : (
        <Meter
          label={`${name}: ${words}`}
          of={limit}
          parts={[{ tone: used >= limit ? 'medium' : 'accent', count: used }]}
        />
      )}
    </div>
  );
};
