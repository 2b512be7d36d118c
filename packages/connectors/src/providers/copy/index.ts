import { define } from '../../core/definition.ts';
import { maxConnections } from './client.ts';
import { type CopyConfig, parseCopyConfig } from './config.ts';
import { openCopy } from './connector.ts';

/** Copy, which ended in 2016: only for a compatible server whose address the operator sets. It has no dialog. */
export const copy = define<CopyConfig>({
  id: 'copy',
  secrets: ['token', 'tokenSecret'],
  parse: parseCopyConfig,
  account: ({ email }) => email,
  identity: ({ email }) => `copy ${email.toLowerCase()}`,
  concurrency: () => maxConnections,
  open: async (config, env) => openCopy(config, env),
});
