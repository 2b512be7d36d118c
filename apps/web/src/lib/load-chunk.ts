import { limits } from '@sheaf/contract';

/** A part of the app's own script that did not arrive. */
export class ChunkError extends Error {
  constructor(cause: unknown) {
    super('a part of the app did not arrive', { cause });
    this.name = 'ChunkError';
  }
}

/** Loads a part of the app; rejects with a {@link ChunkError} when it fails or takes longer than `timeout` ms. */
export async function loadChunk<Module>(load: () => Promise<Module>, timeout: number = limits.chunkTimeout): Promise<Module> {
  // A browser may cache a failed import as long as the page lives, so none is started offline.
  if (globalThis.navigator?.onLine === false) throw new ChunkError(new DOMException('The browser is offline.', 'NetworkError'));
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new DOMException('The script did not arrive in time.', 'TimeoutError')), timeout);
  try {
    return await Promise.race([load(), late.promise]);
  } catch (error) {
    throw new ChunkError(error);
  } finally {
    clearTimeout(timer);
  }
}
