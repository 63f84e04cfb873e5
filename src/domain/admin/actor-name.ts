/** What a token or an operator may be called. No two names look alike, and an actor, such as `token:<name>`, has one colon. */
export const ACTOR_NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/;
export const ACTOR_NAME_RULE =
  'must have 1 to 40 characters of a-z, 0-9, ".", "_" and "-", and start with a letter or digit';
