import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Call, type ErrorAnswer, type InputOf, type ReplyOf, type Session, emailLogin, emailSignup, isSession } from '@sheaf/contract';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { buildApp } from '#/app.ts';
import { hashPassword } from '#/identity/account/password.ts';
import { type Config, readConfig } from '#/platform/config/config.ts';
import { createLog } from '#/platform/log.ts';
import { type Services, createServices } from '#/services.ts';
import type { TestOverrides } from '#/test-overrides.ts';
import { testDatabase } from './database.ts';
import { sqliteTemplate } from './template.ts';

type Response = LightMyRequestResponse;

/** Someone with a browser: keeps cookies, and sends `rTag` with every write unless told otherwise. */
export interface Visitor {
  /** Cookies by name. */
  readonly cookies: Map<string, string>;
  inject(options: InjectOptions): Promise<Response>;
  /** Sends a call as a form (GET and PUT: as query) and gives the answer as it came. */
  send<C extends Call>(call: C, input: Partial<InputOf<C>>): Promise<Response>;
  /** Sends a call that must succeed and gives its data. */
  ask<C extends Call>(call: C, input: InputOf<C>): Promise<ReplyOf<C>>;
  /** Sends a call that must be refused and gives the refusal with its HTTP status. */
  refusal<C extends Call>(call: C, input: Partial<InputOf<C>>): Promise<ErrorAnswer & { status: number }>;
}

export interface User extends Visitor {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
  readonly session: Session;
}

export interface TestApp {
  readonly app: FastifyInstance;
  readonly services: Services;
  readonly config: Config;
  /** Everything logged so far. */
  log(): string;
  visitor(): Visitor;
  /** A new account, signed in; each call makes another one unless an address is given. */
  signUp(email?: string): Promise<User>;
  /** A second instance of the same installation; closed before the data folder is removed. */
  secondInstance(stand?: TestOverrides): Promise<Services>;
}

interface Options extends TestOverrides {
  readonly settings?: Readonly<Record<string, string>>;
}

/** A real app on a database of its own (SQLite, or Postgres as SHEAF_TEST_DATABASE says); gone at the end of the test. */
export async function testApp(t: TestContext, { settings = {}, ...stand }: Options = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sheaf-test-'));
  const databaseUrl = await testDatabase();
  // Hundreds of tests count requests: nothing looks into links by itself unless a test asks for it.
  const quiet = { SHEAF_CRAWL: 'off', SHEAF_LOG_LEVEL: 'debug' };
  const config = readConfig({ SHEAF_DATA_DIR: dataDir, SHEAF_DATABASE_URL: databaseUrl, ...quiet, ...settings });
  // A database that is there already is opened as after a restart; that an empty folder gets its tables is tested in platform/db.
  if (config.databaseUrl === '' && config.dataDir === dataDir)
    await writeFile(join(dataDir, 'sheaf.db'), await sqliteTemplate(), { mode: 0o600 });
  let written = '';
  const log = createLog(config.logLevel, { write: (line: string) => void (written += line) });
  const services = await createServices(config, log, { schedules: false, ...stand });
  const app = await buildApp(services);
  const others: Services[] = [];
  t.after(async () => {
    // As server.ts does: a stream that ends after the beginning of closing leaves a connection that would be kept for a minute.
    const closing = setInterval(() => app.server.closeIdleConnections(), 50);
    await app.close();
    clearInterval(closing);
    await Promise.all([services, ...others].map((one) => one.close()));
    await rm(dataDir, { recursive: true, force: true });
  });
  /** Signs up; where that takes a mail, an invitation or the code printed at the start, as somebody whose account is older than that, and whose address is confirmed if there is a mail server. */
  async function openAccount(someone: Visitor, email: string, password: string): Promise<Session> {
    const isDirect = config.smtpUrl === '' && config.isPrivate && config.signup === 'open';
    if (!isDirect)
      await services.accounts.create({ name: 'Mara', email, passwordHash: await hashPassword(password), verified: config.smtpUrl !== '' });
    const answer = isDirect
      ? await someone.ask(emailSignup, { name: 'Mara', email, password })
      : await someone.ask(emailLogin, { email, password });
    assert.ok(isSession(answer));
    return answer;
  }
  let people = 0;
  return {
    app,
    services,
    config,
    log: () => written,
    visitor: () => visitor(app),
    async signUp(email = `person-${++people}@example.org`) {
      const someone = visitor(app);
      const password = 'correct horse battery';
      const session = await openAccount(someone, email, password);
      const account = await services.accounts.findByEmail(email);
      assert.ok(account);
      return { ...someone, email, password, session, userId: account.id };
    },
    async secondInstance(overrides = {}) {
      const other = await createServices(config, log, { schedules: false, ...overrides });
      others.push(other);
      return other;
    },
  };
}

function visitor(app: FastifyInstance): Visitor {
  const cookies = new Map<string, string>();
  const inject = async (options: InjectOptions): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await app.inject({ ...options, headers: { ...(cookie === '' ? {} : { cookie }), ...options.headers } });
    for (const { name, value, maxAge } of response.cookies) {
      if (maxAge === 0) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const send = <C extends Call>({ method, path, rTag }: C, input: Partial<InputOf<C>>): Promise<Response> => {
    const tag = rTag === 'none' ? undefined : cookies.get('sh');
    const query = toQuery({ ...(tag === undefined ? {} : { rTag: tag }), ...input });
    if (method === 'GET') return inject({ method, url: `${path}?${query}` });
    if (method === 'PUT') return inject({ method, url: `${path}?${query}`, headers: tag === undefined ? {} : { 'x-rtag': tag } });
    return inject({ method, url: path, payload: query, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
  };
  return {
    cookies,
    inject,
    send,
    async ask<C extends Call>(call: C, input: InputOf<C>) {
      const response = await send(call, input);
      assert.equal(response.statusCode, 200, `${call.path}: ${response.body}`);
      return response.json<{ data: ReplyOf<C> }>().data;
    },
    async refusal(call, input) {
      const response = await send(call, input);
      assert.notEqual(response.statusCode, 200, `${call.path} was not refused: ${response.body}`);
      return { ...response.json<ErrorAnswer>(), status: response.statusCode };
    },
  };
}

function toQuery(input: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) query.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one));
    }
  }
  return query.toString();
}
