import { deadlines } from '../../../core/deadlines.ts';
import { ConnectorError } from '../../../core/error.ts';
import { speaksHttp } from '../../../kit/http/speaks-http.ts';

/** Timeout in ms of the version line after other lines, which may precede it. */
const greetingTimeout = 2000;
/** Maximum characters inspected. */
const longest = 4096;

/**
 * Watches the server's first bytes, so that a server that is silent or speaks another protocol is detected long before the login times out.
 */
export interface Greeting {
  hear(bytes: Uint8Array): void;
  /** Aborts, with a ConnectorError as its reason, when the server does not speak SSH. */
  readonly oddity: AbortSignal;
  /** The error of a server that has sent data other than SSH; undefined while it has sent nothing, or a version line. */
  other(): ConnectorError | undefined;
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
  const other = () =>
    new ConnectorError('wrongProtocol', 'the server does not speak SSH', {
      details: { protocol: 'SFTP', ...(speaksHttp(text) && { problem: 'http' }) },
    });
  let timer = setTimeout(() => oddity.abort(silent()), deadlines.greeting);
  const stop = (): void => {
    done = true;
    clearTimeout(timer);
  };
  return {
    oddity: oddity.signal,
    other: () => (done || text === '' ? undefined : other()),
    stop,
    hear(bytes) {
      if (done) return;
      const isFirst = text === '';
      text = (text + Buffer.from(bytes).toString('latin1')).slice(0, longest);
      if (/^SSH-/m.test(text)) return stop();
      if (!isFirst) return;
      clearTimeout(timer);
      timer = setTimeout(() => oddity.abort(other()), greetingTimeout);
    },
  };
}
