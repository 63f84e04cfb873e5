import { discord } from './discord.ts';
import { mattermost } from './mattermost.ts';
import { ntfy } from './ntfy.ts';
import { slack } from './slack.ts';
import { standard } from './standard.ts';
import { teams } from './teams.ts';
import type { WebhookFormatter } from './webhook-body.ts';

/** The bodies that webhooks can have, by the name of their format. */
export const WEBHOOK_FORMATS = {
  standard,
  slack,
  teams,
  discord,
  ntfy,
  mattermost,
} as const satisfies Readonly<Record<string, WebhookFormatter>>;
export type WebhookFormat = keyof typeof WEBHOOK_FORMATS;
