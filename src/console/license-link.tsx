/** @jsxImportSource hono/jsx */
import { licenseName } from '../domain/license/license-name.ts';
import { PLACES } from './places.ts';

/** Returns the path of a license's page. `name`: such as `lic_1`. */
export const licensePath = (name: string): string => `${PLACES.licenses.path}/${name}`;

export const LicenseLink = ({ id }: { readonly id: number }) => (
  <a href={licensePath(licenseName(id))}>{licenseName(id)}</a>
);
