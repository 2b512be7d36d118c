import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { deadlines } from '../../core/deadlines.ts';
import type { Dialer, TlsRule } from '../../core/dialer.ts';
import { ConnectorError } from '../../core/error.ts';
import type { Reply } from './errors.ts';

/** The control connection; replies arrive in the order of the commands. */
export interface Control {
  readonly dead: boolean;
  /** The server's IP address, also used for data connections. */
  readonly address: string;
  /** The TLS session that data connections resume; undefined without TLS. */
  session(): Buffer | undefined;
  /**
   * Sends a line and waits for its reply. Rejects with `timeout`, `interrupted`, `aborted` or `badName`; the connection is unusable after
   * the first three.
   */
  command(line: string, signal: AbortSignal, within?: number): Promise<Reply>;
  /**
   * Sends lines in one write where the server supports it (`pipelines`), otherwise each one when its reply is awaited. Throws as `command`
   * rejects.
   */
  series(lines: readonly string[], signal: AbortSignal, within?: number): Series;
  /** Whether the server answers several lines that arrive at once; false until a probe has shown it. */
  pipelines: boolean;
  /**
   * Waits for a further reply, such as the one that ends a transfer; `within` in ms, where it may take longer than the reply to a query.
   */
  reply(signal: AbortSignal, within?: number): Promise<Reply>;
  /** Upgrades the connection to TLS: RFC 4217, 4. */
  secure(dialer: Dialer, rule: TlsRule & { readonly host: string }, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** A series of lines, whose replies arrive in order. Each reply must be awaited or skipped before anything else is sent. */
export interface Series {
  /** Waits for the reply to the next line; rejects as `command` does. */
  next(): Promise<Reply>;
  /** Skips that many lines: those not sent yet never will be. */
  skip(lines: number): Promise<void>;
}

/** Returns the error for a server that does not speak FTP; `problem` gives more detail where known. */
export const notFtp = (problem = ''): ConnectorError =>
  new ConnectorError('wrongProtocol', `the server does not speak FTP ${problem}`, { details: { protocol: 'FTP', problem } });

/** Distinguishes a server that never sent anything from one that stopped responding. */
const silence = (heard: boolean): Readonly<Record<string, string>> => (heard ? {} : { protocol: 'FTP', problem: 'silent' });

/** Commands that change something at the server, which may take longer than a query: RFC 959, section 4.1. */
const changes = /^(?:APPE|DELE|MFMT|MKD|RMD|RNTO|SITE|STOR)\b/;

/** Maximum characters of a reply. */
const longestReply = 256 * 1024;
/** Maximum queued replies without a command: a server may say goodbye or answer a few commands early. */
const mostAhead = 100;

/** Speaks FTP's command and reply lines over a connected socket. Lines are bytes in latin1 text. */
export function createControl(plain: Socket): Control {
  let socket = plain;
  let session: Buffer | undefined;
  let dead = false;
  let heard = false;
  let failure: ConnectorError | undefined;
  let text = '';
  let collecting: { code: string; lines: string[]; length: number } | undefined;
  const replies: Reply[] = [];
  let waiter: { resolve: (reply: Reply) => void; reject: (error: ConnectorError) => void } | undefined;

  function fail(error: ConnectorError): void {
    dead = true;
    failure ??= error;
    socket.destroy();
    waiter?.reject(failure);
    waiter = undefined;
  }

  function deliver(reply: Reply): void {
    if (waiter) waiter.resolve(reply);
    else if (replies.push(reply) > mostAhead) fail(new ConnectorError('unexpected', 'the server sends replies without end'));
    waiter = undefined;
  }

  /** A reply is one line, or begins with `123-` and ends with a line `123 `: RFC 959, 4.2. */
  function onLine(line: string): void {
    const [, code, dash, rest = ''] = /^(\d{3})([ -]?)(.*)$/s.exec(line) ?? [];
    if (collecting) {
      const isLast = code === collecting.code && dash === ' ';
      collecting.lines.push(isLast ? rest : line);
      collecting.length += line.length + 1;
      if (!isLast) return;
      deliver({ code: Number(code), lines: collecting.lines });
      collecting = undefined;
    } else if (code === undefined) fail(notFtp());
    else if (dash === '-') collecting = { code, lines: [rest], length: line.length };
    else deliver({ code: Number(code), lines: [rest] });
  }

  function onData(chunk: Buffer): void {
    heard = true;
    text += chunk.toString('latin1');
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (text.length + (collecting?.length ?? 0) > longestReply)
      fail(new ConnectorError('unexpected', 'the server sends a reply without end'));
  }

  function attach(to: Socket): void {
    socket = to;
    to.on('data', onData);
    to.on('error', (cause: Error) => fail(new ConnectorError('interrupted', 'the control connection broke', { cause, retryable: true })));
    to.on('close', () => fail(new ConnectorError('interrupted', 'the server closed the control connection', { retryable: true })));
    to.on('session', (next: Buffer) => {
      session = next;
    });
  }
  attach(plain);

  async function reply(signal: AbortSignal, within: number = deadlines.question): Promise<Reply> {
    const ready = replies.shift();
    if (ready) return ready;
    if (failure) throw failure;
    if (signal.aborted) throw new ConnectorError('aborted', 'given up');
    const giveUp = () => fail(new ConnectorError('aborted', 'given up while waiting for the server'));
    const timer = setTimeout(
      () => fail(new ConnectorError('timeout', `no reply within ${within} ms`, { retryable: true, details: silence(heard) })),
      within,
    );
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      return await new Promise<Reply>((resolve, reject) => {
        waiter = { resolve, reject };
      });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    }
  }

  function send(lines: readonly string[], signal: AbortSignal): void {
    if (lines.some((line) => /[\r\n\0]/.test(line))) throw new ConnectorError('badName', 'FTP cannot name an item with a line break');
    if (failure) throw failure;
    // A cancelled command must not be sent: its reply would be taken for that of the next one.
    if (signal.aborted) throw new ConnectorError('aborted', 'given up');
    socket.write(lines.map((line) => `${line}\r\n`).join(''), 'latin1');
  }
  const patience = (line: string): number => (changes.test(line) ? deadlines.change : deadlines.question);

  return {
    get dead() {
      return dead;
    },
    pipelines: false,
    address: plain.remoteAddress ?? '',
    session: () => session,
    async command(line, signal, within = patience(line)) {
      send([line], signal);
      return reply(signal, within);
    },
    series(lines, signal, within) {
      const isTogether = this.pipelines && lines.length > 1;
      if (isTogether) send(lines, signal);
      let at = 0;
      const next = async (): Promise<Reply> => {
        const line = lines[at++] ?? '';
        if (!isTogether) send([line], signal);
        return reply(signal, within ?? patience(line));
      };
      return {
        next,
        async skip(count) {
          if (!isTogether) at += count;
          else for (let left = count; left > 0; left -= 1) await next();
        },
      };
    },
    reply,
    async secure(dialer, rule, signal) {
      plain.removeAllListeners('data');
      plain.removeAllListeners('close');
      plain.removeAllListeners('error');
      const secured: TLSSocket = await dialer.upgrade(plain, rule, signal);
      session = secured.getSession();
      attach(secured);
    },
    close() {
      if (!dead) socket.end('QUIT\r\n');
      dead = true;
      failure ??= new ConnectorError('aborted', 'the connection was closed');
      socket.destroySoon();
    },
  };
}
