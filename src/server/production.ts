// Outside production, Elysia describes a body that fails its schema in full and turns the caller's values into text.
// That costs more than the check, and fails for `{"toString": 1}`. It asks once, when it is first imported.
Object.assign(process.env, { NODE_ENV: 'production' });
