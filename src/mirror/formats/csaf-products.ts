import {
  bounded,
  entriesIn,
  type JsonObject,
  objectIn,
  RECORD_BOUNDS,
  RecordRefused,
  textOr,
  textsIn,
  versionIn,
} from './fields.ts';
import { purlsIn } from './vex.ts';

/** A product of a document, reduced to the fields that match inventories. */
export interface CsafProduct {
  readonly purls: readonly string[];
  /** Version of its branch; null = none, undefined = a range or a part of a version, which is not supported. */
  readonly version: string | null | undefined;
  /** Whether it is a component of another product. */
  readonly isPart: boolean;
}

export interface CsafProducts {
  readonly products: ReadonlyMap<string, CsafProduct>;
  readonly groups: ReadonlyMap<string, readonly string[]>;
}

interface Branch {
  readonly branch: JsonObject;
  readonly version: CsafProduct['version'];
}

/**
 * Reads a product tree. A relationship, such as a component installed on a system, counts as a part: statements about a part of
 * one product do not apply to it elsewhere. References are not followed, so there are no cycles.
 *
 * @throws RecordRefused
 */
export function productsIn(tree: JsonObject): CsafProducts {
  const products = new Map<string, CsafProduct>();
  const add = (product: unknown, version: CsafProduct['version'], isPart = false) => {
    const { product_id: id, product_identification_helper: helper } = objectIn(product);
    if (typeof id !== 'string') return;
    if (products.has(id)) throw new RecordRefused('has two products of one id');
    products.set(id, { purls: purlsIn(objectIn(helper).purl), version, isPart });
    if (products.size > RECORD_BOUNDS.versions)
      throw new RecordRefused(`has more than ${RECORD_BOUNDS.versions} products`);
  };
  for (const product of entriesIn(tree.full_product_names, 'products')) add(product, null);
  for (const relationship of entriesIn(tree.relationships, 'relationships'))
    add(relationship.full_product_name, null, true);
  const waiting: Branch[] = [];
  const push = (branches: unknown, version: CsafProduct['version']) => {
    for (const branch of entriesIn(branches, 'branches')) waiting.push({ branch, version });
  };
  push(tree.branches, null);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const version = versionOf(next);
    add(next.branch.product, version);
    push(next.branch.branches, version);
  }
  return { products, groups: groupsIn(tree) };
}

/** Branches that do not narrow the version. All others, such as architectures and patch levels, narrow it or are ranges. */
const OTHER_CATEGORIES: readonly unknown[] = ['vendor', 'product_family', 'product_name', 'legacy'];

function versionOf({ branch: { category, name }, version }: Branch): CsafProduct['version'] {
  if (version === undefined) return undefined;
  if (category === 'product_version') return versionIn(name) || undefined;
  return OTHER_CATEGORIES.includes(category) ? version : undefined;
}

const groupsIn = ({ product_groups: groups }: JsonObject): CsafProducts['groups'] =>
  new Map(
    bounded(entriesIn(groups, 'product groups'), RECORD_BOUNDS.affected, 'product groups').map(
      ({ group_id: id, product_ids: ids }) => [textOr(id, ''), textsIn(ids)],
    ),
  );
