import { define } from '../../core/definition.ts';
import { type B2Config, parseB2Config } from './config.ts';
import { completeB2, maxOperations, openB2 } from './connector.ts';

/** Backblaze B2 by its native API: all buckets that one application key may use. */
export const b2 = define<B2Config>({
  id: 'b2',
  secrets: ['applicationKey'],
  parse: parseB2Config,
  account: ({ info, keyId }) => info['buckets'] || info['account'] || keyId,
  identity: ({ info, keyId }) => ['b2', info['account'] || keyId, info['buckets'] ?? '', info['namePrefix'] ?? ''].join(' '),
  concurrency: () => maxOperations,
  hasBin: true,
  open: (config, env) => Promise.resolve(openB2(config, env)),
  complete: completeB2,
});
