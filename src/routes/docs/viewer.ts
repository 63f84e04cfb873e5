import style from 'swagger-ui-dist/swagger-ui.css' with { type: 'text' };
import script from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'text' };

/** Swagger UI, more than a megabyte; loaded on first request. */
export const VIEWER = { script, style } as const;
