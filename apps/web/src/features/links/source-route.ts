import { type LinkGroup, type LinkRow, type Source, hasOwnRoute, sources } from '@sheaf/contract';
import { isOfOrganisation } from './rows.ts';

/** Interpretation of `/links/{type}` or `/link/auth/{form}`. */
export type Wanted =
  /** A type with a dialog. */
  | { readonly kind: 'source'; readonly source: Source }
  /** A type whose dialog has another address: renders nothing. */
  | { readonly kind: 'elsewhere'; readonly source: Source }
  | { readonly kind: 'unknown' };

const all: readonly Source[] = sources;
const same = (one: string | undefined, other: string): boolean => one?.toLowerCase() === other.toLowerCase();

/**
 * Resolves the last segment of `/links/…`, ignoring case: the route of a source first, so that `oracledocuments` is its own page and not the bare key
 * that renders nothing.
 */
export function wantedSource(segment: string): Wanted {
  const byRoute = all.find(({ route }) => same(route, segment));
  if (byRoute !== undefined) return { kind: 'source', source: byRoute };
  const byKey = all.find((source) => same(source.provider, segment) && source.family !== undefined);
  if (byKey === undefined) return { kind: 'unknown' };
  return { kind: hasOwnRoute(byKey) ? 'elsewhere' : 'source', source: byKey };
}

/** The source of the form at `/link/auth/{segment}`; an edited link determines its own provider. */
export function formSource(segment: string, provider?: string): Source | undefined {
  const family = segment === 'oracle' ? 'oracledocuments' : segment;
  const ofFamily = all.filter((source) => source.family === family);
  return (
    ofFamily.find((source) => same(source.provider, provider ?? '')) ??
    ofFamily.find((source) => same(source.provider, segment)) ??
    ofFamily[0]
  );
}

/** Query of a source's page. */
export interface SourceQuery {
  readonly userLinkId?: string | undefined;
  readonly mode?: string | undefined;
  readonly orgOid?: string | undefined;
}

/**
 * The link to edit, or undefined to create one: edits when there is an active source of the type, the link in the address or else the first.
 * `mode=create` always creates.
 */
export function linkToEdit(source: Source, groups: readonly LinkGroup[], { userLinkId, mode, orgOid }: SourceQuery): LinkRow | undefined {
  if (mode === 'create') return undefined;
  const links = linksOf(source, groups, orgOid !== undefined);
  return links.find((link) => link.userLinkId === userLinkId) ?? links[0];
}

/** The links of a source. Excludes an organisation's among the user's own; with `ofOrg` all are an organisation's. */
export function linksOf(source: Source, groups: readonly LinkGroup[], ofOrg = false): LinkRow[] {
  return groups
    .filter(({ source_type: type }) => source.sourceTypes.some((one) => same(type, one)))
    .flatMap(({ links }) => links)
    .filter((link) => same(link.provider, source.provider) && (ofOrg || !isOfOrganisation(link)));
}

/** Address of a source's page; with `another`, of its dialog for one more link. */
export const sourceUrl = ({ route }: Source, another = false): string => `/links/${route ?? ''}${another ? '?mode=create' : ''}`;
