import { type Dialer, type FindDefinition, isKind } from '@sheaf/connectors';
import {
  type FailingJob,
  type OperatedProvider,
  type Source,
  type Verdict,
  AppError,
  appError,
  findSource,
  sources,
} from '@sheaf/contract';
import type { Accounts } from '#/identity/account/service.ts';
import { answerOf } from '#/links/connections/answers.ts';
import { type AppOf, closedBecause } from '#/links/grants/apps.ts';
import type { JobRef, Jobs } from '#/platform/jobs/jobs.ts';
import { newToken } from '#/platform/tokens.ts';

/** Failing jobs that are listed at most. */
const mostJobs = 100;
/** ms for a provider to answer a test: somebody sits before the page. */
const patience = 20_000;

interface Deps {
  /** Addresses in lower case, or everyone who is signed in. */
  readonly operators: 'everyone' | readonly string[];
  readonly accounts: Accounts;
  readonly appOf: AppOf;
  readonly findDefinition: FindDefinition;
  readonly dialer: Dialer;
  readonly jobs: Pick<Jobs, 'failing' | 'retryNow'>;
  /** What is to be registered with each provider. */
  readonly redirectUri: string;
}

export type Operator = ReturnType<typeof createOperator>;

/** What those who run the installation may know and do. Rejects everybody else with NOT_OPERATOR. */
export function createOperator({ operators, accounts, appOf, findDefinition, dialer, jobs, redirectUri }: Deps) {
  /** By an address that is proven: anybody can write one that is not. */
  async function isOperator(userId: string): Promise<boolean> {
    if (operators === 'everyone') return true;
    if (operators.length === 0) return false;
    const { emailKey, verifiedAt } = await accounts.get(userId);
    return verifiedAt !== null && operators.includes(emailKey);
  }

  async function refuseOthers(userId: string): Promise<void> {
    if (!(await isOperator(userId))) throw appError('NOT_OPERATOR', {});
  }

  async function described(source: Source, settings: string): Promise<OperatedProvider> {
    const app = appOf(source) ?? {};
    const definition = await findDefinition(source);
    const closed = closedBecause(source, appOf);
    const name = (suffix: string): string => `SHEAF_${settings}_${suffix}`;
    const given = settingNames.filter(([field]) => app[field]).map(([, suffix]) => name(suffix));
    const needed = ['CLIENT_ID', 'CLIENT_SECRET', ...(source.closed === undefined ? [] : ['API_URL'])].map(name);
    return {
      provider: source.provider,
      title: source.title,
      settings,
      isSetUp: Boolean(app.clientId),
      given,
      missing: needed.filter((one) => !given.includes(one)),
      redirectAddress: redirectUri,
      scopes: [...(definition?.authorization?.scopes(source.provider) ?? [])],
      ...(closed !== undefined && { closed }),
    };
  }

  return {
    isOperator,

    /** All providers that an application has to be registered with. */
    async list(userId: string): Promise<OperatedProvider[]> {
      await refuseOthers(userId);
      const all = sources.flatMap((source: Source) => (source.settings === undefined ? [] : [described(source, source.settings)]));
      return (await Promise.all(all)).toSorted((a, b) => a.title.localeCompare(b.title, 'en'));
    },

    /** Background jobs whose last attempt failed, the latest first. */
    async failingJobs(userId: string): Promise<FailingJob[]> {
      await refuseOthers(userId);
      return (await jobs.failing(mostJobs)).map(({ scope, id, kind, state, reason, attempts, failedAt, dueAt }) => ({
        scope,
        jobId: id,
        kind,
        state: state === 'dead' || state === 'running' ? state : 'waiting',
        reason: reason ?? '',
        attempts,
        failedAt: seconds(failedAt ?? 0),
        ...(state === 'ready' && dueAt !== null && { nextAt: seconds(dueAt) }),
      }));
    },

    /** Runs a failing job now; false when it is running, done or gone. */
    async retryJob(userId: string, job: JobRef): Promise<boolean> {
      await refuseOthers(userId);
      return jobs.retryNow(job);
    },

    /**
     * Redeems a code that nobody was given: a provider that knows the application refuses the code, one that does not refuses the application.
     * What only the user's browser would show, such as a redirect address that is not registered, stays unseen.
     */
    async test(userId: string, provider: string, signal: AbortSignal): Promise<Verdict> {
      await refuseOthers(userId);
      const source = findSource(provider);
      const app = source && appOf(source);
      if (!source || !app) throw appError('INVALID_SOURCE_TYPE', {});
      const { authorization } = (await findDefinition(source)) ?? {};
      if (!authorization) throw appError('NOT_AVAILABLE_YET', {});
      if (!app.clientId) return refused(appError('PROVIDER_NOT_SET_UP', {}));
      const ask = { provider: source.provider, code: newToken(), redirectUri, verifier: newToken() };
      try {
        await authorization.redeem(ask, { dialer, app }, AbortSignal.any([signal, AbortSignal.timeout(patience)]));
      } catch (error) {
        if (isKind(error, 'unauthorized')) return { isValid: true };
        return refused(answerOf(error, { provider: source.title }));
      }
      // Whoever takes any code is no provider.
      return refused(appError('SOURCE_CONFUSED', { provider: source.title }));
    },
  };
}

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

const settingNames = [
  ['clientId', 'CLIENT_ID'],
  ['clientSecret', 'CLIENT_SECRET'],
  ['apiUrl', 'API_URL'],
  ['authUrl', 'AUTH_URL'],
  ['tokenUrl', 'TOKEN_URL'],
  ['uploadUrl', 'UPLOAD_URL'],
] as const;

function refused(error: unknown): Verdict {
  if (!(error instanceof AppError)) throw error;
  return { isValid: false, ...error.toAnswer() };
}
