import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { type HealthProblem, healthTexts } from '../catalogue/health-texts.ts';

const text = Type.String();

/** A problem that needs the operator's attention. */
export const HealthFinding = Type.Object({
  problem: Type.Unsafe<HealthProblem>({ type: 'string', enum: Object.keys(healthTexts) }),
  /** Details, such as the answer of a mail server. */
  detail: Type.Optional(text),
});
export type HealthFinding = Static<typeof HealthFinding>;

/** Calls to one kind of storage in the last hour. */
export const ProviderLoad = Type.Object({
  /** Id of the source type. */
  source: text,
  calls: Type.Integer(),
  failed: Type.Integer(),
  /** How many requests the provider rejected by rate limiting. */
  limited: Type.Integer(),
  /** Last rejection, epoch seconds. */
  limitedAt: Type.Optional(Type.Integer()),
});
export type ProviderLoad = Static<typeof ProviderLoad>;

/** State of the answering instance. Times are epoch seconds. */
export const Health = Type.Object({
  version: text,
  /** Version of the runtime. */
  nodeVersion: text,
  startedAt: Type.Integer(),
  /** The instance's clock, for comparison with the browser's. */
  now: Type.Integer(),
  publicUrl: text,
  database: Type.Object({
    kind: Type.Union([Type.Literal('sqlite'), Type.Literal('postgres')]),
    /** Its size in bytes. */
    bytes: Type.Integer(),
    /** Response time of a small query, in milliseconds. */
    answer: Type.Number(),
  }),
  /** Size and free space of the disk with the data folder, in bytes. */
  disk: Type.Object({ free: Type.Integer(), total: Type.Integer() }),
  /** The mail server; without one, mails are written to the data folder. */
  mailServer: Type.Optional(text),
  /** Memory of the process, in bytes. */
  memory: Type.Integer(),
  failingJobs: Type.Integer(),
  backupAt: Type.Optional(Type.Integer()),
  /** Counted by this instance, busiest first. */
  providers: Type.Array(ProviderLoad),
  problems: Type.Array(HealthFinding),
});
export type Health = Static<typeof Health>;

export const showHealth = call({
  method: 'GET',
  path: '/rest/operator/health',
  input: Type.Object({}),
  reply: Health,
  summary: 'For the operator: disk, database, mail, backups and what needs attention on this machine.',
});
export const examineSurroundings = call({
  method: 'GET',
  path: '/rest/operator/surroundings',
  input: Type.Object({}),
  reply: Type.Object({ problems: Type.Array(HealthFinding) }),
  summary:
    'For the operator: asks the installation through its public address, the mail server and providers, which takes seconds; what needs attention.',
});
export const sendTestMail = call({
  method: 'POST',
  path: '/rest/operator/test_mail',
  input: Type.Object({ rTag: Type.Optional(text) }),
  reply: Type.Object({ to: text }),
  rTag: 'required',
  summary: 'For the operator: sends a letter to the own address at once; MAIL_FAILED tells what the mail server said.',
});
