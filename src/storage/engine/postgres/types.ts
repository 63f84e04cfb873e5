const OID = { bool: 16, int8: 20, json: 114, numeric: 1700 } as const;

/** Parses a value as SQLite returns it: numbers, 1 or 0 for conditions, and JSON as text. */
export function getTypeParser(oid: number): (value: string) => unknown {
  switch (oid) {
    case OID.bool:
      return (value) => (value === 't' ? 1 : 0);
    case OID.json:
      return String;
    case OID.int8:
    case OID.numeric:
      return Number;
    default:
      return NUMBERS.has(oid) ? Number : String;
  }
}

/** int2, int4, oid, float4, float8. */
const NUMBERS: ReadonlySet<number> = new Set([21, 23, 26, 700, 701]);
