import { hash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Parse } from 'typebox/value';
import { type JobHandler, defineJob } from '#/platform/jobs/job.ts';
import type { JobRequest } from '#/platform/jobs/jobs.ts';
import { signedBy } from './content.ts';
import type { Mailer, Transport } from './mailer.ts';

interface SecretPlace {
  readonly table: string;
  readonly recordId: string;
  readonly field: string;
}

/** Seals mails at rest: links in them open accounts. */
export interface Sealer {
  seal(place: SecretPlace, secret: string): string;
  open(place: SecretPlace, sealed: string): string;
}

interface Deps {
  readonly transport: Transport;
  readonly vault: Sealer;
  readonly enqueue: (job: JobRequest) => Promise<unknown>;
  readonly newId: () => string;
  /** Name of the installation, which signs each mail; empty: Sheaf. */
  readonly name: string;
}

const kind = 'mail.send';
/** Attempts of one mail: about a day, as waits grow to an hour. */
const attempts = 32;
/** Most mails that are delivered at once, among all instances. */
const lanes = 4;

const MailFields = Type.Object({ to: Type.String(), subject: Type.String(), text: Type.String(), html: Type.String() });
const Payload = Type.Object({ id: Type.String(), sealed: Type.String() });
const placeOf = (id: string): SecretPlace => ({ table: 'job', recordId: id, field: 'mail' });

/** Mails as jobs, so that none is lost with its process. Those to one address are delivered in their order, unless one has to be retried. */
export function createMailQueue({ transport, vault, enqueue, newId, name }: Deps): { readonly mailer: Mailer; readonly job: JobHandler } {
  let count = 0;

  /** Sorts by time: the outbox names its files by it. */
  function makeId(): string {
    count += 1;
    const time = new Date().toISOString().replaceAll(/[:.]/g, '-');
    return `${time}-${String(count).padStart(6, '0')}-${newId()}`;
  }

  const laneOf = (address: string): string =>
    `mail:${Number.parseInt(hash('sha256', address.toLowerCase(), 'hex').slice(0, 8), 16) % lanes}`;

  return {
    mailer: {
      async send({ to, ...content }, key) {
        const { subject, text, html } = name === '' ? content : signedBy(name, content);
        const id = makeId();
        const payload: Static<typeof Payload> = { id, sealed: vault.seal(placeOf(id), JSON.stringify({ to, subject, text, html })) };
        await enqueue({ kind, payload, priority: 'high', lane: { name: laneOf(to), limit: 1 }, ...(key !== undefined && { key }) });
      },
    },
    job: defineJob({
      kind,
      payload: Payload,
      attempts,
      run: ({ payload: { id, sealed } }) => transport.send(Parse(MailFields, JSON.parse(vault.open(placeOf(id), sealed))), id),
    }),
  };
}
