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
import acquis from '../../../docs/integrations/crowdsec/acquis.yaml' with { type: 'text' };
import parser from '../../../docs/integrations/crowdsec/parser.yaml' with { type: 'text' };
import scenario from '../../../docs/integrations/crowdsec/scenario.yaml' with { type: 'text' };
import filter from '../../../docs/integrations/fail2ban/filter.conf' with { type: 'text' };
import jail from '../../../docs/integrations/fail2ban/jail.conf' with { type: 'text' };
import * as dashboard from '../../../docs/integrations/grafana/redoubt.json' with { type: 'text' };
import ruleTests from '../../../docs/integrations/prometheus/redoubt.rules.test.yml' with { type: 'text' };
import rules from '../../../docs/integrations/prometheus/redoubt.rules.yml' with { type: 'text' };
import haproxy from '../../../docs/scaling/haproxy.cfg' with { type: 'text' };
import nginx from '../../../docs/scaling/nginx.conf' with { type: 'text' };
import type { DownloadPath } from './addresses.ts';

/** For tsc, the type of a TypeScript or JSON file imported as text is that of the module, not a string. */
const textOf = (module: object) => (module as { readonly default: string }).default;

/** Contents of the downloads, by their path in `docs/`. */
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
    'integrations/prometheus/redoubt.rules.yml': rules,
    'integrations/prometheus/redoubt.rules.test.yml': ruleTests,
    'integrations/grafana/redoubt.json': textOf(dashboard),
    'integrations/fail2ban/filter.conf': filter,
    'integrations/fail2ban/jail.conf': jail,
    'integrations/crowdsec/acquis.yaml': acquis,
    'integrations/crowdsec/parser.yaml': parser,
    'integrations/crowdsec/scenario.yaml': scenario,
  } satisfies Record<DownloadPath, string>),
);
