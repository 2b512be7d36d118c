import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);
const Nothing = Type.Object({});

/** States of an account as operators see it. */
export const personStates = ['active', 'unverified', 'disabled', 'closing'] as const;
export type PersonState = (typeof personStates)[number];

/** An account as operators see it: counts, but no contents, file names or secrets. Times are epoch seconds. */
export const Person = Type.Object({
  personId: text,
  name: text,
  email: text,
  state: Type.Unsafe<PersonState>({ type: 'string', enum: [...personStates] }),
  isOperator: Type.Boolean(),
  /** Whether the settings make the account an operator; operators cannot revoke this on the page. */
  isOperatorBySettings: Type.Boolean(),
  isYou: Type.Boolean(),
  hasSecondFactor: Type.Boolean(),
  createdAt: Type.Integer(),
  /** Last use of a browser or a command line; absent when none is known. */
  lastSeenAt: optional(Type.Integer()),
  /** When the account will be deleted. */
  closesAt: optional(Type.Integer()),
  links: Type.Integer(),
  /** Number of items in stored listings. */
  storedNames: Type.Integer(),
});
export type Person = Static<typeof Person>;

export const listPeople = call({
  method: 'GET',
  path: '/rest/operator/people',
  input: Type.Object({
    /** Part of a name or an address. */
    query: optional(text),
    /** `next` of the previous page. */
    after: optional(text),
  }),
  reply: Type.Object({ people: Type.Array(Person), next: optional(text) }),
  summary: 'For the operator: accounts in the order of their addresses, fifty at a time.',
});

/** Declares a change of one account. */
const change = (path: string, summary: string) =>
  call({ method: 'POST', path, rTag: 'required', input: Type.Object({ personId: text, rTag }), reply: Nothing, summary });
const switched = (path: string, summary: string) =>
  call({
    method: 'POST',
    path,
    rTag: 'required',
    input: Type.Object({ personId: text, isOn: Type.Boolean(), rTag }),
    reply: Nothing,
    summary,
  });

export const setPersonDisabled = switched(
  '/rest/operator/set_disabled',
  'For the operator: disables an account, which ends its sessions and its work at once, or enables it again.',
);
export const setPersonOperator = switched(
  '/rest/operator/set_operator',
  'For the operator: makes somebody an operator, or takes that back; addresses named in the settings stay operators.',
);
export const signOutPerson = change(
  '/rest/operator/sign_out',
  "For the operator: ends an account's sessions, command lines and app passwords.",
);
export const removePersonFactor = change(
  '/rest/operator/remove_factor',
  "For the operator: removes an account's second factors and passkeys, which its owner has lost.",
);
export const closePerson = call({
  method: 'POST',
  path: '/rest/operator/close',
  rTag: 'required',
  input: Type.Object({ personId: text, rTag }),
  reply: Type.Object({ closesAt: Type.Integer() }),
  summary: 'For the operator: closes an account, which its owner can keep for some days unless it is disabled.',
});
export const keepPerson = change('/rest/operator/keep', 'For the operator: keeps an account that is about to be closed.');

/** An action of an operator. */
export const operatorActions = [
  'people.invite',
  'people.withdraw',
  'people.disable',
  'people.enable',
  'people.signOut',
  'people.removeFactor',
  'people.makeOperator',
  'people.removeOperator',
  'people.close',
  'people.keep',
  'jobs.retry',
  'jobs.cancel',
  'limits.set',
  'mail.test',
  'backup.make',
] as const;
export type OperatorAction = (typeof operatorActions)[number];

export const OperatorLogEntry = Type.Object({
  entryId: text,
  /** Epoch seconds. */
  at: Type.Integer(),
  actor: text,
  action: Type.Unsafe<OperatorAction>({ type: 'string', enum: [...operatorActions] }),
  subject: text,
});
export type OperatorLogEntry = Static<typeof OperatorLogEntry>;
export const listOperatorLog = call({
  method: 'GET',
  path: '/rest/operator/log',
  input: Type.Object({ before: optional(text) }),
  reply: Type.Object({ entries: Type.Array(OperatorLogEntry), next: optional(text) }),
  summary: 'For the operator: what operators did, the latest first. Nobody can change it.',
});
