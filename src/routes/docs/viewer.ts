import style from 'swagger-ui-dist/swagger-ui.css' with { type: 'text' };
import script from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'text' };

/** What shows the contract in a browser: more than a megabyte, loaded when it is asked for. */
export const VIEWER = { script, style } as const;
