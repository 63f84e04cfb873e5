import { describe, expect, test } from 'bun:test';
import { componentOfPurl } from '../../../src/mirror/formats/purl.ts';
import { csafVex, openVex, read, refusalOf, vexStatement } from '../../support/feeds.ts';

const product = (id: string, purl?: string) => ({
  product_id: id,
  name: id,
  ...(purl ? { product_identification_helper: { purl } } : {}),
});

const VEX = { status: 'not_affected', justification: 'vulnerable_code_not_in_execute_path' };

test('a document of OpenVEX gives a statement for each product and name of the vulnerability', async () => {
  const { facts, summary } = await read(openVex());
  const common = { ...VEX, kind: 'vex', impact: 'The path is constant', ecosystem: 'npm' };
  expect(facts).toMatchObject([
    { ...common, cve: 'CVE-2026-1000', name: 'left-pad', version: '1.2.0' },
    { ...common, cve: 'GHSA-aaaa-bbbb-cccc', name: 'left-pad', version: '1.2.0' },
    { ...common, cve: 'CVE-2026-1000', name: '@scope/right-pad', version: '2.0.0' },
    { ...common, cve: 'GHSA-aaaa-bbbb-cccc', name: '@scope/right-pad', version: '2.0.0' },
  ]);
  expect(summary).toMatchObject({ source: 'openvex', records: 1, refused: 0 });
});

test('a document of CSAF gives statements by its statuses, flags and threats, with versions of its branches', async () => {
  const { facts, summary } = await read(csafVex());
  const common = { kind: 'vex', document: 'SUPPLIER-2026-1', cve: 'CVE-2026-1000', ecosystem: 'npm' };
  expect(facts).toMatchObject([
    {
      ...common,
      version: '1.2.0',
      status: 'not_affected',
      justification: 'vulnerable_code_not_present',
      impact: 'Not compiled in',
    },
    { ...common, version: '1.3.0', status: 'affected', justification: null, impact: '' },
  ]);
  expect(summary).toMatchObject({ source: 'csaf', records: 1, refused: 0 });
});

test.each([
  ['pkg:npm/left-pad@1.2.0', ['npm', 'left-pad', '1.2.0', false]],
  ['pkg:npm/@Scope/pad@1.0.0', ['npm', '@scope/pad', '1.0.0', false]],
  ['pkg:pypi/Zope.Interface@5', ['pypi', 'zope-interface', '5', false]],
  ['pkg:wordpress/plugins/contact-us@1.2', ['wordpress-plugin', 'contact-us', '1.2', false]],
  ['pkg:composer/wpackagist-theme/astra@4', ['wordpress-theme', 'astra', '4', false]],
  [
    'pkg:deb/debian/curl@7.88.1-10%2Bdeb12u5?arch=source&distro=bookworm',
    ['debian:12', 'curl', '7.88.1-10+deb12u5', false],
  ],
  [
    'pkg:deb/ubuntu/openssl@1.1.1f-1ubuntu2?arch=source&distro=focal',
    ['ubuntu:20.04', 'openssl', '1.1.1f-1ubuntu2', false],
  ],
  ['pkg:deb/debian/curl?arch=amd64&distro=debian-12', ['debian:12', 'curl', null, true]],
  ['pkg:deb/debian/curl@1', ['debian', 'curl', '1', false]],
  ['pkg:npm/%40scope%2Fpad@1.0.0', ['npm', '@scope/pad', '1.0.0', false]],
  ['pkg:npm/left-pad@1.2.0?vcs_url=git%2Bhttps://x.example', ['npm', 'left-pad', '1.2.0', true]],
  ['pkg:npm/left-pad@1.2.0#lib', ['npm', 'left-pad', '1.2.0', true]],
  ['pkg:npm/__proto__@1', ['npm', '__proto__', '1', false]],
  ['pkg:deb/debian/curl@1?distro=sid', undefined],
  ['pkg:wordpress/contact-us', undefined],
  ['pkg:maven/org.example/x@1', undefined],
  ['pkg:npm/%E0%A4%A@1', undefined],
  ['pkg:npm/%00@1', undefined],
  ['pkg:npm/', undefined],
  [`pkg:npm/${'x'.repeat(2_000)}`, undefined],
  ['npm/left-pad', undefined],
] as const)('the package URL %s names %j', (purl, expected) => {
  const found = componentOfPurl(purl);
  const named = found && [found.ecosystem, found.name, found.version, found.isPart];
  expect<unknown>(named).toEqual(expected);
});

describe('a statement that a product is not affected', () => {
  const stated = async (product: unknown) =>
    (await read([openVex(), openVex({ statements: [vexStatement({ products: [product] })] })])).facts.slice(
      4,
    );
  test.each([
    ['of one binary package', 'pkg:deb/debian/curl@7.88.1?arch=amd64&distro=bookworm'],
    ['of all versions in all releases of a distribution', 'pkg:deb/debian/curl'],
    ['of an ecosystem that is not supported', 'pkg:maven/org.example/x@1'],
    ['of a product without package URL', { '@id': 'https://example.org/product' }],
    ['of one platform', 'pkg:npm/left-pad@1.2.0?arch=arm64'],
    ['of a build in a private registry', 'pkg:npm/left-pad@1.2.0?repository_url=https://npm.example.com'],
    ['of one file of a release', 'pkg:pypi/left-pad@1.2.0?file_name=left_pad-1.2.0-py3-none-any.whl'],
    ['of a part of a package', 'pkg:npm/left-pad@1.2.0#lib/pad'],
    ['of a subcomponent', { '@id': 'urn:x', subcomponents: [{ '@id': 'pkg:npm/left-pad@1.2.0' }] }],
  ])('%s is not one of the component', async (_, product) => {
    expect(await stated(product)).toEqual([]);
  });

  const branch = (category: string, name: string, more: object) => ({ category, name, ...more });
  const statedIn = async (status: string, tree: object) => {
    const vulnerability = { product_status: { [status]: ['p'] }, flags: [], threats: [IMPACT] };
    const document = csafVex({
      tracking: { id: 'X-2' },
      tree: { product_groups: [], ...tree },
      vulnerability,
    });
    return (await read([csafVex(), document])).facts.slice(2);
  };
  const IMPACT = { category: 'impact', details: 'Not compiled in' };
  const PAD = { product: product('p', 'pkg:npm/left-pad') };

  test.each([
    'architecture',
    'host_name',
    'language',
    'patch_level',
    'service_pack',
    'specification',
    'a category of its own',
  ])(
    'of a version with a branch of the category %s above or below it does not apply to the whole version',
    async (category) => {
      const version = (more: object) => branch('product_version', '1.2.0', more);
      for (const found of [
        version({ branches: [branch(category, 'x', PAD)] }),
        branch(category, 'x', { branches: [version(PAD)] }),
      ]) {
        expect(await statedIn('known_not_affected', { branches: [found] })).toEqual([]);
        expect(await statedIn('known_affected', { branches: [found] })).toMatchObject([{ name: 'left-pad' }]);
      }
    },
  );

  test.each(['vendor', 'product_family', 'product_name', 'legacy'])(
    'of a version below a branch of the category %s applies to the version',
    async (category) => {
      const version = branch('product_version', '1.2.0', PAD);
      const tree = { branches: [branch(category, 'x', { branches: [version] })] };
      expect(await statedIn('known_not_affected', tree)).toMatchObject([
        { name: 'left-pad', version: '1.2.0' },
      ]);
    },
  );

  test('of a component inside another product does not apply elsewhere, but a statement that it is affected does', async () => {
    const part = {
      category: 'default_component_of',
      product_reference: 'x',
      relates_to_product_reference: 'y',
      full_product_name: product('p', 'pkg:npm/left-pad@1.2.0'),
    };
    expect(await statedIn('known_not_affected', { relationships: [part] })).toEqual([]);
    expect(await statedIn('known_affected', { relationships: [part] })).toMatchObject([{ version: '1.2.0' }]);
  });

  test('of a range of versions is passed over, and one that they are affected is about all versions', async () => {
    const range = (status: string) => {
      const branch = {
        category: 'product_version_range',
        name: 'vers:npm/<1.3.0',
        product: { product_id: 'p', product_identification_helper: { purl: 'pkg:npm/left-pad' } },
      };
      return csafVex({
        tree: { branches: [branch], product_groups: [] },
        vulnerability: { product_status: { [status]: ['p'] }, flags: [] },
      });
    };
    expect((await read([csafVex(), range('known_not_affected')])).facts).toHaveLength(2);
    expect((await read(range('known_affected'))).facts).toMatchObject([
      { version: null, status: 'affected' },
    ]);
  });
});

/** Each is the second of two documents. */
const OPENVEX: Readonly<Record<string, readonly [fields: object, reason: string]>> = {
  'without an id': [{ '@id': 7 }, 'has no usable document id'],
  'with a huge id': [{ '@id': 'x'.repeat(600) }, 'has no usable document id'],
  'without a date': [{ timestamp: 'yesterday' }, 'has no valid date'],
  'of next year': [{ timestamp: '2027-10-08T18:02:03Z' }, 'is dated in the future'],
  'with statements that are not a list': [{ statements: {} }, 'has statements that are not a list'],
  'with a statement that is a text': [{ statements: ['x'] }, 'has statements that are not objects'],
  'with another status': [{ statements: [vexStatement({ status: 'safe' })] }, 'without a known status'],
  'without a vulnerability': [
    { statements: [vexStatement({ vulnerability: {} })] },
    'has a statement without the id of a vulnerability',
  ],
  'with a justification of its own': [
    { statements: [vexStatement({ justification: 'trust_me' })] },
    'has an unknown justification',
  ],
  'without any justification': [
    { statements: [vexStatement({ justification: undefined, impact_statement: ' ' })] },
    'calls a product not affected without a justification',
  ],
  'with products that are not a list': [
    { statements: [vexStatement({ products: 'pkg:npm/x' })] },
    'has products that are not a list',
  ],
  'with too many statements': [
    { statements: Array.from({ length: 5_001 }, () => ({})) },
    'has more than 5000 statements',
  ],
  'with too many products': [
    { statements: [vexStatement({ products: Array.from({ length: 5_001 }, () => 'x') })] },
    'has more than 5000 products',
  ],
  'that states too much': [
    {
      statements: Array.from({ length: 30 }, () =>
        vexStatement({ products: Array.from({ length: 1_000 }, (_, at) => `pkg:npm/x${at}`) }),
      ),
    },
    'has more than 50000 statements',
  ],
};

test.each(Object.entries(OPENVEX))(
  'a document of OpenVEX %s is refused alone',
  async (_, [fields, reason]) => {
    const { facts, summary } = await read([openVex(), openVex({ '@id': 'urn:2', ...fields })]);
    expect([facts.filter(({ kind }) => kind === 'vex').length, summary.refused]).toEqual([4, 1]);
    expect(summary.refusals[0]?.reason).toContain(reason);
  },
);

const deep = (levels: number): object =>
  levels === 0
    ? { category: 'product_name', name: 'x', product: product('p', 'pkg:npm/x@1') }
    : { category: 'vendor', name: 'x', branches: [deep(levels - 1)] };
const manyIds = (count: number) => Array.from({ length: count }, (_, at) => `p${at}`);

const CSAF: Readonly<Record<string, readonly [document: object, reason: string]>> = {
  'of another category': [
    { ...csafVex(), document: { ...(csafVex().document as object), category: 'csaf_security_advisory' } },
    'is not of the category csaf_vex',
  ],
  'of another version': [
    { ...csafVex(), document: { category: 'csaf_vex', csaf_version: '1.2' } },
    'is not a document of CSAF 2.0',
  ],
  'that is a draft': [csafVex({ tracking: { status: 'draft' } }), 'is a draft'],
  'without an id': [csafVex({ tracking: { id: null } }), 'has no usable document id'],
  'without a date': [csafVex({ tracking: { current_release_date: 7 } }), 'has no valid release date'],
  'whose branches are a text': [csafVex({ tree: { branches: 'x' } }), 'has branches that are not a list'],
  'whose products have one id': [
    csafVex({ tree: { full_product_names: [product('x'), product('x')] } }),
    'has two products of one id',
  ],
  'with too many products': [
    csafVex({ tree: { full_product_names: manyIds(20_001).map((id) => product(id)) } }),
    'has more than 20000 products',
  ],
  'that says both of a product': [
    csafVex({
      vulnerability: {
        product_status: { known_not_affected: ['left-pad-1.2.0'], fixed: ['left-pad-1.2.0'] },
      },
    }),
    'gives a product two statuses',
  ],
  'with a flag that is none': [
    csafVex({ vulnerability: { flags: [{ label: 'x', product_ids: ['left-pad-1.2.0'] }] } }),
    'has an unknown justification',
  ],
  'with a version of 200 characters': [
    csafVex({ tree: { branches: [{ category: 'product_version', name: '1'.repeat(200) }] } }),
    'has a version that is not a text of valid length',
  ],
  'without flags and impact': [
    csafVex({ vulnerability: { flags: [], threats: [] } }),
    'calls a product not affected without a justification',
  ],
  'that names a huge group again and again': [
    csafVex({
      tree: { product_groups: [{ group_id: 'all', product_ids: manyIds(2_000) }] },
      vulnerability: { flags: Array.from({ length: 600 }, () => ({ label: 'x', group_ids: ['all'] })) },
    }),
    'names its product groups too often',
  ],
};

test.each(Object.entries(CSAF))('a document of CSAF %s is refused alone', async (_, [document, reason]) => {
  const { facts, summary } = await read([csafVex(), document]);
  expect([facts.filter(({ kind }) => kind === 'vex').length, summary.refused]).toEqual([2, 1]);
  expect(summary.refusals[0]?.reason).toContain(reason);
});

test('a product tree whose relationships lead in a circle is read, and no part is taken for the whole', async () => {
  const relation = (id: string, reference: string, to: string) => ({
    category: 'default_component_of',
    product_reference: reference,
    relates_to_product_reference: to,
    full_product_name: product(id),
  });
  const document = csafVex({
    tracking: { id: 'X-2' },
    tree: { relationships: [relation('a', 'b', 'a'), relation('b', 'a', 'left-pad-1.2.0')] },
    vulnerability: { product_status: { known_not_affected: ['a', 'b'] } },
  });
  const { facts, summary } = await read([csafVex(), document]);
  expect([facts.length, summary.records, summary.skipped]).toEqual([2, 1, 1]);
});

test('a product tree of 20 levels is read, and one that is deeper than any record is refused with its file', async () => {
  const document = (levels: number) =>
    csafVex({
      tree: { branches: [deep(levels)], product_groups: [] },
      vulnerability: { product_status: { known_not_affected: ['p'] }, flags: [] },
    });
  expect((await read(document(20))).facts).toMatchObject([{ name: 'x', version: '1' }]);
  expect(await refusalOf(document(100))).toEqual(['malformed', expect.any(String)]);
});

test('a document that is larger than a record may be is refused with its file', async () => {
  const huge = openVex({ statements: [vexStatement({ impact_statement: 'x'.repeat(4 * 1_024 * 1_024) })] });
  expect(await refusalOf(huge)).toEqual(['too_large', expect.any(String)]);
});
