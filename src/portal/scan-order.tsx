/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import type { Refusal, RefusalCode } from '../domain/refusal.ts';
import { SCAN_TYPES } from '../domain/scan/scan.ts';
import { newOpaqueId } from '../lib/opaque-id.ts';
import { Choice } from '../pages/form.tsx';
import { PLACES } from './places.ts';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.scans;
const REFUSED: Readonly<Partial<Record<RefusalCode, string>>> = WORDS.refused;

/** Refusals that the form shows. */
export const ORDER_REFUSALS = Object.keys(REFUSED) as RefusalCode[];

export interface TriedOrder {
  readonly site: string;
  readonly type: string;
  readonly refusal: Refusal;
}

const OrderProblem = ({ site, refusal: { refused, message } }: TriedOrder) => (
  <p class="notice bad" role="alert">
    {REFUSED[refused] ?? message}
    {refused === 'DOMAIN_NOT_VERIFIED' ? (
      <Fragment>
        {' '}
        <a href={`${PLACES.sites.path}/${site}#control`}>{WORDS.prove}</a>
      </Fragment>
    ) : null}
  </p>
);

/** The form that orders a scan. */
export const OrderCard = ({
  sites,
  chosen,
  tried,
}: {
  readonly sites: readonly (readonly [id: string, url: string])[];
  readonly chosen: string | undefined;
  readonly tried: TriedOrder | undefined;
}) => (
  <div class="cards">
    <section class="card wide">
      <h2>{WORDS.order}</h2>
      {tried === undefined ? null : <OrderProblem {...tried} />}
      {sites.length === 0 ? (
        <p class="quiet">{WORDS.noSite}</p>
      ) : (
        <form method="post" action={PLACES.scans.path} class="form roomy">
          <input type="hidden" name="once" value={newOpaqueId()} />
          <Choice label={WORDS.site} name="site" value={chosen} of={sites} />
          <fieldset>
            <legend>{WORDS.type}</legend>
            {SCAN_TYPES.map((type) => (
              <label class="check">
                <input
                  type="radio"
                  name="scan_type"
                  value={type}
                  checked={type === (tried?.type ?? 'posture')}
                  required
                />
                <span>
                  <strong>{WORDS.types[type]}</strong>
                  {`: ${WORDS.about[type]}`}
                </span>
              </label>
            ))}
          </fieldset>
          <button type="submit">{WORDS.submit}</button>
        </form>
      )}
    </section>
  </div>
);
