import type { OpensshServer } from '@sheaf/testbed';
import type { Connector } from '../../../core/connector.ts';
import { createDialer } from '../../../kit/dialer.ts';
import { parseConfig } from '../config.ts';
import { type Patience, openSftp, patience } from '../connector.ts';

const dialer = createDialer({ privateNetworks: 'allow' });

interface Options {
  /** Connection info that differs from the account's own. */
  readonly info?: Readonly<Record<string, string>>;
  /** What the link remembers, and will. */
  readonly memory?: Map<string, string>;
  readonly patience?: Partial<Patience>;
}

/** A link to the test server's account, opened. */
export function openTestLink(
  server: Pick<OpensshServer, 'host' | 'port' | 'username' | 'password'>,
  { info = {}, memory = new Map<string, string>(), patience: given = {} }: Options = {},
): Connector {
  const config = parseConfig({ server: `${server.host}:${server.port}`, username: server.username, password: server.password, ...info });
  const env = {
    dialer,
    recall: async (fact: string) => memory.get(fact),
    remember: async (fact: string, value: string) => void memory.set(fact, value),
  };
  return openSftp(config, env, { ...patience, ...given });
}
