-- Statuses in our own words, as src/outside/stripe/statuses.ts has them; what is unknown goes to the safe side.
UPDATE `subscriptions` SET `status` = CASE `status`
    WHEN 'active' THEN 'paid'
    WHEN 'trialing' THEN 'paid'
    WHEN 'past_due' THEN 'past_due'
    WHEN 'canceled' THEN 'ended'
    WHEN 'incomplete' THEN 'awaited'
    WHEN 'incomplete_expired' THEN 'abandoned'
    ELSE 'unpaid' END;--> statement-breakpoint
UPDATE `disputes` SET `status` = CASE `status`
    WHEN 'won' THEN 'settled'
    WHEN 'warning_closed' THEN 'settled'
    WHEN 'prevented' THEN 'settled'
    WHEN 'lost' THEN 'lost'
    ELSE 'open' END;
