import assert from 'node:assert/strict';
import {
  Client,
  type OAuthClientProvider,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { type InputOf, allowAgent } from '@sheaf/contract';
import type { User } from '#/testing/app.ts';

/** The redirect address of agents in tests; nobody listens there. */
export const returnsTo = 'http://127.0.0.1:33418/callback';

/** An agent's side of OAuth, in the form that the SDK expects: what it stores, and where it sent the browser. */
export function agentProvider(wish: { readonly name?: string; readonly scope?: string } = {}) {
  let verifier = '';
  let tokens: StoredOAuthTokens | undefined;
  let information: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
  let sentTo: URL | undefined;
  let discovered: Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>;
  const provider: OAuthClientProvider = {
    redirectUrl: returnsTo,
    clientMetadata: {
      client_name: wish.name ?? 'Test agent',
      redirect_uris: [returnsTo],
      token_endpoint_auth_method: 'none',
      ...(wish.scope !== undefined && { scope: wish.scope }),
    },
    state: () => 'a state of the agent',
    clientInformation: () => information,
    saveClientInformation: (saved) => void (information = saved),
    tokens: () => tokens,
    saveTokens: (saved) => void (tokens = saved),
    redirectToAuthorization: (url) => void (sentTo = url),
    saveCodeVerifier: (saved) => void (verifier = saved),
    codeVerifier: () => verifier,
    saveDiscoveryState: (saved) => void (discovered = saved),
    discoveryState: () => discovered,
  };
  return {
    provider,
    tokens: () => tokens,
    setTokens: (given: StoredOAuthTokens) => void (tokens = given),
    clientId: () => information?.client_id ?? '',
    verifier: () => verifier,
    /** The address of the consent page. */
    sentTo(): URL {
      assert.ok(sentTo, 'the agent has sent the browser somewhere');
      return sentTo;
    },
  };
}
export type AgentProvider = ReturnType<typeof agentProvider>;

const newClient = (): Client => new Client({ name: 'test', version: '1' });

/** Connects without tokens: the SDK finds the server's metadata, registers, and sends the browser to the consent page. */
export async function askToBeLetIn(url: string, agent: AgentProvider): Promise<StreamableHTTPClientTransport> {
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: agent.provider });
  await assert.rejects(newClient().connect(transport), UnauthorizedError);
  return transport;
}

/** Lets a new agent in and returns the connected client of the SDK. */
export async function letIn(
  url: string,
  user: User,
  allowed: Omit<InputOf<typeof allowAgent>, 'query' | 'rTag'>,
  agent = agentProvider(),
): Promise<{ client: Client; agent: AgentProvider; close(): Promise<void> }> {
  const transport = await askToBeLetIn(url, agent);
  const { redirectUrl } = await user.ask(allowAgent, { query: agent.sentTo().search, ...allowed });
  const answer = new URL(redirectUrl).searchParams;
  assert.equal(answer.get('state'), 'a state of the agent');
  await transport.finishAuth(answer);
  return { ...(await connected(url, agent)), agent };
}

/** A client that uses the tokens it has. */
export async function connected(url: string, agent: AgentProvider) {
  const client = newClient();
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: agent.provider }));
  return { client, close: () => client.close() };
}

/** Calls a tool that must succeed. */
export async function call(client: Client, name: string, input: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const answer = await client.callTool({ name, arguments: input });
  assert.ok(!answer.isError, JSON.stringify(answer.content));
  return answer.structuredContent as Record<string, unknown>;
}

/** Calls a tool that must be refused and returns what the agent is told. */
export async function refused(client: Client, name: string, input: Record<string, unknown> = {}): Promise<string> {
  const answer = await client.callTool({ name, arguments: input });
  assert.ok(answer.isError, `${name} was not refused: ${JSON.stringify(answer.structuredContent)}`);
  const [first] = answer.content as { text?: string }[];
  return first?.text ?? '';
}
