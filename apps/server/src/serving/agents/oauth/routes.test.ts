import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  allowAgent,
  createAuthCode,
  deleteAgent,
  listAgents,
  listAudit,
  lookAtAgent,
  prove,
  refuseAgent,
  setPassword,
  makeToken,
} from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { agentApp } from '#/serving/agents/testing/agent-app.ts';
import {
  type AgentProvider,
  agentProvider,
  askToBeLetIn,
  call,
  connected,
  letIn,
  returnsTo,
} from '#/serving/agents/testing/agent-client.ts';
import { mailsTo } from '#/testing/outbox.ts';

const ask = (url: string, token: string | undefined, headers: Record<string, string> = {}) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
const form = (address: string, fields: Record<string, string>) => fetch(address, { method: 'POST', body: new URLSearchParams(fields) });
/** What a refusal says, in the words of OAuth. */
const errorOf = async (answer: Response): Promise<unknown> => ((await answer.json()) as { error?: unknown }).error;
const codeOf = (redirectUrl: string): string => new URL(redirectUrl).searchParams.get('code') ?? '';
const exchange = (url: string, agent: AgentProvider, code: string, changed: Record<string, string> = {}) =>
  form(`${url}/agents/token`, {
    grant_type: 'authorization_code',
    code,
    client_id: agent.clientId(),
    redirect_uri: returnsTo,
    code_verifier: agent.verifier(),
    resource: `${url}/mcp`,
    ...changed,
  });

test('an agent is listed, mailed about and revoked at once, on every instance', async (t) => {
  const app = await agentApp(t);
  const { url, user, uri } = app;
  const other = await app.secondInstance();
  const { client, agent } = await letIn(url, user, { linkUri: [uri('/Photos')], rights: 'read' });
  const token = agent.tokens()?.access_token ?? '';
  await call(client, 'list_links');
  const { agents, address } = await user.ask(listAgents, {});
  assert.equal(address, `${url}/mcp`);
  const [listed] = agents;
  assert.deepEqual(
    [listed?.name, listed?.host, listed?.rights, listed?.linkUris],
    ['Test agent', '127.0.0.1:33418', 'read', [uri('/Photos')]],
  );
  assert.ok((await mailsTo(app, user.email)).some((mail) => mail.includes('The agent Test agent was let into your account')));
  for (const secret of [token, agent.tokens()?.refresh_token ?? '']) assert.ok(secret.length > 40 && !app.log().includes(secret));
  assert.deepEqual((await (await app.signUp()).ask(listAgents, {})).agents, []);

  const there = await other.agents.find(token, `${url}/mcp`);
  assert.ok(there && !there.ended.aborted);
  await user.ask(deleteAgent, { agentId: listed?.agentId ?? '' });
  const refusal = await ask(url, token);
  assert.equal(refusal.status, 401);
  assert.match(refusal.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
  if (app.config.databaseUrl === '') await other.agents.recheck(user.userId);
  await eventually(() => there.ended.aborted, 'the other instance has heard');
  const refresh = { grant_type: 'refresh_token', refresh_token: agent.tokens()?.refresh_token ?? '', client_id: agent.clientId() };
  assert.equal(await errorOf(await form(`${url}/agents/token`, refresh)), 'invalid_grant');
  const { entries } = await user.ask(listAudit, { limit: 50 });
  assert.ok(entries.some(({ sentence }) => sentence === 'revoked the agent Test agent'));
});

test('a new password revokes agents', async (t) => {
  const { url, user } = await agentApp(t);
  const { agent } = await letIn(url, user, { linkUri: [], rights: 'read' });
  assert.equal((await ask(url, agent.tokens()?.access_token)).status, 200);
  await user.ask(setPassword, { newPassword: 'another password of mine' });
  assert.equal((await ask(url, agent.tokens()?.access_token)).status, 401);
});

test('only tokens that were made for this MCP server open it, and they open nothing else', async (t) => {
  const { url, user, services } = await agentApp(t);
  const { agent } = await letIn(url, user, { linkUri: [], rights: 'write' });
  const token = agent.tokens()?.access_token ?? '';
  assert.equal((await ask(url, token)).status, 200);
  const { authCode } = await user.ask(createAuthCode, { name: 'laptop' });
  const { token: cliToken } = await user.ask(makeToken, { authCode });
  const jwt = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(`{"aud":"${url}/mcp"}`).toString('base64url')}.`;
  for (const wrong of [undefined, cliToken, jwt, `${token}x`, agent.tokens()?.refresh_token])
    assert.equal((await ask(url, wrong)).status, 401, String(wrong));
  // Neither cookies nor a query count.
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  assert.equal((await ask(url, undefined, { cookie })).status, 401);
  assert.equal((await fetch(`${url}/mcp?access_token=${token}`, { method: 'POST' })).status, 401);
  for (const path of ['/rest/agents', '/rest/links/all', '/rest/account/session'])
    assert.notEqual((await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).status, 200);
  assert.equal(await services.agents.find(token, 'https://other.example/mcp'), undefined);
  // A token made for another address of this installation.
  await services.db.updateTable('agent').set({ resource: 'https://other.example/mcp' }).execute();
  assert.equal((await ask(url, token)).status, 401);
  assert.equal((await ask(url, token, { origin: 'https://evil.example' })).status, 403);
});

test('tokens expire, a refresh token works once, and one that is used twice revokes the agent', async (t) => {
  let time = 1_800_000_000;
  const { url, user } = await agentApp(t, { now: () => time });
  const { agent } = await letIn(url, user, { linkUri: [], rights: 'read', expires: time + 86_400 });
  const first = agent.tokens();
  time += 3600;
  assert.equal((await ask(url, first?.access_token)).status, 401);
  // The SDK's client renews its token by itself.
  const again = await connected(url, agent);
  await call(again.client, 'list_links');
  await again.close();
  const second = agent.tokens();
  assert.notEqual(second?.access_token, first?.access_token);
  assert.equal((await ask(url, second?.access_token)).status, 200);
  const refresh = (token = '') =>
    form(`${url}/agents/token`, { grant_type: 'refresh_token', refresh_token: token, client_id: agent.clientId() });
  // Two requests of one program may have sent it together.
  assert.equal(await errorOf(await refresh(first?.refresh_token)), 'invalid_grant');
  assert.equal((await ask(url, second?.access_token)).status, 200);
  time += 31;
  assert.equal(await errorOf(await refresh(first?.refresh_token)), 'invalid_grant');
  assert.equal((await ask(url, second?.access_token)).status, 401, 'whoever stole the first one has nothing, and neither has the agent');

  await user.ask(prove, { password: user.password });
  const limited = await letIn(url, user, { linkUri: [], rights: 'read', expires: time + 86_400 });
  time += 86_400;
  assert.equal(await errorOf(await refresh(limited.agent.tokens()?.refresh_token)), 'invalid_grant');
});

test('a code works once, for its program, its address and its verifier', async (t) => {
  let time = 1_800_000_000;
  const { url, user } = await agentApp(t, { now: () => time });
  const agent = agentProvider();
  await askToBeLetIn(url, agent);
  const query = agent.sentTo().search;
  const allow = async () => codeOf((await user.ask(allowAgent, { query, linkUri: [], rights: 'read' })).redirectUrl);
  const wrongs = [{ code_verifier: 'x'.repeat(43) }, { client_id: 'another' }, { redirect_uri: 'http://127.0.0.1:1/callback' }];
  for (const wrong of wrongs) assert.equal(await errorOf(await exchange(url, agent, await allow(), wrong)), 'invalid_grant');
  assert.equal(await errorOf(await exchange(url, agent, await allow(), { resource: 'https://other.example/mcp' })), 'invalid_target');
  assert.equal(await errorOf(await exchange(url, agent, await allow(), { code_verifier: 'short' })), 'invalid_request');
  assert.equal(await errorOf(await exchange(url, agent, await allow(), { grant_type: 'password' })), 'unsupported_grant_type');
  const late = await allow();
  time += 61;
  assert.equal(await errorOf(await exchange(url, agent, late)), 'invalid_grant');

  const code = await allow();
  const answers = await Promise.all([exchange(url, agent, code), exchange(url, agent, code)]);
  const good = answers.filter(({ status }) => status === 200);
  assert.ok(good.length <= 1);
  // Sending it twice revokes the tokens of the first time.
  const tokens = (await good[0]?.json()) as { access_token?: string } | undefined;
  assert.equal((await ask(url, tokens?.access_token)).status, 401);
});

test('a mistake is reported to the program at a registered address only', async (t) => {
  const { url, user } = await agentApp(t);
  const agent = agentProvider();
  await askToBeLetIn(url, agent);
  const changed = (change: Record<string, string | undefined>): string => {
    const query = new URLSearchParams(agent.sentTo().search);
    for (const [name, value] of Object.entries(change))
      if (value === undefined) query.delete(name);
      else query.set(name, value);
    return query.toString();
  };
  const told = async (change: Record<string, string | undefined>) => {
    const { refusedTo = '', request } = await user.ask(lookAtAgent, { query: changed(change) });
    assert.equal(request, undefined);
    assert.ok(refusedTo.startsWith(returnsTo));
    const answer = new URL(refusedTo).searchParams;
    assert.deepEqual([answer.get('state'), answer.get('iss')], ['a state of the agent', url]);
    return answer.get('error');
  };
  assert.equal(await told({ response_type: 'token' }), 'unsupported_response_type');
  assert.equal(await told({ code_challenge: undefined }), 'invalid_request');
  assert.equal(await told({ code_challenge_method: 'plain' }), 'invalid_request');
  assert.equal(await told({ scope: 'everything' }), 'invalid_scope');
  assert.equal(await told({ resource: 'https://other.example/mcp' }), 'invalid_target');

  for (const change of [
    { redirect_uri: 'https://evil.example/callback' },
    { redirect_uri: `${returnsTo}/../evil` },
    { redirect_uri: 'javascript:alert(1)' },
    { redirect_uri: undefined },
    { client_id: 'unknown' },
    { client_id: undefined },
    { client_id: 'http://127.0.0.1/agent.json' },
    { client_id: 'https://127.0.0.1:1/agent.json' },
  ])
    assert.equal((await user.refusal(lookAtAgent, { query: changed(change) })).messageCode, 'AGENT_REFUSED', JSON.stringify(change));
  assert.equal(
    (await user.refusal(allowAgent, { query: changed({ scope: 'files:read' }), rights: 'write' })).messageCode,
    'INVALID_PARAMETER',
  );
  assert.equal(
    (await user.refusal(allowAgent, { query: changed({}), rights: 'read', linkUri: ['/unknown'] })).messageCode,
    'INVALID_LINK_URI',
  );
  // Any port of this computer: programs there take a free one.
  const { request } = await user.ask(lookAtAgent, { query: changed({ redirect_uri: returnsTo.replace('33418', '50001') }) });
  assert.deepEqual(request, { name: 'Test agent', returnsTo: '127.0.0.1:50001', isLocal: true, rights: 'write' });

  const { redirectUrl } = await user.ask(refuseAgent, { query: changed({}) });
  assert.equal(new URL(redirectUrl).searchParams.get('error'), 'access_denied');
  assert.deepEqual((await user.ask(listAgents, {})).agents, []);
});

test('letting an agent in needs a browser and a fresh proof', async (t) => {
  let time = 1_800_000_000;
  const { url, user } = await agentApp(t, { now: () => time });
  const agent = agentProvider();
  await askToBeLetIn(url, agent);
  const query = agent.sentTo().search;
  const { authCode } = await user.ask(createAuthCode, { name: 'laptop' });
  const { token } = await user.ask(makeToken, { authCode });
  const authorization = { authorization: `Bearer ${token}` };
  const answer = await fetch(url + allowAgent.path, {
    method: 'POST',
    headers: authorization,
    body: new URLSearchParams({ query, rights: 'read' }),
  });
  assert.equal(answer.status, 401);
  time += 601;
  assert.equal((await user.refusal(allowAgent, { query, rights: 'read' })).messageCode, 'PROOF_NEEDED');
});

test('registrations are limited to public programs with safe addresses, and in number', async (t) => {
  const { url } = await agentApp(t);
  const register = (metadata: unknown) =>
    fetch(`${url}/agents/register`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(metadata) });
  assert.equal(await errorOf(await register({ client_name: 'x' })), 'invalid_client_metadata');
  assert.equal(
    await errorOf(await register({ redirect_uris: ['https://a.example/'], token_endpoint_auth_method: 'client_secret_basic' })),
    'invalid_client_metadata',
  );
  for (const uri of [
    'http://a.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://a.example/#x',
    'https://user@a.example/',
    'x',
  ])
    assert.equal(await errorOf(await register({ redirect_uris: [uri] })), 'invalid_redirect_uri', uri);
  const made = (await (await register({ client_name: 'A\u202E\nname', redirect_uris: ['https://a.example/'] })).json()) as object;
  assert.ok('client_name' in made && made.client_name === 'A name');
  let status = 0;
  for (let tries = 0; tries < 40 && status !== 429; tries++) ({ status } = await register({ redirect_uris: ['https://a.example/'] }));
  assert.equal(status, 429);
});

test('an agent that calls too often has to wait, and there are none where they are switched off', async (t) => {
  const { url, user, services } = await agentApp(t);
  const { agent } = await letIn(url, user, { linkUri: [], rights: 'read' });
  assert.equal((await ask(url, agent.tokens()?.access_token)).status, 200);
  await services.db.updateTable('throttle').set({ tries: 300 }).execute();
  const late = await ask(url, agent.tokens()?.access_token);
  assert.equal(late.status, 429);
  assert.ok(Number(late.headers.get('retry-after')) > 0);

  const off = await agentApp(t, { settings: { SHEAF_AGENTS: 'off' } });
  assert.equal((await ask(off.url, undefined)).status, 405);
  assert.notEqual((await fetch(`${off.url}/.well-known/oauth-authorization-server`)).status, 200);
  assert.deepEqual(await off.user.ask(listAgents, {}), { agents: [] });
  assert.equal((await off.user.refusal(lookAtAgent, { query: 'client_id=x' })).messageCode, 'NOT_FOUND');
});
