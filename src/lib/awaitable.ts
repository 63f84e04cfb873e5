/** What may be there already: `await` gives it either way, and costs no turn of the event loop where it is. */
export type Awaitable<Value> = Value | Promise<Value>;
