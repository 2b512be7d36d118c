import { ConnectorError, type Dialer, createWholeBody, layered, openWebAddress, timeout } from '@sheaf/connectors';
import { appError } from '@sheaf/contract';
import type { Content } from '#/files/content/service.ts';
import type { Search } from '#/files/search/service.ts';
import type { TransferService } from '#/files/transfers/service.ts';
import type { Agents } from '#/identity/agents/service.ts';
import type { Platform } from '#/platform/compose.ts';
import type { Windows } from '#/serving/programs/windows.ts';
import type { Weblinks } from '#/sharing/weblinks/service.ts';
import { createMcp } from './mcp.ts';
import { createAuthorization } from './oauth/authorization.ts';
import { createClients } from './oauth/clients.ts';
import { createPlans } from './plans/service.ts';
import { createPlanStore } from './plans/store.ts';
import { planningTools } from './tools/planning.ts';
import { readingTools } from './tools/reading.ts';
import { writingTools } from './tools/writing.ts';

/** Most bytes of a program's description, and the timeout of its server in milliseconds. */
const longestDocument = 65_536;
const documentTimeout = 10_000;

interface Deps {
  readonly agents: Agents;
  readonly windows: Windows;
  readonly content: Content;
  readonly searching: Search;
  readonly transferService: TransferService;
  readonly weblinks: Weblinks;
  readonly dialer: Dialer;
}

/** Builds what agents need: programs that act for people through the Model Context Protocol. */
export function composeAgents(
  { db, now, newId, publicUrl, config, log }: Platform,
  { agents, windows, content, searching, transferService: transfers, weblinks, dialer }: Deps,
) {
  const resource = `${publicUrl}/mcp`;
  const clients = createClients({ registered: agents.clients, fetchDocument: fetchDocument(dialer), newId, now });
  const plans = createPlans({ store: createPlanStore(db), content, weblinks, transfers, newId, now });
  const tools = [...readingTools({ searching, publicUrl }), ...writingTools(), ...planningTools({ plans, transfers, publicUrl })];
  return {
    isOn: config.agents === 'on',
    issuer: publicUrl,
    resource,
    clients,
    authorization: createAuthorization({ clients, issuer: publicUrl, resource }),
    mcp: createMcp({ tools, windows, plans, log, now }),
    plans,
  };
}

/** Reads JSON from an address of the web, under the same rules for private networks as links to such an address. */
const fetchDocument =
  (dialer: Dialer) =>
  async (address: URL, signal: AbortSignal): Promise<unknown> => {
    const connector = layered(openWebAddress({ address, dialer, redirects: 0 }), timeout());
    try {
      const body = await connector.read('/', { signal: AbortSignal.any([signal, AbortSignal.timeout(documentTimeout)]) });
      const whole = createWholeBody(longestDocument);
      await body.drain((piece) => {
        whole.add(piece);
        return undefined;
      });
      return JSON.parse(whole.bytes().toString('utf8')) as unknown;
    } catch (error) {
      if (!(error instanceof ConnectorError) && !(error instanceof SyntaxError)) throw error;
      throw appError('AGENT_REFUSED', { problem: `its description at ${address.host} cannot be read` }, error);
    } finally {
      await connector.close();
    }
  };
