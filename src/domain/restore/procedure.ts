/** Steps of every careful restore, independent of the factors, in order. */
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

/** The action and the reason of each step, with the source of the practice. */
export const PROCEDURE_TEXTS: Readonly<
  Record<ProcedureId, { readonly action: string; readonly reason: string }>
> = {
  keep_as_evidence: {
    action: 'Do not restore this backup; keep a read-only copy offline for the investigation.',
    reason:
      'It shows when and how the attacker got in; restoring it would let the attacker back in. ' +
      'See NIST SP 800-61 Rev. 2 section 3.3.2.',
  },
  find_another_backup: {
    action: 'Look for a backup from before the incident and assess it; use this one only if there is none.',
    reason:
      'A backup that was never affected is safer than a cleaned one. ' +
      'See NIST SP 800-184; 3-2-1 practice (several copies, one off-site).',
  },
  assess_again: {
    action:
      'Scan the cleaned copy and assess it again; continue only with a verdict of likely_safe or better.',
    reason: 'The second scan can reveal what the first one missed. See NIST SP 800-184.',
  },
  preserve_current_state: {
    action: 'Make a read-only copy of the current site before anything is overwritten.',
    reason: 'It is the fallback if the restore fails, and evidence. See NIST SP 800-61 Rev. 2 section 3.3.2.',
  },
  restore_in_isolation: {
    action: 'Restore into an isolated environment first, test it and scan it there.',
    reason: 'Only a working restore proves a backup. See CIS Controls v8 11.5.',
  },
  carry_over_newer_data: {
    action: 'Export orders, accounts and content created since the backup, scan them and import them.',
    reason: 'The backup does not contain them: the restore would lose them. See NIST SP 800-34 Rev. 1.',
  },
  replace_credentials: {
    action: 'Replace every credential in the backup: administrators, database, API keys, session secrets.',
    reason:
      'The attacker may have these credentials, and a restore brings the old ones back. See CISA #StopRansomware ' +
      'Guide.',
  },
  put_into_service: {
    action: 'Update application, plugins and themes in isolation, then put the restored site into service.',
    reason: 'The vulnerability that let an attacker in is in the backup too. See CISA #StopRansomware Guide.',
  },
  watch: {
    action: 'Scan daily for 30 days and keep this backup until then.',
    reason: 'Attackers return to sites that they know. See NIST SP 800-184.',
  },
};
