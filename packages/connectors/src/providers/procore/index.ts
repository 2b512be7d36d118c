import { define } from '../../core/definition.ts';
import { procoreAuthorization } from './authorization.ts';
import { type ProcoreConfig, parseProcoreConfig } from './config.ts';
import { openProcore } from './connector.ts';

/** Procore: the documents of the companies and projects in which a user participates. */
export const procore = define<ProcoreConfig>({
  id: 'procore',
  secrets: ['grant'],
  parse: parseProcoreConfig,
  account: ({ login }) => login,
  identity: ({ userId }) => `procore ${userId}`,
  concurrency: () => 4,
  hasBin: true,
  authorization: procoreAuthorization,
  open: (_config, env) => Promise.resolve(openProcore(env)),
});
