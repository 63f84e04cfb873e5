import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { accentOf, accentStyle, contrast } from '../../../src/domain/brand/accent.ts';

const colour = fc.integer({ min: 0, max: 0xff_ff_ff }).map((rgb) => `#${rgb.toString(16).padStart(6, '0')}`);

describe('a colour of a brand', () => {
  test('is readable in both themes, or refused with a colour that is accepted', () => {
    fc.assert(
      fc.property(colour, (asked) => {
        const found = accentOf(asked);
        if (!found) throw new Error('refused');
        const accent = 'nearest' in found ? accentOf(found.nearest) : found;
        if (!accent || 'nearest' in accent) throw new Error('the nearest is refused as well');
        for (const { accent: text, weak, on } of [accent.light, accent.dark]) {
          expect(contrast(text, weak)).toBeGreaterThanOrEqual(4.5);
          expect(contrast(on, text)).toBeGreaterThanOrEqual(4.5);
        }
        for (const surface of ['#ffffff', '#f6f7f9'])
          expect(contrast(accent.light.accent, surface)).toBeGreaterThanOrEqual(4.5);
        for (const surface of ['#141920', '#0d1015'])
          expect(contrast(accent.dark.accent, surface)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  test('that is readable is unchanged, and its style has nothing but colours', () => {
    const accent = accentOf('#5B2AA0');
    if (!accent || 'nearest' in accent) throw new Error('refused');
    expect(accent.light.accent).toBe('#5b2aa0');
    expect(accentStyle(accent)).toMatch(
      /^:root\{(?:--[a-z-]+:light-dark\(#[0-9a-f]{6},#[0-9a-f]{6}\);?){3}\}\n$/,
    );
  });

  test('has the contrast that WCAG computes', () => {
    expect(contrast('#000000', '#ffffff')).toBe(21);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  });

  test.each(['red', '#fff', 'url(#a)', '#0d7a6c;}body{display:none', ''])('is no %p', (text) => {
    expect(accentOf(text)).toBeUndefined();
  });
});
