import { type Definition, define } from '../../core/definition.ts';
import { type GatewayConfig, parseFileServerConfig, parseGatewayConfig } from './config.ts';
import { connections, openGateway } from './connector.ts';

const shared = {
  account: ({ login, origin }) => `${login}@${new URL(origin).host}`,
  concurrency: () => connections,
  movesTrees: true,
  open: openGateway,
} satisfies Partial<Definition<GatewayConfig>>;

/** A Sheaf file server, opened with user name and password. */
export const ofs = define<GatewayConfig>({
  ...shared,
  id: 'ofs',
  secrets: ['password'],
  parse: parseFileServerConfig,
  identity: ({ login, origin, base }) => `ofs ${login}@${origin}${base}`,
});

/** A server of the same protocol, opened with a connection JSON that it has issued. */
export const sheafgateway = define<GatewayConfig>({
  ...shared,
  id: 'sheafgateway',
  secrets: ['authjson'],
  parse: parseGatewayConfig,
  identity: ({ login, origin, base }) => `sheafgateway ${login}@${origin}${base}`,
});
