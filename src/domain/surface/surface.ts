import { type Finding, judge } from '../finding.ts';
import { COOKIE_RULES } from './cookies.ts';
import { DISCLOSURE_RULES } from './disclosure.ts';
import { EXPOSURE_RULES } from './exposure.ts';
import { HEADER_RULES } from './headers.ts';
import type { SurfaceObservation } from './observation.ts';
import { REACH_RULES } from './reach.ts';
import { TRANSPORT_RULES } from './transport.ts';
import { WORDPRESS_RULES } from './wordpress.ts';

/** Every rule on the public surface of a site. */
export const SURFACE_RULES = [
  ...REACH_RULES,
  ...TRANSPORT_RULES,
  ...EXPOSURE_RULES,
  ...WORDPRESS_RULES,
  ...HEADER_RULES,
  ...COOKIE_RULES,
  ...DISCLOSURE_RULES,
] as const;

/** Evaluates the public surface of a site, most severe first. */
export const judgeSurface = (observation: SurfaceObservation): Finding[] => judge(SURFACE_RULES, observation);
