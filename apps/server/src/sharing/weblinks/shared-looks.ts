import { type Connector, type Entry, createSharedWork } from '@sheaf/connectors';

/** Pending requests by connector and path. */
const looks = new WeakMap<Connector, ReturnType<typeof createSharedWork<Entry>>>();

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
  const share = looks.get(connector) ?? createSharedWork<Entry>();
  looks.set(connector, share);
  return share(path, signal, (life) => (connector.lstat ?? connector.stat)(path, { signal: life }));
}
