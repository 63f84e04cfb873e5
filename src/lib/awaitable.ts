/** A value that may be available synchronously. Awaiting it only when needed saves a turn of the event loop. */
export type Awaitable<Value> = Value | Promise<Value>;
