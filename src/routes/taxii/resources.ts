import {
  COLLECTION_NAMES,
  type CollectionName,
  collectionResource,
  TAXII_MEDIA_TYPE,
} from '../../domain/threat/taxii.ts';
import { type Representations, represent } from '../../http/representations.ts';

/** The path of the only API root, relative to the discovery resource. */
export const ROOT = 'feed/';

/** The minimum that the standard allows; objects cannot be added. */
const CONTENT_BYTES_MAX = 1;

const HEADERS = { 'content-type': TAXII_MEDIA_TYPE, 'cache-control': 'private, no-cache' };
const resource = (content: object): Promise<Representations> => represent(JSON.stringify(content), HEADERS);

/**
 * The discovery resource (TAXII 2.1, 4.1).
 *
 * @param address URL of this resource
 */
export const discovery = (address: string): Promise<Representations> =>
  resource({
    title: 'Redoubt threat feed',
    description: 'Threats that several customers reported, without identities',
    default: address + ROOT,
    api_roots: [address + ROOT],
  });

/** The API root (4.2). */
export const apiRoot = (): Promise<Representations> =>
  resource({ title: 'Threat feed', versions: [TAXII_MEDIA_TYPE], max_content_length: CONTENT_BYTES_MAX });

/** All collections (5.1). */
export const collections = (): Promise<Representations> =>
  resource({ collections: COLLECTION_NAMES.map(collectionResource) });

/** A collection (5.2). */
export const collection = (name: CollectionName): Promise<Representations> =>
  resource(collectionResource(name));
