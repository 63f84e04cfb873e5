import type { Subject } from '../engine/subject.ts';
import { domainReleased, licenseRevoked } from '../licenses/license-jobs.ts';
import { credentialJobs } from './credential-jobs.ts';
import { credentialKeyJobs } from './credential-keys.ts';
import * as tables from './tables.ts';

export const credentials = {
  tables,
  jobs: { credentialJobs, credentialKeyJobs },
  reactions: [
    domainReleased.with(
      (db) => (released) => credentialJobs(db).revokeCredentialsOf({ ...released, reason: 'site_removed' }),
    ),
    // The claims of the credentials were right: the operator requested it by revoking the license.
    licenseRevoked.with(
      (db) => (revoked) =>
        credentialJobs(db).revokeCredentialsOf({ ...revoked, domain: null, reason: 'requested' }),
    ),
  ],
  filledByStart: [tables.credentialKeys],
} satisfies Subject;

declare module '../engine/jobs/jobs.ts' {
  interface KnownSubjects {
    readonly credentials: typeof credentials;
  }
}
