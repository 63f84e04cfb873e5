import { Fault } from '../../lib/fault.ts';

/** A file is no backup that can be used, or none can be made; the message is a sentence for the operator. */
export class BackupRefused extends Fault {}

/** There is no place for a copy to look through, which says nothing about the backup. */
export class NoPlaceForCopy extends BackupRefused {}
