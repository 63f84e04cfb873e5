import { Fault } from '../../lib/fault.ts';

/** A file is not a usable backup, or none can be created; the message is a sentence for the operator. */
export class BackupRefused extends Fault {}

/** There is no directory for the copy to check, which says nothing about the backup. */
export class NoPlaceForCopy extends BackupRefused {}
