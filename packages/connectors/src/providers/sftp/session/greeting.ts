import { deadlines } from '../../../core/deadlines.ts';
import { ConnectorError } from '../../../core/error.ts';

/** ms for the version after other lines, which it may say before. */
const patience = 2000;
/** Characters of a first answer that are looked at. */
const longest = 4096;

/** Listens to how a server begins, so that one of another kind, or one that says nothing, is known long before a login takes too long. */
export interface Greeting {
  hear(bytes: Uint8Array): void;
  /** Aborts, with a ConnectorError as its reason, when no SSH server answers. */
  readonly oddity: AbortSignal;
  stop(): void;
}

export function createGreeting(): Greeting {
  const oddity = new AbortController();
  let text = '';
  let done = false;
  const silent = () =>
    new ConnectorError('timeout', `no word within ${deadlines.greeting} ms`, {
      retryable: true,
      details: { protocol: 'SFTP', problem: 'silent' },
    });
  const other = () => new ConnectorError('wrongProtocol', 'the server does not speak SSH', { details: { protocol: 'SFTP' } });
  let timer = setTimeout(() => oddity.abort(silent()), deadlines.greeting);
  const stop = (): void => {
    done = true;
    clearTimeout(timer);
  };
  return {
    oddity: oddity.signal,
    stop,
    hear(bytes) {
      if (done) return;
      const isFirst = text === '';
      text = (text + Buffer.from(bytes).toString('latin1')).slice(0, longest);
      if (/^SSH-/m.test(text)) return stop();
      if (!isFirst) return;
      clearTimeout(timer);
      timer = setTimeout(() => oddity.abort(other()), patience);
    },
  };
}
