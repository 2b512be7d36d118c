import { type SMTPServerOptions, SMTPServer } from 'smtp-server';
import { eventually, freePort } from '../process.ts';

/** A received mail. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as sent. */
  readonly source: string;
}

interface Options {
  /** Required credentials. */
  readonly user?: string;
  readonly password?: string;
  /** Recipients that are rejected as unknown mailboxes. */
  readonly unknown?: readonly string[];
}

export interface Smtp {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Returns the newest mail to that address; waits until there is one. */
  mailTo(address: string): Promise<ReceivedMail>;
  stop(): Promise<void>;
}

/** Starts a mail server on 127.0.0.1 that accepts every mail, except to unknown mailboxes, and forwards none. */
export async function startSmtp({ user, password, unknown = [] }: Options = {}): Promise<Smtp> {
  const port = await freePort();
  const mails: ReceivedMail[] = [];
  const options: SMTPServerOptions = {
    authOptional: user === undefined,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onAuth(login, _session, done) {
      if (login.username === user && login.password === password) done(null, { user: login.username });
      else done(new Error('wrong user or password'));
    },
    onRcptTo({ address }, _session, done) {
      if (unknown.includes(address)) done(new Error('no such mailbox'));
      else done();
    },
    onData(stream, session, done) {
      let source = '';
      stream.on('data', (chunk: Buffer) => (source += chunk.toString()));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({ from: mailFrom === false ? '' : mailFrom.address, to: rcptTo.map(({ address }) => address), source });
        done();
      });
    },
  };
  const server = new SMTPServer(options);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const newestTo = (address: string): ReceivedMail | undefined => mails.findLast(({ to }) => to.includes(address));
  const login = user === undefined ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password ?? '')}@`;
  return {
    url: `smtp://${login}127.0.0.1:${port}`,
    mails,
    async mailTo(address) {
      await eventually(() => newestTo(address) !== undefined, `a mail to ${address}`);
      const mail = newestTo(address);
      if (!mail) throw new Error(`no mail to ${address}`);
      return mail;
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
