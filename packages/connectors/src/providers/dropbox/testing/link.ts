import type { Dropbox } from '@sheaf/testbed';
import { testEnv } from '../../../conformance/env.ts';
import type { Grant } from '../../../core/authorization.ts';
import type { Connector } from '../../../core/connector.ts';
import type { Definition } from '../../../core/definition.ts';
import type { DropboxConfig } from '../config.ts';
import { dropbox, dropboxTeams } from '../index.ts';

export const ask = () => ({ signal: AbortSignal.timeout(20_000) });

/** The environment of a link, with the simulator's grant. */
export function grantedEnv({ app, oauth }: Dropbox, definition: Definition<DropboxConfig>, email: string, scopes?: readonly string[]) {
  const { authorization } = definition;
  if (!authorization) throw new Error('no authorization');
  const wanted = scopes ?? authorization.scopes(definition.id);
  const { accessToken, refreshToken, expiresIn } = oauth.grant(email, wanted);
  const grant: Grant = {
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(expiresIn !== undefined && { expiresAt: Date.now() + expiresIn * 1000 }),
  };
  return { grant, env: testEnv({ app, grant, authorization, provider: definition.id }) };
}

async function open(
  simulator: Dropbox,
  definition: Definition<DropboxConfig>,
  email: string,
  scopes?: readonly string[],
): Promise<Connector> {
  const { grant, env } = grantedEnv(simulator, definition, email, scopes);
  const info = await definition.authorization?.identify({ grant, extra: {} }, definition.id, env, ask().signal);
  return definition.open(definition.parse(info ?? {}, definition.id), env);
}

/** A user's link. */
export const openAs = (simulator: Dropbox, email: string, scopes?: readonly string[]): Promise<Connector> =>
  open(simulator, dropbox, email, scopes);

/** A team's link, created by its administrator. */
export const openTeam = (simulator: Dropbox): Promise<Connector> => open(simulator, dropboxTeams, 'noor@example.org');
