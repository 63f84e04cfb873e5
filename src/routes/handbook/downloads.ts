import php from '../../../docs/clients/redoubt-client.php' with { type: 'text' };
import * as typescript from '../../../docs/clients/redoubt-client.ts' with { type: 'text' };
import shop from '../../../docs/clients/redoubt-shop.php' with { type: 'text' };
import siteCheck from '../../../docs/clients/redoubt-site-check.php' with { type: 'text' };
import verifyPhp from '../../../docs/clients/redoubt-verify.php' with { type: 'text' };
import shell from '../../../docs/clients/redoubt-verify.sh' with { type: 'text' };
import * as verifyTypescript from '../../../docs/clients/redoubt-verify.ts' with { type: 'text' };
import * as vectors from '../../../docs/clients/vectors.json' with { type: 'text' };
import compose from '../../../docs/integrations/containers/compose.yaml' with { type: 'text' };
import composePostgresql from '../../../docs/integrations/containers/compose-postgresql.yaml' with {
  type: 'text',
};
import kubernetes from '../../../docs/integrations/containers/kubernetes.yaml' with { type: 'text' };
import quadlet from '../../../docs/integrations/containers/redoubt.container' with { type: 'text' };
import haproxy from '../../../docs/scaling/haproxy.cfg' with { type: 'text' };
import nginx from '../../../docs/scaling/nginx.conf' with { type: 'text' };
import type { DownloadPath } from './addresses.ts';

/** tsc takes a file in its own language for code, whatever it is imported as. */
const textOf = (module: object) => (module as { readonly default: string }).default;

/** The files that pages of the handbook offer, as text by their path in `docs/`. */
export const DOWNLOADS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'clients/redoubt-client.php': php,
    'clients/redoubt-shop.php': shop,
    'clients/redoubt-site-check.php': siteCheck,
    'clients/redoubt-client.ts': textOf(typescript),
    'clients/redoubt-verify.php': verifyPhp,
    'clients/redoubt-verify.ts': textOf(verifyTypescript),
    'clients/redoubt-verify.sh': shell,
    'clients/vectors.json': textOf(vectors),
    'integrations/containers/redoubt.container': quadlet,
    'integrations/containers/compose.yaml': compose,
    'integrations/containers/compose-postgresql.yaml': composePostgresql,
    'integrations/containers/kubernetes.yaml': kubernetes,
    'scaling/nginx.conf': nginx,
    'scaling/haproxy.cfg': haproxy,
  } satisfies Record<DownloadPath, string>),
);
