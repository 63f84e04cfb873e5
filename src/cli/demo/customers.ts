import type { Plan } from '../../domain/license/catalog.ts';
import type { ComponentState } from '../demo-vulnerabilities.ts';

/** What happened to a site; the others are quiet. */
export type Story = 'quiet' | 'attacked' | 'overrun' | 'infected' | 'outdated' | 'stale' | 'silent';

export interface DemoSite {
  readonly domain: string;
  readonly story: Story;
  readonly components: ComponentState;
}

export interface DemoCustomer {
  readonly name: string;
  readonly email: string;
  readonly plan: Plan;
  /** Days since the license was issued. */
  readonly age: number;
  /** Days until it ends; negative = it has ended; left out = never. */
  readonly endsIn?: number;
  readonly state?: 'trial' | 'pending' | 'failed-payment' | 'dispute' | 'revoked';
  readonly sites: readonly DemoSite[];
}

/** Names below a domain that is reserved for examples (RFC 2606), each with its story after a colon, and its components after a slash. */
const sites = (names: string): readonly DemoSite[] =>
  names.split(' ').map((each) => {
    const [, name = '', story = 'quiet', components = 'current'] =
      /^([a-z-]+)(?::([a-z]+))?(?:\/([a-z]+))?$/.exec(each) ?? [];
    return { domain: `${name}.example.com`, story: story as Story, components: components as ComponentState };
  });

const customer = (
  name: string,
  plan: Plan,
  age: number,
  names: string,
  more: Partial<DemoCustomer> = {},
): DemoCustomer => ({
  name,
  plan,
  age,
  sites: sites(names),
  email: `it@${name.toLowerCase().replace(/[^a-z]+/g, '-')}.example`,
  ...more,
});

/** The customers of a fictional agency, in every state that a license can have. The first is shown in the portal. */
export const CUSTOMERS: readonly DemoCustomer[] = [
  customer(
    'Brightside Web',
    'enterprise',
    310,
    'stone-bakery:overrun/exploited glass-studio:attacked/minor dental-care:infected city-museum/exploited oak-bookshop/minor ' +
      'green-grocer:outdated old-mill/urgent river-hotel:attacked music-hall school-board:stale/minor garden-center yoga-loft',
  ),
  customer(
    'Weber Maschinen',
    'pro',
    280,
    'weber-parts:attacked/exploited weber-service weber-jobs:outdated/minor weber-dealers',
    { endsIn: 9 },
  ),
  customer(
    'Shopworks',
    'pro',
    260,
    'music-shop:infected/urgent toy-shop shoe-shop:attacked tea-shop:outdated pet-shop/minor bike-shop/exploited wine-shop',
  ),
  customer(
    'Green Valley',
    'pro',
    240,
    'green-valley:attacked valley-farm/minor valley-market valley-tours:silent valley-school',
  ),
  customer(
    'Nordlicht Studio',
    'pro',
    210,
    'nordlicht kiel-photo:outdated/exploited luebeck-tours ruegen-hotel:attacked sylt-rentals hafen-cafe/minor',
    { endsIn: 25 },
  ),
  customer('Ferraro Moda', 'starter', 190, 'ferraro-shop ferraro-outlet:attacked ferraro-blog'),
  customer('Harbor Dental', 'starter', 160, 'harbor-dental:outdated/urgent harbor-kids', {
    state: 'failed-payment',
  }),
  customer(
    'Casa Verde',
    'pro',
    140,
    'casa-verde casa-roma:attacked casa-milano/minor casa-torino:stale casa-napoli/exploited casa-genova casa-pisa',
  ),
  customer(
    'Pixel and Pine',
    'pro',
    120,
    'pixel-pine pine-lodge:silent/minor pine-cabins/urgent pine-events pine-trails pine-books',
  ),
  customer('Atelier Lune', 'starter', 100, 'atelier-lune lune-jewels:outdated', { state: 'dispute' }),
  customer('Oak Street Bookshop', 'starter', 400, 'oak-street oak-events', { endsIn: -12 }),
  customer('Copper Kettle', 'starter', 370, 'copper-kettle', { state: 'revoked' }),
  customer('Little Lighthouse', 'pro', 8, 'little-lighthouse lighthouse-cafe', { state: 'trial', endsIn: 6 }),
  customer('Blue Heron', 'pro', 0, 'blue-heron', { state: 'pending', endsIn: 14 }),
];
