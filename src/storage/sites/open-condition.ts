/**
 * In plain SQL: whether an alert has been reported since it was last resolved. No other alert is open.
 *
 * @param larger see Dialect
 */
export const isUnresolved = (larger: string): string =>
  `${larger}(coalesce(critical_at, 0), coalesce(high_at, 0)) > coalesce(resolved_at, 0)`;
