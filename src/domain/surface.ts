import { type Finding, judge } from './finding.ts';
import { COOKIE_RULES } from './surface/cookies.ts';
import { DISCLOSURE_RULES } from './surface/disclosure.ts';
import { EXPOSURE_RULES } from './surface/exposure.ts';
import { HEADER_RULES } from './surface/headers.ts';
import type { SurfaceObservation } from './surface/observation.ts';
import { REACH_RULES } from './surface/reach.ts';
import { TRANSPORT_RULES } from './surface/transport.ts';
import { WORDPRESS_RULES } from './surface/wordpress.ts';

/** Every rule on what a site shows to anybody who looks from outside. */
export const SURFACE_RULES = [
  ...REACH_RULES,
  ...TRANSPORT_RULES,
  ...EXPOSURE_RULES,
  ...WORDPRESS_RULES,
  ...HEADER_RULES,
  ...COOKIE_RULES,
  ...DISCLOSURE_RULES,
] as const;

/** Judges what a site shows from outside, most severe first. */
export const judgeSurface = (observation: SurfaceObservation): Finding[] => judge(SURFACE_RULES, observation);
