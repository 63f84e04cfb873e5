import type { Calibration } from '../../src/analysis/verdict.ts';

/** The share of malicious contents among those that users submit. */
const BASE_RATE = 0.2;
const STEPS = 50;

/**
 * Fits a logistic function to what is known (J. Platt, Probabilistic Outputs for Support Vector Machines, 1999), by Newton's
 * method. Malicious contents weigh as if they were a fifth of all.
 */
export function calibrate(malicious: readonly number[], clean: readonly number[]): Calibration {
  let [slope, prior] = [1, -4];
  const sides = [
    { values: malicious, target: 1, weight: BASE_RATE / malicious.length },
    { values: clean, target: 0, weight: (1 - BASE_RATE) / clean.length },
  ];
  for (let step = 0; step < STEPS; step++) {
    let [gradientSlope, gradientPrior, slopes, cross, priors] = [0, 0, 1e-9, 0, 1e-9];
    for (const { values, target, weight } of sides) {
      for (const value of values) {
        const probability = 1 / (1 + Math.exp(-(slope * value + prior)));
        const error = weight * (probability - target);
        const curvature = weight * probability * (1 - probability);
        gradientSlope += error * value;
        gradientPrior += error;
        slopes += curvature * value * value;
        cross += curvature * value;
        priors += curvature;
      }
    }
    const determinant = slopes * priors - cross * cross;
    slope -= (priors * gradientSlope - cross * gradientPrior) / determinant;
    prior -= (slopes * gradientPrior - cross * gradientSlope) / determinant;
  }
  return { slope, prior };
}

interface Bin {
  readonly score: number;
  readonly observed: number;
  readonly contents: number;
}

/** Contents by tenths of the score, with the share among them that is malicious where a fifth of all is. */
function binsOf(malicious: readonly number[], clean: readonly number[]): readonly Bin[] {
  return Array.from({ length: 10 }, (_, index): Bin => {
    const isIn = (score: number) => Math.min(9, Math.floor(score / 10)) === index;
    const [bad, good] = [malicious.filter(isIn), clean.filter(isIn)];
    const badWeight = (bad.length / malicious.length) * BASE_RATE;
    const goodWeight = (good.length / clean.length) * (1 - BASE_RATE);
    const weighted = mean(bad) * badWeight + mean(good) * goodWeight;
    const weight = badWeight + goodWeight;
    return { score: weighted / weight, observed: badWeight / weight, contents: bad.length + good.length };
  }).filter(({ contents }) => contents > 0);
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

const SIDE = 360;
const MARGIN = 48;
const x = (score: number): string => (MARGIN + (score / 100) * SIDE).toFixed(1);
const y = (share: number): string => (MARGIN / 2 + (1 - share) * SIDE).toFixed(1);

/** A reliability diagram: the score against the observed share, a circle for each tenth of the score. */
export function plot(malicious: readonly number[], clean: readonly number[]): string {
  const circles = binsOf(malicious, clean).map(
    ({ score, observed, contents }) =>
      `<circle cx="${x(score)}" cy="${y(observed)}" r="${Math.max(3, Math.log10(contents) * 3).toFixed(1)}"><title>score ${score.toFixed(0)}: ${(observed * 100).toFixed(0)} % malicious, ${contents} contents</title></circle>`,
  );
  const ticks = [0, 25, 50, 75, 100].map(
    (at) =>
      `<text x="${x(at)}" y="${SIDE + MARGIN}" text-anchor="middle">${at}</text><text x="${MARGIN - 8}" y="${y(at / 100)}" text-anchor="end" dominant-baseline="middle">${at} %</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE + 2 * MARGIN} ${SIDE + 2 * MARGIN}" font-family="system-ui, sans-serif" font-size="12" role="img">
<title>Calibration of scores of code</title>
<desc>The score of contents of the evaluation side against the share of them that is malicious, where a fifth of all is.</desc>
<rect width="100%" height="100%" fill="#fff"/>
<rect x="${MARGIN}" y="${MARGIN / 2}" width="${SIDE}" height="${SIDE}" fill="none" stroke="#8a8f98"/>
<path d="M${x(0)} ${y(0)}L${x(100)} ${y(1)}" stroke="#8a8f98" stroke-dasharray="4 4" fill="none"/>
<g fill="#2456a6" fill-opacity="0.75">${circles.join('')}</g>
<g fill="#333">${ticks.join('')}
<text x="${MARGIN + SIDE / 2}" y="${SIDE + MARGIN + 24}" text-anchor="middle">score</text>
<text x="${MARGIN}" y="${MARGIN / 2 - 8}">share that is malicious</text></g>
</svg>
`;
}
