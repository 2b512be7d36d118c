import { define } from '../../core/definition.ts';
import { authorization } from './authorization.ts';
import { type BoxConfig, parseBoxConfig } from './config.ts';
import { openBox } from './connector.ts';

/** A user's Box. */
export const box = define<BoxConfig>({
  id: 'box',
  secrets: ['grant'],
  parse: parseBoxConfig,
  account: ({ login }) => login,
  identity: ({ userId }) => `box ${userId}`,
  concurrency: () => 4,
  hasBin: true,
  open: (_config, env) => Promise.resolve(openBox(env)),
  authorization,
});
