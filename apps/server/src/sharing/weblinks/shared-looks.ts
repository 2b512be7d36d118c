import type { Connector, Entry } from '@sheaf/connectors';

interface Look {
  readonly entry: Promise<Entry>;
  readonly over: AbortController;
  waiters: number;
}

/** Pending requests by connector and path. */
const looks = new WeakMap<Connector, Map<string, Look>>();

/**
 * Looks up the item at the path itself, without following a symbolic link. Concurrent callers share one request, which ends when the last of them has
 * left. Nothing is cached afterwards. Rejects for a connector without symbolic links.
 */
export async function lookTogether({
  connector,
  path,
  signal,
}: {
  connector: Connector;
  path: string;
  signal: AbortSignal;
}): Promise<Entry> {
  const ofConnector = looks.get(connector) ?? new Map<string, Look>();
  looks.set(connector, ofConnector);
  const look = ofConnector.get(path) ?? begin(connector, path, ofConnector);
  look.waiters += 1;
  const { promise: left, reject: leave } = Promise.withResolvers<never>();
  const giveUp = () => leave(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([look.entry, left]);
  } finally {
    signal.removeEventListener('abort', giveUp);
    look.waiters -= 1;
    if (look.waiters === 0) {
      if (ofConnector.get(path) === look) ofConnector.delete(path);
      look.over.abort();
    }
  }
}

function begin(connector: Connector, path: string, ofConnector: Map<string, Look>): Look {
  const over = new AbortController();
  const ask = { signal: over.signal };
  const look: Look = { entry: (connector.lstat ?? connector.stat)(path, ask), over, waiters: 0 };
  const ended = () => {
    if (ofConnector.get(path) === look) ofConnector.delete(path);
  };
  look.entry.then(ended, ended);
  ofConnector.set(path, look);
  return look;
}
