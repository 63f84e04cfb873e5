// Outside production, Elysia describes invalid bodies in full, converting the caller's values to text. That costs more than
// the check, and fails for `{"toString": 1}`. Elysia reads this variable once, when it is imported.
Object.assign(process.env, { NODE_ENV: 'production' });
