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

/** A product of a document, as far as it can be found in inventories. */
export interface CsafProduct {
  readonly purls: readonly string[];
  /** That of its branch; null = the branch names none, undefined = it names a range or a part of a version, which is not read. */
  readonly version: string | null | undefined;
  /** Whether it is a component in another product. */
  readonly isPart: boolean;
}

/** All products of a document, and the groups that it makes of them. */
export interface CsafProducts {
  readonly products: ReadonlyMap<string, CsafProduct>;
  readonly groups: ReadonlyMap<string, readonly string[]>;
}

interface Branch {
  readonly branch: JsonObject;
  readonly version: CsafProduct['version'];
}

/**
 * Reads a product tree. A relationship, such as a component that is installed on a system, is a part: a statement about a part
 * in one product does not apply to the part elsewhere. References are not followed, so there are no cycles.
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

/** Branches that do not narrow a version. All others, such as architectures and patch levels, do, or name a range. */
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
