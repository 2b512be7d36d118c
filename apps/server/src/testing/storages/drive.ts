import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { ConnectorError, type Definition, type Env } from '@sheaf/connectors';
import { oauth, postForm } from '@sheaf/connectors/kit/oauth/oauth.ts';
import { createApi } from '@sheaf/connectors/kit/rest/api.ts';
import { type MemorySource, createMemorySource } from '@sheaf/connectors/memory';
import { completeLinkAuth } from '@sheaf/contract';
import { type OAuth, type Simulator, createOAuth, startSimulator } from '@sheaf/testbed';
import type { TestOverrides } from '#/test-overrides.ts';
import { type TestApp, type User, testApp } from '#/testing/app.ts';

export const publicUrl = 'http://sheaf.test';
export const mara = { id: 'u1', email: 'mara@drive.example', name: 'Mara' };
export const noor = { id: 'u2', email: 'noor@drive.example', name: 'Noor' };
/** Names of the settings under which the drive stands for a provider. */
const stands = ['DROPBOX', 'GOOGLEDRIVE', 'GOOGLECLOUD'] as const;

interface Me {
  readonly id: string;
  readonly email: string;
}

/** A provider with real OAuth, whose files are in memory. */
export interface Drive {
  readonly oauth: OAuth;
  readonly simulator: Simulator;
  readonly source: MemorySource;
  readonly clientSecret: string;
  readonly definition: Definition;
  /** Settings that let the drive stand for Dropbox, Google Drive and Google Cloud Storage. */
  readonly settings: Readonly<Record<string, string>>;
}

export interface DriveApp extends TestApp {
  readonly drive: Drive;
  /** A user who is signed in. */
  readonly user: User;
}

const text = { type: 'string' };
const failure = { content: { 'application/json': { schema: { type: 'object' } } } };
const person = { 'application/json': { schema: { type: 'object', required: ['id', 'email'], properties: { id: text, email: text } } } };
const me = { get: { responses: { 200: { content: person }, default: failure } } };

async function startDrive(t: TestContext, accessSeconds: number): Promise<Drive> {
  const client = { id: 'sheaf-app', secret: 'planted-client-secret', redirectUris: [`${publicUrl}/oauth`] };
  const authority = createOAuth({
    provider: 'Drive',
    client,
    accounts: [mara, noor],
    scopes: ['files'],
    pkce: 'required',
    rotation: 'singleUse',
    accessSeconds,
  });
  const simulator = await startSimulator({
    name: 'drive',
    authenticate: authority.authenticate,
    refusal: ({ kind }) => ({ status: kind === 'unauthorized' ? 401 : 400, json: { error: kind } }),
    mounts: [
      authority.mount({ at: '/auth', authorize: '/authorize', token: '/token', revoke: '/revoke', extra: { prompt: ['consent'] } }),
      { at: '/api', description: { paths: { '/me': me } }, routes: { 'GET /me': ({ account }) => ({ json: { ...account } }) } },
    ],
  });
  t.after(() => simulator.stop());
  const { url } = simulator;
  const fields = {
    CLIENT_ID: client.id,
    CLIENT_SECRET: client.secret,
    AUTH_URL: `${url}/auth/authorize`,
    TOKEN_URL: `${url}/auth/token`,
    API_URL: `${url}/api`,
  };
  const settings = stands.flatMap((stand) => Object.entries(fields).map(([field, value]) => [`SHEAF_${stand}_${field}`, value]));
  const source = createMemorySource();
  const definition = define(source);
  return { oauth: authority, simulator, source, clientSecret: client.secret, definition, settings: Object.fromEntries(settings) };
}

function apiOf(env: Env) {
  const { apiUrl = '' } = env.app ?? {};
  const refusal = () => new ConnectorError('unauthorized', 'refused');
  return createApi({ env, base: apiUrl, refusal });
}

/** A connector that shows its token to the provider before every listing and look. */
function define({ definition: memory }: MemorySource): Definition<Readonly<Record<string, string>>> {
  return {
    ...memory,
    id: 'drive',
    secrets: ['grant', 'serviceAccountKey'],
    parse(info) {
      const { serviceAccountKey } = info;
      if (serviceAccountKey !== undefined && !serviceAccountKey.startsWith('{'))
        throw new ConnectorError('badConfig', 'no key', { details: { field: 'serviceAccountKey' } });
      return info;
    },
    account: ({ email, bucketName }) => bucketName ?? email ?? '',
    identity: ({ accountId, bucketName }) => JSON.stringify([accountId, bucketName]),
    authorization: oauth({
      authUrl: () => '',
      tokenUrl: () => '',
      scopes: () => ['files'],
      pkce: true,
      clientAuth: 'body',
      parameters: ({ prompt }) => ({ prompt: prompt ? 'consent' : undefined }),
      async revoke({ accessToken }, _provider, env, signal) {
        const { tokenUrl = '' } = env.app;
        const response = await postForm(env, tokenUrl.replace(/token$/, 'revoke'), { token: accessToken }, {}, signal);
        await response.discard();
      },
      async identify({ grant }, _provider, { dialer, app }, signal) {
        const api = apiOf({ dialer, app, tokens: { access: async () => grant.accessToken }, remember: forgets, recall: forgets });
        const response = await api.send({ method: 'GET', url: '/me', signal });
        const { id, email } = JSON.parse(await response.text(1000)) as Me;
        api.close();
        return { accountId: id, email };
      },
    }),
    complete: async (info) => ({ ...info, region: 'eu' }),
    async open(info, env) {
      const api = apiOf(env);
      const inner = await memory.open(info, env);
      const enter = async (signal: AbortSignal) => {
        if (info['bucketName'] === 'gone') throw new ConnectorError('noBucket', 'no such bucket');
        if (info['serviceAccountKey'] === undefined) await api.done({ method: 'GET', url: '/me', signal });
      };
      return {
        ...inner,
        async *list(folder, ask) {
          await enter(ask.signal);
          yield* inner.list(folder, ask);
        },
        async stat(path, ask) {
          await enter(ask.signal);
          return inner.stat(path, ask);
        },
        async close() {
          api.close();
          await inner.close();
        },
      };
    },
  };
}

const forgets = async (): Promise<undefined> => undefined;

interface Options extends TestOverrides {
  readonly settings?: Readonly<Record<string, string>>;
  /** How long access tokens live. */
  readonly accessSeconds?: number;
}

/** An app at which Dropbox, Google Drive and Google Cloud Storage are set up; a drive of the test stands for each of them. */
export async function driveApp(t: TestContext, { settings = {}, accessSeconds = 3600, ...stand }: Options = {}): Promise<DriveApp> {
  const drive = await startDrive(t, accessSeconds);
  const app = await testApp(t, {
    findDefinition: async () => drive.definition,
    settings: { SHEAF_PUBLIC_URL: publicUrl, SHEAF_PRIVATE_NETWORKS: 'allow', ...drive.settings, ...settings },
    ...stand,
  });
  return { ...app, drive, user: await app.signUp() };
}

/** Where a page of ours sends the browser. */
export async function follow(user: User, url: string): Promise<string> {
  const response = await user.inject({ url });
  assert.equal(response.statusCode, 302, response.body);
  assert.equal(response.headers['cache-control'], 'no-store');
  return response.headers.location ?? '';
}

type Fields = Readonly<Record<string, string>>;
export const startPath = (query: Fields = {}): string =>
  `/linkwebservice?${new URLSearchParams({ sourceType: 'Dropbox', providerName: 'Dropbox', ...query }).toString()}`;

/** What the provider sent back with the browser. */
export function answerIn(address: string): Fields {
  assert.ok(address.startsWith(`${publicUrl}/oauth?`), address);
  return Object.fromEntries(new URL(address).searchParams);
}

/** The person's part at the provider, and the page's after it; gives where the browser goes on. */
export async function finishAt(
  { drive, user }: Pick<DriveApp, 'drive' | 'user'>,
  authorizeUrl: string,
  account: typeof mara | 'declines' = mara,
): Promise<string> {
  const { url } = await user.ask(completeLinkAuth, answerIn(await drive.oauth.visit(authorizeUrl, account)));
  return url;
}

/** The whole way from the dialog's button to where it ends. */
export const authorize = async (app: Pick<DriveApp, 'drive' | 'user'>, query: Fields = {}, account: typeof mara | 'declines' = mara) =>
  finishAt(app, await follow(app.user, startPath(query)), account);
