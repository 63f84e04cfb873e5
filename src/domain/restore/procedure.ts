/** Steps that belong to a careful restore whatever the factors are, in the order in which they are taken. */
export const RESTORE_PROCEDURE = [
  'keep_as_evidence',
  'find_another_backup',
  'assess_again',
  'preserve_current_state',
  'restore_in_isolation',
  'carry_over_newer_data',
  'replace_credentials',
  'put_into_service',
  'watch',
] as const;
export type ProcedureId = (typeof RESTORE_PROCEDURE)[number];

/** What each step asks for, and why; the reason names where the practice is laid down. */
export const PROCEDURE_TEXTS: Readonly<
  Record<ProcedureId, { readonly action: string; readonly reason: string }>
> = {
  keep_as_evidence: {
    action: 'Leave this backup unrestored; keep a read-only copy offline for the investigation.',
    reason:
      'It shows when and how the attacker came in, and restoring it would bring the attacker back. ' +
      'See NIST SP 800-61 Rev. 2 section 3.3.2.',
  },
  find_another_backup: {
    action:
      'Look for a backup from before the incident and have it assessed; use this one only if there is none.',
    reason:
      'A backup that was never affected is safer than one that was cleaned. ' +
      'See NIST SP 800-184; 3-2-1 practice (several copies, one off-site).',
  },
  assess_again: {
    action: 'Scan the improved copy and assess it again; go on only with a verdict of likely_safe or better.',
    reason: 'What was overlooked the first time shows in the second scan. See NIST SP 800-184.',
  },
  preserve_current_state: {
    action: 'Copy the present state of the site, read-only, before anything is overwritten.',
    reason: 'It is the way back if the restore fails, and evidence. See NIST SP 800-61 Rev. 2 section 3.3.2.',
  },
  restore_in_isolation: {
    action: 'Restore into an isolated environment first, test it and scan it there.',
    reason: 'A restore that works is the only proof of a backup. See CIS Controls v8 11.5.',
  },
  carry_over_newer_data: {
    action: 'Export orders, accounts and content created since the backup, scan them and carry them over.',
    reason: 'The backup does not hold them: the restore would lose them. See NIST SP 800-34 Rev. 1.',
  },
  replace_credentials: {
    action:
      'Replace every credential that the backup holds: administrators, database, API keys, session secrets.',
    reason:
      'Whoever had the site had these, and a restore brings the old ones back. See CISA #StopRansomware ' +
      'Guide.',
  },
  put_into_service: {
    action: 'Update application, plugins and themes in isolation, then put the restored site into service.',
    reason: 'A hole that let an attacker in is in the backup as well. See CISA #StopRansomware Guide.',
  },
  watch: {
    action: 'Scan daily for 30 days and keep this backup until then.',
    reason: 'Attackers come back to places that they know. See NIST SP 800-184.',
  },
};
