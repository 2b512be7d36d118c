import type { Definition, Dialer, Env, Leftovers } from '@sheaf/connectors';
import type { Source } from '@sheaf/contract';
import type { AppOf } from '#/links/grants/apps.ts';
import type { LinkTokens } from '#/links/grants/tokens.ts';
import type { ConnectionStore, LinkRow } from './store.ts';

interface Deps {
  readonly store: ConnectionStore;
  readonly dialer: Dialer;
  readonly appOf: AppOf;
  readonly tokens: LinkTokens;
  /** Records a link's running uploads. */
  readonly leftoversOf: (linkId: string) => Leftovers;
}

/** The environment of a link's connector: tokens of its grant, never the grant itself. */
export const createLinkEnv =
  ({ store, dialer, appOf, tokens, leftoversOf }: Deps) =>
  ({ id, provider }: LinkRow, source: Source, { authorization }: Definition, isGranted: boolean): Env => {
    const app = appOf(source);
    return {
      dialer,
      remember: (fact, value) => store.remember(id, fact, value),
      recall: (fact) => store.recall(id, fact),
      leftovers: leftoversOf(id),
      ...(app && { app }),
      ...(app && authorization && isGranted && { tokens: tokens.of({ linkId: id, provider, authorization, env: { dialer, app } }) }),
    };
  };
