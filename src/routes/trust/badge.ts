import type { Grade } from '../../domain/assessment/assessment.ts';
import { OWN_NAME } from '../../domain/brand/brand.ts';
import { utcDay } from '../../lib/clock.ts';
import { escaped } from '../../lib/markup.ts';
import { textWidth } from './text-width.ts';

/** The content of a badge. */
export interface BadgeFacts {
  /** The domain in ASCII form. */
  readonly domain: string;
  /** Null = no grade, or hidden by the tenant. */
  readonly grade: Grade | null;
  /** Time of the assessment, in milliseconds since the Unix epoch; null = no current assessment. */
  readonly assessedAt: number | null;
}

export const BADGE_HEIGHT = 20;
const PADDING = 6;
const LABEL_COLOUR = '#3b4252';
const GREY = '#5f6672';
/** White text on each has a contrast of at least 4.5. The letter conveys the grade without color. */
const COLOURS: Readonly<Record<Grade, string>> = {
  A: '#1a7f37',
  B: '#3a7512',
  C: '#8a5a00',
  D: '#a8470c',
  F: '#b42318',
};
const WITHOUT_GRADE = '#1f6f8b';

/** Renders a text centered in a box. `textLength` gives it the same width in any font. */
const words = (text: string, left: number): string => {
  const width = textWidth(text);
  return `<text x="${round(left + PADDING + width / 2)}" y="14" textLength="${round(width)}">${escaped(text)}</text>`;
};
const boxWidth = (text: string): number => Math.ceil(textWidth(text) + 2 * PADDING);
const round = (pixels: number): number => Math.round(pixels * 10) / 10;

function svg(label: string, message: string, colour: string, title: string): string {
  const [left, right] = [boxWidth(label), boxWidth(message)];
  const width = left + right;
  const name = escaped(title);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${BADGE_HEIGHT}" viewBox="0 0 ${width} ${BADGE_HEIGHT}" role="img" aria-label="${name}">` +
    `<title>${name}</title>` +
    `<rect width="${width}" height="${BADGE_HEIGHT}" rx="3" fill="${colour}"/>` +
    `<path d="M3 0H${left}V${BADGE_HEIGHT}H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="${LABEL_COLOUR}"/>` +
    '<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">' +
    `${words(label, 0)}${words(message, left)}</g></svg>\n`
  );
}

/** Longer domains are shortened, because the badge would be too wide for pages. Title and trust page contain the whole domain. */
const DOMAIN_CHARACTERS_MAX = 40;
const END_CHARACTERS = 24;

/** Shortens a domain in the middle, because its end identifies the owner. */
const shortened = (domain: string): string =>
  domain.length <= DOMAIN_CHARACTERS_MAX
    ? domain
    : `${domain.slice(0, DOMAIN_CHARACTERS_MAX - END_CHARACTERS - 3)}...${domain.slice(-END_CHARACTERS)}`;

/** The badge of an unknown site, or of a site whose badge is turned off. */
export const UNKNOWN_BADGE = svg('assessment', 'not current', GREY, 'Security assessment: not current');

/**
 * Renders a badge as a self-contained SVG that is readable on any background and by screen readers.
 *
 * @param brand name of the operator, for the title
 * @param withDomain whether to show the domain, which reveals copies on other sites
 */
export function badgeOf(
  { domain, grade, assessedAt }: BadgeFacts,
  withDomain: boolean,
  brand: string = OWN_NAME,
): string {
  const by = brand === OWN_NAME ? '' : ` by ${brand}`;
  const subject = `Security assessment of ${domain}${by}`;
  const visible = withDomain ? shortened(domain) : null;
  const message = (...parts: readonly (string | null)[]) =>
    [visible, ...parts].filter((part) => part !== null).join(' · ');
  if (assessedAt === null) return svg('assessment', message('not current'), GREY, `${subject}: not current`);
  const day = utcDay(assessedAt);
  const summary = grade === null ? `assessed on ${day}` : `grade ${grade} on ${day}`;
  const colour = grade === null ? WITHOUT_GRADE : COLOURS[grade];
  return svg('assessed', message(grade, day), colour, `${subject}: ${summary}`);
}
