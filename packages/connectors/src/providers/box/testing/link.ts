import type { Box } from '@sheaf/testbed';
import { testEnv } from '../../../conformance/env.ts';
import type { Grant } from '../../../core/authorization.ts';
import type { Connector } from '../../../core/connector.ts';
import { box } from '../index.ts';

export const ask = () => ({ signal: AbortSignal.timeout(20_000) });
export const email = 'mara@example.org';

/** The environment of a link, with the grant of Mara's or another simulated account. */
export function grantedEnv({ app, oauth }: Box, scopes: readonly string[] = ['root_readwrite'], of = email) {
  const { authorization } = box;
  if (!authorization) throw new Error('no authorization');
  const { accessToken, refreshToken, expiresIn } = oauth.grant(of, scopes);
  const grant: Grant = {
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(expiresIn !== undefined && { expiresAt: Date.now() + expiresIn * 1000 }),
  };
  return { grant, authorization, env: testEnv({ app, grant, authorization, provider: 'Box' }) };
}

/** Mara's link. */
export const openMara = (simulator: Box, scopes?: readonly string[]): Promise<Connector> =>
  box.open({ userId: '11446498', login: email }, grantedEnv(simulator, scopes).env);

/** Noor's link. */
export const openNoor = (simulator: Box): Promise<Connector> =>
  box.open({ userId: '11446505', login: noor }, grantedEnv(simulator, undefined, noor).env);
const noor = 'noor@example.org';
