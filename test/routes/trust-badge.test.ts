import { describe, expect, test } from 'bun:test';
import { DOMParser } from '@xmldom/xmldom';
import { makeBadge } from 'badge-maker';
import fc from 'fast-check';
import { GRADES } from '../../src/domain/assessment/assessment.ts';
import { type BadgeFacts, badgeOf, UNKNOWN_BADGE } from '../../src/routes/trust/badge.ts';
import { textWidth } from '../../src/routes/trust/text-width.ts';

const AT = Date.UTC(2026, 10, 22, 23, 59);
const ASSESSED: BadgeFacts = { domain: 'shop.example', grade: 'A', assessedAt: AT };
const HIDDEN: BadgeFacts = { ...ASSESSED, grade: null };
const NOT_CURRENT: BadgeFacts = { ...ASSESSED, grade: null, assessedAt: null };

/** @throws for XML that is not well-formed */
function elementOf(svg: string) {
  const fail = (_: string, message: string) => {
    throw new Error(message);
  };
  const root = new DOMParser({ onError: fail }).parseFromString(svg, 'image/svg+xml').documentElement;
  if (root === null) throw new Error('there is no element');
  return root;
}
const textsOf = (svg: string) => [...elementOf(svg).getElementsByTagName('text')];
const wordsOf = (svg: string) => textsOf(svg).map(({ textContent }) => textContent);
const numberOf = (element: { getAttribute(name: string): string | null }, name: string) =>
  Number(element.getAttribute(name));

describe('a badge', () => {
  test('states in words the meaning of its colors, to screen readers too', () => {
    expect(wordsOf(badgeOf(ASSESSED, false))).toEqual(['assessed', 'A · 2026-11-22']);
    expect(wordsOf(badgeOf(ASSESSED, true))).toEqual(['assessed', 'shop.example · A · 2026-11-22']);
    expect(wordsOf(badgeOf(HIDDEN, false))).toEqual(['assessed', '2026-11-22']);
    expect(wordsOf(badgeOf(NOT_CURRENT, false))).toEqual(['assessment', 'not current']);
    expect(wordsOf(badgeOf(NOT_CURRENT, true))).toEqual(['assessment', 'shop.example · not current']);
    expect(wordsOf(UNKNOWN_BADGE)).toEqual(['assessment', 'not current']);
    const texts: [string, string][] = [
      [badgeOf(ASSESSED, false), 'Security assessment of shop.example: grade A on 2026-11-22'],
      [badgeOf(HIDDEN, false), 'Security assessment of shop.example: assessed on 2026-11-22'],
      [badgeOf(NOT_CURRENT, true), 'Security assessment of shop.example: not current'],
      [UNKNOWN_BADGE, 'Security assessment: not current'],
    ];
    for (const [svg, words] of texts) {
      const root = elementOf(svg);
      expect([root.getAttribute('role'), root.getAttribute('aria-label')]).toEqual(['img', words]);
      expect(root.getElementsByTagName('title')[0]?.textContent).toBe(words);
    }
  });

  test("is as wide as badge-maker's, in the parts and as a whole", () => {
    for (const facts of [ASSESSED, HIDDEN, NOT_CURRENT, { ...ASSESSED, domain: 'xn--bcher-kva.example' }])
      for (const withDomain of [false, true]) {
        const ours = badgeOf(facts, withDomain);
        const [label = '', message = ''] = wordsOf(ours).map(String);
        const theirs = makeBadge({ label, message, style: 'flat' });
        // Theirs are in tenths of a pixel, of whole and odd pixels, and each appears three times.
        const widths = textsOf(theirs).map((text) => numberOf(text, 'textLength') / 10);
        const [left = 0, right = 0] = [widths[0], widths[3]];
        const [ownLeft = 0, ownRight = 0] = textsOf(ours).map((text) => numberOf(text, 'textLength'));
        expect(Math.abs(ownLeft - left)).toBeLessThan(2);
        expect(Math.abs(ownRight - right)).toBeLessThan(2);
        const [width, other] = [ours, theirs].map((svg) => numberOf(elementOf(svg), 'width'));
        expect(Math.abs(Number(width) - Number(other))).toBeLessThanOrEqual(6);
      }
  });

  test('has space for its texts', () => {
    const [label, message] = textsOf(badgeOf(ASSESSED, true)).map((text) => ({
      middle: numberOf(text, 'x'),
      half: numberOf(text, 'textLength') / 2,
    }));
    const width = numberOf(elementOf(badgeOf(ASSESSED, true)), 'width');
    if (!label || !message) throw new Error('there are no texts');
    expect(label.middle - label.half).toBeGreaterThanOrEqual(4);
    expect(message.middle - message.half - (label.middle + label.half)).toBeGreaterThanOrEqual(10);
    expect(width - (message.middle + message.half)).toBeGreaterThanOrEqual(4);
  });

  test('is readable on its colors: white has a contrast of 4.5 and more on each (WCAG 2.2, 1.4.3)', () => {
    const svgs = [...GRADES.map((grade) => badgeOf({ ...ASSESSED, grade }, false)), UNKNOWN_BADGE];
    const colours = [...svgs, badgeOf(HIDDEN, false)].flatMap((svg) => svg.match(/#[0-9a-f]{6}/g) ?? []);
    expect(new Set(colours).size).toBe(GRADES.length + 3);
    for (const colour of colours) expect([colour, contrastWithWhite(colour) >= 4.5]).toEqual([colour, true]);
  });

  test('shortens a long domain on display, but not in its text', () => {
    const domain = `${'long-'.repeat(10)}name.shop.example`;
    const svg = badgeOf({ ...ASSESSED, domain }, true);
    expect(wordsOf(svg)[1]).toBe('long-long-lon...g-long-name.shop.example · A · 2026-11-22');
    expect(elementOf(svg).getAttribute('aria-label')).toContain(domain);
  });

  test('loads nothing, runs nothing and links nowhere', () => {
    expect(badgeOf(ASSESSED, true)).not.toMatch(/href|url\(|<script|<style|<image|@import/);
  });

  test('is well-formed with any text as the domain', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]{0,80}$/), fc.boolean(), (domain, withDomain) => {
        const svg = badgeOf({ ...ASSESSED, domain }, withDomain);
        expect(elementOf(svg).getAttribute('aria-label')).toContain(`Security assessment of ${domain}:`);
        expect(elementOf(svg).getElementsByTagName('*').length).toBe(6);
      }),
    );
  });
});

test('a character outside the table counts as the widest', () => {
  expect(textWidth('日')).toBe(textWidth('%'));
  expect(textWidth('')).toBe(0);
});

function contrastWithWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}
