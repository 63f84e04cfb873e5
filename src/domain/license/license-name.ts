/** The name under which operators and logs know a license. */
export const licenseName = (id: number): string => `lic_${id}`;

/** The form of such a name, with or without its prefix. */
export const LICENSE_NAME = /^(?:lic_)?([1-9][0-9]{0,14})$/;

/** Reads a license's name, with or without its prefix; undefined when it is none. */
export function parseLicenseName(text: string): number | undefined {
  const match = LICENSE_NAME.exec(text);
  return match ? Number(match[1]) : undefined;
}
