import type { Authorization, AuthorizationEnv, Definition, Dialer, FindDefinition } from '@sheaf/connectors';
import { type LinkRequestReason, type Source, findSource } from '@sheaf/contract';
import { type AppOf, closedBecause } from '#/links/grants/apps.ts';

interface Deps {
  readonly dialer: Dialer;
  readonly findDefinition: FindDefinition;
  readonly appOf: AppOf;
}

/** A source that is linked by authorization. */
export interface Authorizable {
  readonly source: Source;
  readonly definition: Definition;
  readonly authorization: Authorization;
  readonly env: AuthorizationEnv;
}

export type FindAuthorizable = (provider: string) => Promise<Authorizable | LinkRequestReason>;

/** Finds the source of a provider's name, or why it cannot be authorized on this installation. */
export const createFindAuthorizable =
  ({ dialer, findDefinition, appOf }: Deps): FindAuthorizable =>
  async (provider) => {
    const source = findSource(provider);
    if (!source) return 'unknown';
    if (closedBecause(source, appOf) !== undefined) return 'closed';
    if (source.family !== 'oauth' && source.family !== 'googlecloud') return 'unknown';
    const definition = await findDefinition(source);
    const app = appOf(source);
    if (!source.available || !definition?.authorization || !app) return 'unavailable';
    if (!app.clientId) return 'notsetup';
    return { source, definition, authorization: definition.authorization, env: { dialer, app } };
  };
