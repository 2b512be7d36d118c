import { type Definition, define } from '../../core/definition.ts';
import { teamAuthorization, userAuthorization } from './authorization.ts';
import { type DropboxConfig, parseTeam, parseUser } from './config.ts';
import { openDropbox } from './connector.ts';
import { readDropboxHint, teamIdentity, userIdentity } from './hints.ts';

const shared = {
  secrets: ['grant'],
  account: ({ email }) => email,
  concurrency: () => 4,
  hasBin: true,
  readHint: readDropboxHint,
  open: (config, env) => Promise.resolve(openDropbox(config, env)),
} satisfies Partial<Definition<DropboxConfig>>;

/** A user's Dropbox. */
export const dropbox = define<DropboxConfig>({
  ...shared,
  id: 'dropbox',
  parse: parseUser,
  identity: ({ account }) => userIdentity(account),
  authorization: userAuthorization,
});

/** A team's Dropbox, as seen by the administrator who authorized Sheaf. */
export const dropboxTeams = define<DropboxConfig>({
  ...shared,
  id: 'dropboxteams',
  parse: parseTeam,
  identity: ({ account }) => teamIdentity(account),
  authorization: teamAuthorization,
});
