import { type LinkGroup, type LinkRow, type Source, hasOwnRoute, sources } from '@sheaf/contract';
import { isOfOrganisation } from './rows.ts';

/** What the address `/links/{type}` or `/link/auth/{form}` asks for. */
export type Wanted =
  /** A type with a dialog. */
  | { readonly kind: 'source'; readonly source: Source }
  /** A type whose dialog has another address: nothing is shown here. */
  | { readonly kind: 'elsewhere'; readonly source: Source }
  | { readonly kind: 'unknown' };

const all: readonly Source[] = sources;
const same = (one: string | undefined, other: string): boolean => one?.toLowerCase() === other.toLowerCase();

/**
 * What stands behind the last segment of `/links/…`, whatever its case: the route of a source first, so that `oracledocuments` is the
 * page of its own and not the bare key that renders nothing.
 */
export function wantedSource(segment: string): Wanted {
  const byRoute = all.find(({ route }) => same(route, segment));
  if (byRoute !== undefined) return { kind: 'source', source: byRoute };
  const byKey = all.find((source) => same(source.provider, segment) && source.family !== undefined);
  if (byKey === undefined) return { kind: 'unknown' };
  return { kind: hasOwnRoute(byKey) ? 'elsewhere' : 'source', source: byKey };
}

/** The source whose form stands at `/link/auth/{segment}`; an edited link brings its own provider. */
export function formSource(segment: string, provider?: string): Source | undefined {
  const family = segment === 'oracle' ? 'oracledocuments' : segment;
  const ofFamily = all.filter((source) => source.family === family);
  return (
    ofFamily.find((source) => same(source.provider, provider ?? '')) ??
    ofFamily.find((source) => same(source.provider, segment)) ??
    ofFamily[0]
  );
}

/** What the address asks of a link-source page. */
export interface SourceQuery {
  readonly userLinkId?: string | undefined;
  readonly mode?: string | undefined;
  readonly orgOid?: string | undefined;
}

/**
 * Whether the page of a source creates a link or edits one: it edits when there is an active source of the type, the link named in
 * the address or else the first. `mode=create` asks for one more link all the same.
 */
export function linkToEdit(source: Source, groups: readonly LinkGroup[], { userLinkId, mode, orgOid }: SourceQuery): LinkRow | undefined {
  if (mode === 'create') return undefined;
  const links = linksOf(source, groups, orgOid !== undefined);
  return links.find((link) => link.userLinkId === userLinkId) ?? links[0];
}

/** The links of a source. Among the user's own, an organisation's do not count; with `ofOrg` all are an organisation's. */
export function linksOf(source: Source, groups: readonly LinkGroup[], ofOrg = false): LinkRow[] {
  return groups
    .filter(({ source_type: type }) => source.sourceTypes.some((one) => same(type, one)))
    .flatMap(({ links }) => links)
    .filter((link) => same(link.provider, source.provider) && (ofOrg || !isOfOrganisation(link)));
}

/** Address of a source's page; with `another`, of its dialog for one more link. */
export const sourceUrl = ({ route }: Source, another = false): string => `/links/${route ?? ''}${another ? '?mode=create' : ''}`;
