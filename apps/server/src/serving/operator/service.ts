import { type Dialer, type FindDefinition, isKind } from '@sheaf/connectors';
import { type OperatedProvider, type Source, type Verdict, AppError, appError, findSource, sources } from '@sheaf/contract';
import type { Operators } from '#/identity/admission/operators.ts';
import { answerOf } from '#/links/connections/answers.ts';
import { type AppOf, closedBecause } from '#/links/grants/apps.ts';
import { newToken } from '#/platform/tokens.ts';

/** Timeout of a provider's test in milliseconds, short because the operator waits for it. */
const timeout = 20_000;

interface Deps {
  readonly operators: Operators;
  readonly appOf: AppOf;
  readonly findDefinition: FindDefinition;
  readonly dialer: Dialer;
  /** The address to register with each provider. */
  readonly redirectUri: string;
}

export type Operator = ReturnType<typeof createOperator>;

/** The operator's pages. Rejects with NOT_OPERATOR for everybody else. */
export function createOperator({ operators, appOf, findDefinition, dialer, redirectUri }: Deps) {
  const refuseOthers = operators.require;

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
    isOperator: operators.isOperator,

    /** All providers that need a registered application. */
    async list(userId: string): Promise<OperatedProvider[]> {
      await refuseOthers(userId);
      const all = sources.flatMap((source: Source) => (source.settings === undefined ? [] : [described(source, source.settings)]));
      return (await Promise.all(all)).toSorted((a, b) => a.title.localeCompare(b.title, 'en'));
    },

    /**
     * Redeems an invalid code: a provider that knows the application refuses the code, any other refuses the application. Faults that show only in a
     * user's browser, such as an unregistered redirect address, are not detected.
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
        await authorization.redeem(ask, { dialer, app }, AbortSignal.any([signal, AbortSignal.timeout(timeout)]));
      } catch (error) {
        if (isKind(error, 'unauthorized')) return { isValid: true };
        return refused(answerOf(error, { provider: source.title }));
      }
      // A provider that accepts an invalid code is not a real one.
      return refused(appError('SOURCE_CONFUSED', { provider: source.title }));
    },
  };
}

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
