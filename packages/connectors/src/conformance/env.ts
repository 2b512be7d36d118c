import type { Authorization, Grant } from '../core/authorization.ts';
import type { Env, ProviderApp } from '../core/definition.ts';
import { ConnectorError } from '../core/error.ts';
import { createDialer } from '../kit/net/dialer.ts';
import { createTokens } from '../kit/oauth/tokens.ts';

interface Options {
  readonly app?: ProviderApp;
  /** The user's grant; if given, the connector gets tokens that are renewed through `authorization`. */
  readonly grant?: Grant;
  readonly authorization?: Authorization;
  readonly provider?: string;
}

/** Environment of a connector under test: facts and grants are kept in memory, and every address may be dialled. */
export function testEnv({ app = {}, grant, authorization, provider = '' }: Options = {}): Env & { readonly app: ProviderApp } {
  const facts = new Map<string, string>();
  const dialer = createDialer({ privateNetworks: 'allow' });
  let held = grant;
  const tokens = createTokens({
    load: async () => held ?? Promise.reject(new ConnectorError('needsAuthorization', 'nothing was granted')),
    async renew(old, signal) {
      if (!authorization?.renew) throw new ConnectorError('needsAuthorization', 'the grant cannot be renewed');
      held = await authorization.renew(old, provider, { dialer, app }, signal);
      return held;
    },
  });
  return {
    dialer,
    app,
    remember: async (fact, value) => void facts.set(fact, value),
    recall: async (fact) => facts.get(fact),
    ...(grant && { tokens }),
  };
}
