import type { NamedComponent } from '../../operator/component-sites.ts';
import { addressOf } from '../../pages/query.ts';
import { PLACES } from '../places.ts';

export const COMPONENT_PATH = `${PLACES.vulnerabilities.path}/component`;

/** Returns the path of the page with the sites of a component. */
export const componentPath = ({ ecosystem, component }: NamedComponent): string =>
  addressOf(COMPONENT_PATH, { ecosystem, component });
