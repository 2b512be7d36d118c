import { type GivenOrgRole, Limits } from '@sheaf/contract';
import { Check, Clean } from 'typebox/value';

/** A provider's claims about a person, by name. Their types are checked before use. */
export type RawClaims = Readonly<Record<string, unknown>>;

/** A claim and its value that give a role in an organisation. */
export interface OrgClaim {
  readonly claim: string;
  readonly value: string;
  readonly orgId: string;
  readonly role: GivenOrgRole;
}

/** Which claims of a provider are followed at each sign-in. Claims are named with their path, as in `realm_access.roles`; empty ones are not followed. */
export interface ClaimRules {
  /** `claim=value` that makes somebody an operator. */
  readonly operators: string;
  readonly organisations: readonly OrgClaim[];
  /** The claim with a person's limits. */
  readonly limits: string;
  readonly name: string;
  /** The claim with the address of a person's picture. */
  readonly picture: string;
}
export const noRules: ClaimRules = { operators: '', organisations: [], limits: '', name: 'name', picture: '' };

/** The claims that Sheaf follows; undefined where the rules ask for none. */
export interface Followed {
  readonly isOperator: boolean | undefined;
  /** Of each organisation that the rules name: the role, or undefined for none. */
  readonly roles: ReadonlyMap<string, GivenOrgRole | undefined>;
  readonly limits: Limits | undefined;
  readonly name: string | undefined;
  /** Empty for none. */
  readonly picture: string | undefined;
}

/** Reads the claims that the rules name. */
export function followedOf(claims: RawClaims, { operators, organisations, limits, name, picture }: ClaimRules): Followed {
  const [operatorClaim = '', operatorValue = ''] = splitOnce(operators);
  const roles = new Map<string, GivenOrgRole | undefined>();
  for (const { orgId, role, claim, value } of organisations) {
    const given = has(claims, claim, value) ? role : undefined;
    roles.set(orgId, given === 'admin' || roles.get(orgId) === undefined ? (given ?? roles.get(orgId)) : roles.get(orgId));
  }
  return {
    isOperator: operators === '' ? undefined : has(claims, operatorClaim, operatorValue),
    roles,
    limits: limits === '' ? undefined : readLimits(claimAt(claims, limits)),
    name: text(claimAt(claims, name)),
    picture: picture === '' ? undefined : (text(claimAt(claims, picture)) ?? ''),
  };
}

/** Whether a claim that the rules ask for is absent, so that it may stand in the provider's other answer (OpenID Connect Core 1.0, section 5.3). */
export const lacksAny = (claims: RawClaims, { operators, organisations, limits, picture }: ClaimRules): boolean =>
  ['email', operators.split('=')[0] ?? '', ...organisations.map(({ claim }) => claim), limits, picture].some(
    (path) => path !== '' && claimAt(claims, path) === undefined,
  );

/** A claim that is text, and not empty. */
export const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function claimAt(claims: RawClaims, path: string): unknown {
  // Some providers write a whole address as the name of a claim, dots included.
  const own = Object.hasOwn(claims, path) ? claims[path] : undefined;
  return own ?? path.split('.').reduce<unknown>((at, step) => (isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined), claims);
}

/** Whether a claim is or holds that value. */
function has(claims: RawClaims, path: string, value: string): boolean {
  const found = claimAt(claims, path);
  return (Array.isArray(found) ? found : [found]).some((one) => (isScalar(one) ? String(one) === value : false));
}

/** Limits as an object, or as its JSON: not every provider can put an object into a token. Unknown names and values out of range are ignored. */
function readLimits(value: unknown): Limits {
  const given = typeof value === 'string' ? parsed(value) : value;
  if (!isObject(given)) return {};
  const known = Object.entries(Limits.properties).filter(([name, schema]) => Object.hasOwn(given, name) && Check(schema, given[name]));
  const limits = Clean(Limits, Object.fromEntries(known.map(([name]) => [name, given[name]])));
  return Check(Limits, limits) ? limits : {};
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    // Invalid JSON counts as no limits.
    return undefined;
  }
}

const splitOnce = (pair: string): string[] => (pair === '' ? [] : [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
const isScalar = (value: unknown): value is string | number | boolean => ['string', 'number', 'boolean'].includes(typeof value);
