/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { Fragment } from 'hono/jsx';
import { CREDENTIAL_STATUSES } from '../domain/credential/credential.ts';
import { isRefusal, refuse } from '../domain/refusal.ts';
import { getAt } from '../http/route/endpoint.ts';
import { Choice, FilterBar } from '../pages/form.tsx';
import { More, Problem } from '../pages/html.tsx';
import { addressOf, filtersOf } from '../pages/query.ts';
import { TableCard } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import type { CredentialDetail, CredentialList } from '../routes/credentials.ts';
import { ask, askList, idOf } from './ask.ts';
import { answerText } from './download.ts';
import { PLACES } from './places.ts';
import { page } from './session.ts';
import { showPlace } from './show-page.tsx';
import { namesOf, type SiteNames } from './site-names.ts';
import { TEXTS } from './texts.ts';
import type { PortalParts, Visit } from './visit.ts';

const WORDS = TEXTS.evidence;
const PATH = `${PLACES.evidence.path}/credentials`;
const PER_PAGE = '50';
const NEWEST = '5';

type Credentials = Static<typeof CredentialList>;
type Credential = Static<typeof CredentialDetail>;

const CredentialTable = ({
  found: { credentials, next_cursor: cursor },
  names,
}: {
  found: Credentials;
  names: SiteNames;
}) => (
  <TableCard
    label={WORDS.credentials}
    none={cursor === null ? WORDS.none : WORDS.goOn}
    columns={Object.values(WORDS.credentialColumns)}
    rows={credentials.map((each) => [
      WORDS.types[each.type],
      each.site_id === null ? '' : (names.get(each.site_id) ?? each.site_id),
      WORDS.statuses[each.status],
      <Time at={Date.parse(each.issued_at)} />,
      <Time at={Date.parse(each.expires_at)} />,
      each.credential === null ? null : (
        <a href={`${PATH}/${each.credential_id}/download`}>{WORDS.download}</a>
      ),
    ])}
  >
    <p class="quiet">{WORDS.credentialsAbout}</p>
  </TableCard>
);

/** The newest credentials, with a link to all. */
export async function newestCredentials(parts: PortalParts, visit: Visit, names: SiteNames) {
  const found = await ask<Credentials>(parts, visit, addressOf('/credentials', { limit: NEWEST }));
  return (
    <Fragment>
      <CredentialTable found={found} names={names} />
      <p class="wide">
        <a href={PATH}>{WORDS.allCredentials}</a>
      </p>
    </Fragment>
  );
}

/** Pages that list and download the credentials of a license. */
export const credentialPages = (parts: PortalParts) => {
  const list = async (visit: Visit) => {
    const { cursor, ...filters } = filtersOf(visit.request, ['status', 'cursor']);
    const path = addressOf('/credentials', { ...filters, limit: PER_PAGE, cursor });
    const found = await askList<Credentials>(parts, visit, path);
    const ids = isRefusal(found) ? [] : found.credentials.map(({ site_id }) => site_id);
    const names = await namesOf(parts, visit, ids);
    return showPlace(
      visit,
      PLACES.evidence,
      <Fragment>
        <Problem text={isRefusal(found) ? found.message : undefined} />
        <FilterBar action={PATH}>
          <Choice
            label={WORDS.status}
            name="status"
            value={filters.status}
            of={CREDENTIAL_STATUSES.map((status) => [status, WORDS.statuses[status]] as const)}
            none={TEXTS.none}
          />
        </FilterBar>
        {isRefusal(found) ? null : (
          <Fragment>
            <CredentialTable found={found} names={names} />
            <More
              href={
                found.next_cursor === null
                  ? undefined
                  : addressOf(PATH, { ...filters, cursor: found.next_cursor })
              }
            />
          </Fragment>
        )}
      </Fragment>,
      { title: WORDS.credentials, refused: isRefusal(found) ? found.refused : undefined },
    );
  };

  const download = async (visit: Visit) => {
    const path = `/credentials/${idOf(visit.params.credentialId)}`;
    const { credential_id: id, credential: text } = await ask<Credential>(parts, visit, path);
    if (text === null) throw refuse('CREDENTIAL_NOT_FOUND', WORDS.gone);
    return answerText(visit, { name: `${id}.jwt`, type: 'application/vc+jwt', text });
  };

  return [getAt(PATH, page(parts, list)), getAt(`${PATH}/:credentialId/download`, page(parts, download))];
};
