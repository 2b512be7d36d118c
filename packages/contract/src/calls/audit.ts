import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

const text = Type.String();
const optional = Type.Optional;

/** Logged actions, each with its sentence after the actor's name; {slots} are filled from the event and its details. */
export const auditActions = {
  'link.add': 'linked {name}',
  'link.update': 'changed the link {name}',
  'link.remove': 'unlinked {name}',
  'link.authorize': 'authorized {name} again',
  'share.create': 'shared {name} by a public link',
  'share.update': 'changed the public link of {name}',
  'share.remove': 'removed the public link of {name}',
  'space.create': 'created the space {name}',
  'space.rename': 'renamed the space {name} to {newName}',
  'space.move': 'put the space {name} onto another folder',
  'space.invite': 'invited {email} to the space {name} as {role}',
  'space.join': 'joined the space {name}',
  'space.decline': 'declined the invitation to the space {name}',
  'space.role': 'made {member} {role} of the space {name}',
  'space.expel': 'removed {member} from the space {name}',
  'space.withdraw': 'took back the invitation of {member} to the space {name} by {inviter}',
  'space.leave': 'left the space {name}',
  'space.remove': 'ended the space {name}',
  'org.create': 'made the organisation {name}',
  'org.rename': 'renamed the organisation {name} to {newName}',
  'org.invite': 'invited {email} to {name} as {role}',
  'org.join': 'joined {name}',
  'org.add': 'added {member} to {name} as {role}',
  'org.full': 'could not add {member} to {name}, whose plan has no free place',
  'org.token': 'made the directory token {token} of {name}',
  'org.tokenRemoved': 'revoked the directory token {token} of {name}',
  'org.groupRole': 'let the group {group} of the directory make {role} of {name}',
  'org.decline': 'declined the invitation to {name}',
  'org.role': 'made {member} {role} of {name}',
  'org.expel': 'removed {member} from {name}',
  'org.withdraw': 'took back the invitation of {member} to {name} by {inviter}',
  'org.leave': 'left {name}',
  'org.transfer': 'made {member} the owner of {name}',
  'org.close': 'closed {name}',
  'billing.trial': 'started the trial of {name}',
  'billing.purchase': 'bought {name}',
  'billing.renew': '{name} was renewed',
  'billing.renewFailed': 'the renewal of {name} failed',
  'billing.expire': '{name} ended',
  'billing.autoRenew': 'turned renewal of {name} {state}',
  'billing.units': 'changed {name} to {units} members',
  'billing.refund': 'was refunded for {name}',
  'billing.card': 'changed the card that pays',
  'account.name': 'changed the name to {name}',
  'account.email': 'changed the e-mail address to {name}',
  'account.password': 'changed the password',
  'account.signIn': 'added signing in with {name}',
  'account.signInRemoved': 'removed signing in with {name}',
  'account.factorAdded': 'added {name} as a second factor',
  'account.factorRemoved': 'removed {name} as a second factor',
  'account.codes': 'made new recovery codes',
  'account.sessions': 'ended sessions',
  'account.authCode': 'made the authentication code {name}',
  'account.authCodeRemoved': 'revoked the authentication code {name}',
  'account.appPassword': 'made the app password {name}',
  'account.appPasswordRemoved': 'revoked the app password {name}',
  'account.sshKey': 'added the SSH key {name}',
  'account.sshKeyRemoved': 'revoked the SSH key {name}',
  'agent.allow': 'let the agent {name} into {places}, to {rights}',
  'agent.remove': 'revoked the agent {name}',
  'agent.links': 'let {agent} list the links',
  'agent.list': 'let {agent} list {name}',
  'agent.search': 'let {agent} search for {name}',
  'agent.read': 'let {agent} read {name}',
  'agent.address': 'let {agent} look up the address of {name}',
  'agent.folder': 'let {agent} make the folder {name}',
  'agent.write': 'let {agent} write {name}',
  'agent.plan': 'let {agent} plan to {kind} {name}',
  'agent.status': 'let {agent} ask about its plan for {name}',
  'agent.kept': 'kept {agent} from {name}',
  'agent.confirm': 'confirmed that {agent} planned to {kind} {name}',
  'agent.refuse': 'refused that {agent} planned to {kind} {name}',
  'account.export': 'exported the settings of all links',
  'account.exportSecrets': 'exported all links with their secrets',
  'account.close': 'asked to close the account',
  'account.reopen': 'kept the account after all',
} as const satisfies Readonly<Record<string, string>>;
export type AuditAction = keyof typeof auditActions;
export const auditActionNames = Object.keys(auditActions) as readonly AuditAction[];

export const AuditEntry = Type.Object({
  id: text,
  /** Epoch seconds. */
  at: Type.Integer(),
  actorName: text,
  /** Absent for automatic events. */
  actorId: optional(text),
  action: text,
  /** The action as a sentence without its subject. */
  sentence: text,
  name: text,
});
export type AuditEntry = Static<typeof AuditEntry>;

/** Selects the log of an account, a Space or an organisation. */
const LogRef = { spaceOid: optional(text), orgOid: optional(text) };
export const listAudit = call({
  method: 'GET',
  path: '/rest/audit/list',
  input: Type.Object({ ...LogRef, before: optional(text), limit: Type.Integer({ default: 50, minimum: 1, maximum: 200 }) }),
  reply: Type.Object({ entries: Type.Array(AuditEntry), hasMore: Type.Boolean() }),
  summary: 'Who did what and when, the newest first.',
});
export const exportAudit = call({
  method: 'GET',
  path: '/rest/audit/export',
  input: Type.Object({ ...LogRef, format: Type.Union([Type.Literal('csv'), Type.Literal('json')], { default: 'csv' }) }),
  reply: Type.Unknown(),
  summary: 'The whole log as a file.',
});

/** The sentence of an entry; a slot without a detail stays empty. */
export function auditSentence(action: string, name: string, details: Readonly<Record<string, string>>): string {
  const template: string | undefined = (auditActions as Readonly<Record<string, string>>)[action];
  return (template ?? action).replace(/\{(\w+)\}/g, (_, slot: string) => (slot === 'name' ? name : (details[slot] ?? '')));
}
