export { bearerRoute } from './bearer-route.ts';
export { created, shared } from './created.ts';
export { jsonBody, pluginBody, uncheckedBody } from './json-body.ts';
export { openRoute } from './open-route.ts';
export { pathParameter } from './path-params.ts';
export { queryOf } from './query-rules.ts';
