import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, type OAuthClientProvider, type StoredOAuthTokens, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, expectAccessible, test } from '../fixtures/test.ts';

/** Page of an agent that waits for the browser's redirect. */
async function startAgentPage(): Promise<{ server: Server; address: string; returned: Promise<URLSearchParams> }> {
  const { promise: returned, resolve } = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    resolve(new URL(request.url ?? '/', 'http://127.0.0.1').searchParams);
    response.setHeader('content-type', 'text/html').end('<title>Back at the agent</title><h1>Back at the agent</h1>');
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`, returned };
}

test('an agent is authorized on a page, works in the chosen folder, and its plans wait for a decision @narrow', async ({
  owner: page,
  storage,
  sheaf,
}) => {
  await storage.put({ 'letters/dear.txt': 'Dear reader', 'letters/old.txt': 'Old', 'private/diary.txt': 'Mine' });
  const agent = await startAgentPage();
  let tokens: StoredOAuthTokens | undefined;
  let information: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
  let verifier = '';
  let consent = '';
  let discovered: Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>;
  const authProvider: OAuthClientProvider = {
    redirectUrl: agent.address,
    clientMetadata: { client_name: 'Desk assistant', redirect_uris: [agent.address], token_endpoint_auth_method: 'none' },
    clientInformation: () => information,
    saveClientInformation: (saved) => void (information = saved),
    tokens: () => tokens,
    saveTokens: (saved) => void (tokens = saved),
    redirectToAuthorization: (url) => void (consent = url.href),
    saveCodeVerifier: (saved) => void (verifier = saved),
    codeVerifier: () => verifier,
    saveDiscoveryState: (saved) => void (discovered = saved),
    discoveryState: () => discovered,
  };
  const mcp = new URL(`${sheaf.url}/mcp`);
  const waiting = new StreamableHTTPClientTransport(mcp, { authProvider });
  await expect(new Client({ name: 'desk', version: '1' }).connect(waiting)).rejects.toThrow();

  await page.goto(consent);
  await expect(page.getByRole('heading', { name: 'Let Desk assistant use your files?' })).toBeVisible();
  await expect(page.getByText('nobody has checked the name')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Let it in' })).toBeDisabled();
  await page.getByRole('button', { name: /^Folder/ }).click();
  await page.getByRole('button', { name: 'Server SFTP' }).click();
  await page.getByRole('button', { name: /^letters/ }).click();
  await page.getByLabel('It may').selectOption('write');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Let it in' }).click();
  await expect(page.getByRole('heading', { name: 'Back at the agent' })).toBeVisible();
  await waiting.finishAuth(await agent.returned);
  agent.server.close();

  const client = new Client({ name: 'desk', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(mcp, { authProvider }));
  const read = (path: string) => client.callTool({ name: 'read_text', arguments: { path } });
  expect((await read('/Server/letters/dear.txt')).structuredContent).toMatchObject({ text: 'Dear reader' });
  expect((await read('/Server/private/diary.txt')).isError).toBe(true);
  const plan = await client.callTool({
    name: 'plan_delete',
    arguments: { paths: ['/Server/letters/old.txt'], reason: 'It is out of date.' },
  });
  expect(plan.isError).toBeFalsy();

  await page.goto('/account/mysheaf');
  await page.getByRole('link', { name: 'An agent has planned something' }).click();
  await expect(page.getByText('Desk assistant wants to delete 1 item')).toBeVisible();
  await expect(page.getByText('It is out of date.')).toBeVisible();
  await expectAccessible(page);
  expect(await storage.names('letters')).toContain('old.txt');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Done', { exact: true })).toBeVisible();
  expect(await storage.names('letters')).not.toContain('old.txt');

  await expect(page.getByRole('listitem').filter({ hasText: 'Read, add and plan' })).toContainText('Server / letters');
  await page.getByRole('button', { name: 'Revoke Desk assistant' }).click();
  await expect(page.getByText('There are no agents yet.')).toBeVisible();
  await expect(read('/Server/letters/dear.txt')).rejects.toThrow();
  await client.close();
});

test('an address of Sheaf never redirects to another site without a click @narrow', async ({ owner: page, sheaf, request }) => {
  const answer = await request.post(`${sheaf.url}/agents/register`, {
    data: { client_name: 'Sheaf', redirect_uris: ['https://elsewhere.example/sign-in'], token_endpoint_auth_method: 'none' },
  });
  const { client_id: clientId } = (await answer.json()) as { client_id: string };
  const query = new URLSearchParams({ client_id: clientId, redirect_uri: 'https://elsewhere.example/sign-in', response_type: 'wrong' });
  await page.goto(`${sheaf.url}/agents/allow?${query.toString()}`);
  await expect(page.getByRole('heading', { name: 'This agent asked for something that does not exist' })).toBeVisible();
  const back = page.getByRole('link', { name: 'Go to elsewhere.example' });
  await expect(back).toHaveAttribute('href', /^https:\/\/elsewhere\.example\/sign-in\?error=unsupported_response_type/);
  await expectAccessible(page);
});
