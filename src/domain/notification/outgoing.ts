import { inspect } from '../privacy/gate.ts';
import { notificationPolicy } from '../privacy/policies.ts';
import type { NotificationData } from './event.ts';

/** Replaces a value that the privacy gate refuses. */
export const WITHHELD = '[withheld]';

/**
 * Data as it may leave the host: the privacy gate sees it again, because some of it began as text of a site. What it refuses is
 * withheld; an event whose alert cannot be named is still better than none.
 */
export function passedData(data: NotificationData): NotificationData {
  if (inspect(data, notificationPolicy) === undefined) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      inspect({ [name]: value }, notificationPolicy) === undefined ? value : WITHHELD,
    ]),
  );
}
