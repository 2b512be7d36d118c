import { define } from '../../core/definition.ts';
import { maxConnections } from './client.ts';
import { type CopyConfig, parseCopyConfig } from './config.ts';
import { openCopy } from './connector.ts';

/** Copy, shut down in 2016: only for a compatible server whose URL the operator configures. It has no authorization dialog. */
export const copy = define<CopyConfig>({
  id: 'copy',
  secrets: ['token', 'tokenSecret'],
  parse: parseCopyConfig,
  account: ({ email }) => email,
  identity: ({ email }) => `copy ${email.toLowerCase()}`,
  concurrency: () => maxConnections,
  movesTrees: true,
  open: async (config, env) => openCopy(config, env),
});
