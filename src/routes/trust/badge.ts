import type { Grade } from '../../domain/assessment/assessment.ts';
import { OWN_NAME } from '../../domain/brand/brand.ts';
import { utcDay } from '../../lib/clock.ts';
import { escaped } from '../../lib/markup.ts';
import { textWidth } from './text-width.ts';

/** What a badge shows of a site. */
export interface BadgeFacts {
  /** In its ASCII form. */
  readonly domain: string;
  /** Null = there is none, or it is not shown. */
  readonly grade: Grade | null;
  /** Milliseconds since the Unix epoch; null = there is no current assessment. */
  readonly assessedAt: number | null;
}

export const BADGE_HEIGHT = 20;
const PADDING = 6;
const LABEL_COLOUR = '#3b4252';
const GREY = '#5f6672';
/** White on each of them has a contrast of 4.5 and more. The letter says the same without the colour. */
const COLOURS: Readonly<Record<Grade, string>> = {
  A: '#1a7f37',
  B: '#3a7512',
  C: '#8a5a00',
  D: '#a8470c',
  F: '#b42318',
};
const WITHOUT_GRADE = '#1f6f8b';

/** A text in the middle of a box; `textLength` makes it as wide in any font. */
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

/** Longer ones would make the picture wider than what it stands on. Its name, and the page, have the whole domain. */
const DOMAIN_CHARACTERS_MAX = 40;
const END_CHARACTERS = 24;

/** The end of a domain identifies its owner. */
const shortened = (domain: string): string =>
  domain.length <= DOMAIN_CHARACTERS_MAX
    ? domain
    : `${domain.slice(0, DOMAIN_CHARACTERS_MAX - END_CHARACTERS - 3)}...${domain.slice(-END_CHARACTERS)}`;

/** Of a site that is not known, or whose badge is off. */
export const BADGE_OF_NOBODY = svg('assessment', 'not current', GREY, 'Security assessment: not current');

/**
 * The picture that a site shows: a self-contained SVG that is readable on any background, to screen readers too.
 *
 * @param brand the operator's name, for its title
 * @param withDomain whether it contains the domain, which exposes a copy on another site
 */
export function badgeOf(
  { domain, grade, assessedAt }: BadgeFacts,
  withDomain: boolean,
  brand: string = OWN_NAME,
): string {
  const by = brand === OWN_NAME ? '' : ` by ${brand}`;
  const subject = `Security assessment of ${domain}${by}`;
  const visible = withDomain ? shortened(domain) : null;
  const message = (...said: readonly (string | null)[]) =>
    [visible, ...said].filter((part) => part !== null).join(' · ');
  if (assessedAt === null) return svg('assessment', message('not current'), GREY, `${subject}: not current`);
  const day = utcDay(assessedAt);
  const said = grade === null ? `assessed on ${day}` : `grade ${grade} on ${day}`;
  const colour = grade === null ? WITHOUT_GRADE : COLOURS[grade];
  return svg('assessed', message(grade, day), colour, `${subject}: ${said}`);
}
