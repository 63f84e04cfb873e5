/** @jsxImportSource hono/jsx */
import type { Tone } from './column-chart.tsx';

const WIDTH = 320;
const HEIGHT = 8;
const RADIUS = 44;
const AROUND = 2 * Math.PI * RADIUS;

export interface Part {
  readonly tone: Tone;
  readonly count: number;
}

/** A horizontal bar with one or more parts of a total. */
export const Meter = ({
  label,
  parts,
  of,
}: {
  readonly label: string;
  readonly parts: readonly Part[];
  readonly of: number;
}) => {
  const width = (count: number) => (of === 0 ? 0 : Math.min(1, count / of) * WIDTH);
  let x = 0;
  return (
    <svg
      class="meter"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <rect class="track" width={WIDTH} height={HEIGHT} />
      {parts.map(({ tone, count }) => {
        const place = { x, width: width(count) };
        x += place.width;
        return <rect class={`t-${tone}`} {...place} height={HEIGHT} />;
      })}
    </svg>
  );
};

/** Returns the color of a score from 0 to 100. */
export const toneOf = (score: number): Tone => (score < 60 ? 'critical' : score < 85 ? 'medium' : 'accent');

/** A score from 0 to 100 as a ring. */
export const ScoreRing = ({ score }: { readonly score: number }) => (
  <svg class={`ring r-${toneOf(score)}`} viewBox="0 0 112 112" role="img" aria-label={`${score} of 100`}>
    <circle class="track" cx="56" cy="56" r={RADIUS} />
    <circle
      cx="56"
      cy="56"
      r={RADIUS}
      stroke-dasharray={`${((AROUND * score) / 100).toFixed(1)} ${AROUND.toFixed(1)}`}
      transform="rotate(-90 56 56)"
    />
    <text x="56" y="65" text-anchor="middle">
      {score}
    </text>
  </svg>
);

/** A score from 0 to 100 as a number with a bar. */
export const ScoreBar = ({ score }: { readonly score: number }) => (
  <span class="scorebar">
    <strong>{score}</strong>
    <Meter label={`${score} of 100`} of={100} parts={[{ tone: toneOf(score), count: score }]} />
  </span>
);
