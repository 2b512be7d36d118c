import type { OpensshServer } from '@sheaf/testbed';
import type { Connector } from '../../../core/connector.ts';
import type { Leftovers } from '../../../core/leftovers.ts';
import { createDialer } from '../../../kit/net/dialer.ts';
import { parseConfig } from '../config.ts';
import { openSftp } from '../connector.ts';
import { type Connection, openConnection } from '../session/connection.ts';

const dialer = createDialer({ privateNetworks: 'allow' });

interface Options {
  /** Connection info that overrides the account's own. */
  readonly info?: Readonly<Record<string, string>>;
  /** The link's stored facts. */
  readonly memory?: Map<string, string>;
  readonly timeouts?: { readonly idle: number };
  readonly leftovers?: Leftovers;
}

type Account = Pick<OpensshServer, 'host' | 'port' | 'username' | 'password'>;

const configOf = ({ host, port, username, password }: Account, info: Options['info'] = {}) =>
  parseConfig({ server: `${host}:${port}`, username, password, ...info });

const envWith = (memory: Map<string, string>) => ({
  dialer,
  recall: async (fact: string) => memory.get(fact),
  remember: async (fact: string, value: string) => void memory.set(fact, value),
});

/** Opens a link to the test server's account. */
export const openTestLink = (
  account: Account,
  { info, memory = new Map<string, string>(), timeouts, leftovers }: Options = {},
): Connector => openSftp(configOf(account, info), { ...envWith(memory), ...(leftovers && { leftovers }) }, timeouts);

/** Config and environment of a link to the test server's account. */
export const testLinkOf = (account: Account, memory = new Map<string, string>()) => ({ config: configOf(account), env: envWith(memory) });

/** Opens one connection to the test server's account. */
export const connectTestLink = (account: Account): Promise<Connection> =>
  openConnection(configOf(account), envWith(new Map()), AbortSignal.timeout(20_000));
