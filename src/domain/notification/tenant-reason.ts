/** A sentence that only operators can follow: it names a setting, an option of a command or the unit of systemd. */
const OF_OPERATORS = /\bSERVICE_[A-Z]|\bIPAddressAllow|(?:^| )--[a-z]/;
const ASK = 'Contact your provider.';

/**
 * Why a target of a tenant was refused or an attempt failed, in words for the tenant: without sentences for operators.
 *
 * @param reason what happened, and then what to do, each as sentences
 */
export function tenantReason(reason: string): string {
  const [what = '', ...todo] = reason.split(/(?<=\.) (?=[A-Z])/);
  const rest = todo.filter((sentence) => !OF_OPERATORS.test(sentence));
  return [what, ...(rest.length === 0 && todo.length > 0 ? [ASK] : rest)].join(' ');
}
