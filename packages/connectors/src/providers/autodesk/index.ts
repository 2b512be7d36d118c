import { define } from '../../core/definition.ts';
import { autodeskAuthorization } from './authorization.ts';
import { type AutodeskConfig, parseAutodeskConfig } from './config.ts';
import { openAutodesk } from './connector.ts';

/** Autodesk: the projects of Construction Cloud (BIM 360, Forma) and Fusion Team in which a user participates. */
export const autodesk = define<AutodeskConfig>({
  id: 'autodesk',
  secrets: ['grant'],
  parse: parseAutodeskConfig,
  account: ({ email }) => email,
  identity: ({ userId }) => `autodesk ${userId}`,
  concurrency: () => 6,
  hasBin: true,
  authorization: autodeskAuthorization,
  open: (_config, env) => Promise.resolve(openAutodesk(env)),
});
