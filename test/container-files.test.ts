import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../package.json';
import { unknownSettings } from '../src/settings/config.ts';
import { IMAGE_EXECUTABLE, IMAGE_USER, IMAGE_VOLUME } from '../tools/release/image/root.ts';

// The files that docs/containers.md offers are well-formed and request only what the image needs.

const textOf = (name: string) =>
  readFileSync(join(import.meta.dir, '../docs/integrations/containers', name), 'utf8');
const yamlOf = (name: string) => Bun.YAML.parse(textOf(name));
const HEALTHY = [IMAGE_EXECUTABLE, 'healthy'];

/** Settings in a file must exist, and the service must publish a security contact. */
function expectSettings(environment: Readonly<Record<string, string>>): void {
  expect(unknownSettings(environment)).toEqual([]);
  expect(environment).toMatchObject({
    SERVICE_BASE_URL: expect.stringMatching(/^https:/),
    SERVICE_SECURITY_CONTACT: expect.stringContaining('@'),
  });
}

interface Compose {
  readonly services: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly volumes: Readonly<Record<string, null>>;
}

test.each(['compose.yaml', 'compose-postgresql.yaml'])('%s starts the image without privileges', (name) => {
  const { services, volumes } = yamlOf(name) as Compose;
  const used = Object.values(services).flatMap((service) => service.volumes as string[]);
  expect([...new Set(used.map((volume) => volume.split(':')[0]))].sort()).toEqual(
    Object.keys(volumes).sort(),
  );
  expectSettings(services.redoubt?.environment as Record<string, string>);
  // Last, because it replaces the text that it compares.
  expect(services.redoubt).toMatchObject({
    image: `localhost/redoubt:${version}`,
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    ports: ['127.0.0.1:8080:8080'],
    volumes: expect.arrayContaining([`data:${IMAGE_VOLUME}`]),
    healthcheck: { test: ['CMD', ...HEALTHY] },
  });
});

interface Manifest {
  readonly kind: string;
  readonly spec: Readonly<Record<string, unknown>>;
}

test('kubernetes.yaml satisfies the Pod Security Standard "restricted", with the volume as its group', () => {
  const [service, set] = yamlOf('kubernetes.yaml') as [Manifest, Manifest];
  expect([service.kind, set.kind]).toEqual(['Service', 'StatefulSet']);
  const { template, volumeClaimTemplates } = set.spec as {
    template: Manifest;
    volumeClaimTemplates: unknown;
  };
  const [{ env }] = template.spec.containers as [{ env: { name: string; value: string }[] }];
  expectSettings(Object.fromEntries(env.map(({ name, value }) => [name, value])));
  expect(template.spec).toMatchObject({
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: IMAGE_USER,
      fsGroup: IMAGE_USER,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [
      {
        image: `registry.example.com/redoubt:${version}`,
        securityContext: {
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [{ name: 'data', mountPath: IMAGE_VOLUME }],
        readinessProbe: { httpGet: { path: '/readyz', port: 'http' } },
      },
    ],
  });
  expect(volumeClaimTemplates).toMatchObject([{ metadata: { name: 'data' } }]);
});

test('redoubt.container starts the image without privileges', () => {
  const lines = textOf('redoubt.container').split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      `Image=localhost/redoubt:${version}`,
      `Volume=redoubt:${IMAGE_VOLUME}`,
      'ReadOnly=true',
      'DropCapability=all',
      'NoNewPrivileges=true',
      `HealthCmd=${JSON.stringify(HEALTHY).replace(',', ', ')}`,
    ]),
  );
  const settings = lines.flatMap((line) => /^Environment=(\w+)=(.*)$/.exec(line)?.slice(1, 3) ?? []);
  expectSettings(Object.fromEntries([settings.slice(0, 2), settings.slice(2, 4)]));
});
