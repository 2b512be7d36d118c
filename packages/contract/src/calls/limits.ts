import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

const text = Type.String();
const optional = Type.Optional;

/** The limits that operators can set, with their ranges. */
export const limitRanges = {
  /** Number of links of an account; Spaces that it joined do not count. */
  links: { least: 0, most: 100_000 },
  /** Number of public links of an account, including ended ones. */
  shares: { least: 0, most: 1_000_000 },
  /** Number of concurrent transfers of an account; further ones wait. */
  transfers: { least: 1, most: 50 },
  /** Total bytes per second of an account's transfers, in each process. */
  bandwidth: { least: 1024, most: 100_000_000_000 },
} as const;
export type LimitName = keyof typeof limitRanges;

const ranged = ({ least, most }: { least: number; most: number }) => optional(Type.Integer({ minimum: least, maximum: most }));

/** Limits; an absent one falls back to the next wider rule. */
export const Limits = Type.Object({
  links: ranged(limitRanges.links),
  shares: ranged(limitRanges.shares),
  transfers: ranged(limitRanges.transfers),
  bandwidth: ranged(limitRanges.bandwidth),
});
export type Limits = Static<typeof Limits>;

/** A person, or an organisation with its members. */
export const LimitedAccount = Type.Object({
  accountId: text,
  name: text,
  /** Of a person. */
  email: optional(text),
  kind: Type.Union([Type.Literal('person'), Type.Literal('organisation')]),
  limits: Limits,
});
export type LimitedAccount = Static<typeof LimitedAccount>;

export const showLimits = call({
  method: 'GET',
  path: '/rest/operator/limits',
  input: Type.Object({}),
  reply: Type.Object({
    /** For accounts without a rule of their own. */
    everyone: Limits,
    /** Accounts with rules of their own. */
    accounts: Type.Array(LimitedAccount),
  }),
  summary: 'For the operator: how many links, shares and transfers accounts may have.',
});

export const findLimitable = call({
  method: 'GET',
  path: '/rest/operator/find_limitable',
  input: Type.Object({ query: text }),
  reply: Type.Object({ accounts: Type.Array(LimitedAccount) }),
  summary: 'For the operator: people and organisations whose name or address contains the text, twenty at most.',
});

export const setLimits = call({
  method: 'POST',
  path: '/rest/operator/set_limits',
  rTag: 'required',
  input: Type.Object({
    /** Absent: the limits for everyone. */
    accountId: optional(text),
    ...Limits.properties,
    rTag: optional(text),
  }),
  reply: Type.Object({}),
  summary: 'For the operator: replaces the limits of everyone, or of one account; what is over a limit already stays.',
});
