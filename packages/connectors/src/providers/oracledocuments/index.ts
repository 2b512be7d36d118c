import { define } from '../../core/definition.ts';
import { type OracleConfig, parseOracleConfig } from './config.ts';
import { openOracleDocuments } from './connector.ts';
import { maxConnections } from './documents.ts';

/** Oracle Documents (Oracle Content Management), opened with user name and password. */
export const oracledocuments = define<OracleConfig>({
  id: 'oracledocuments',
  secrets: ['password'],
  parse: parseOracleConfig,
  account: ({ username, origin }) => `${username}@${new URL(origin).host}`,
  identity: ({ username, origin }) => `oracledocuments ${username.toLowerCase()}@${origin}`,
  concurrency: () => maxConnections,
  hasBin: true,
  open: (config, env) => Promise.resolve(openOracleDocuments(config, env)),
});
