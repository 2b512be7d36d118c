import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

const text = Type.String();

/** What an operator should see to. */
export const healthProblems = ['diskLow', 'databaseSlow', 'mailOnDisk', 'plainHttp', 'jobsFail', 'noBackup', 'backupOld'] as const;
export type HealthProblem = (typeof healthProblems)[number];

/** How the instance that answers is. Times are epoch seconds. */
export const Health = Type.Object({
  version: text,
  /** Of the runtime. */
  nodeVersion: text,
  startedAt: Type.Integer(),
  /** The instance's clock, to be compared with one's own. */
  now: Type.Integer(),
  publicUrl: text,
  database: Type.Object({
    kind: Type.Union([Type.Literal('sqlite'), Type.Literal('postgres')]),
    /** Its size in bytes. */
    bytes: Type.Integer(),
    /** Milliseconds of its answer to a small question. */
    answer: Type.Number(),
  }),
  /** Bytes of the disk with the data folder. */
  disk: Type.Object({ free: Type.Integer(), total: Type.Integer() }),
  /** The mail server; without one, mails are written to the data folder. */
  mailServer: Type.Optional(text),
  /** Bytes of memory that the process has. */
  memory: Type.Integer(),
  failingJobs: Type.Integer(),
  backupAt: Type.Optional(Type.Integer()),
  problems: Type.Array(Type.Unsafe<HealthProblem>({ type: 'string', enum: [...healthProblems] })),
});
export type Health = Static<typeof Health>;

export const showHealth = call({
  method: 'GET',
  path: '/rest/operator/health',
  input: Type.Object({}),
  reply: Health,
  summary: 'For the operator: disk, database, mail, backups and what needs attention.',
});
export const sendTestMail = call({
  method: 'POST',
  path: '/rest/operator/test_mail',
  input: Type.Object({ rTag: Type.Optional(text) }),
  reply: Type.Object({ to: text }),
  rTag: 'required',
  summary: 'For the operator: sends a letter to the own address at once; MAIL_FAILED tells what the mail server said.',
});
