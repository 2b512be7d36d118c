/** Bytes of parts that all transfers of this process hold in memory at the same time. */
const usualTotal = 96 * 1024 * 1024;

/** Memory for parts that wait to be sent, given to those who ask in their order: one large file may use much of it, several share it. */
export function createPartMemory(total = usualTotal) {
  let free = total;
  const waiting: { readonly bytes: number; readonly enter: () => void }[] = [];

  function letIn(): void {
    for (let next = waiting[0]; next && next.bytes <= free; next = waiting[0]) {
      waiting.shift();
      free -= next.bytes;
      next.enter();
    }
  }

  return {
    /** Resolves once so many bytes are free, with the function that gives them back. A part that is larger than all gets all. */
    async reserve(wanted: number, signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted();
      const bytes = Math.min(wanted, total);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiter = { bytes, enter: resolve };
      const leave = (): void => {
        const at = waiting.indexOf(waiter);
        if (at === -1) return;
        waiting.splice(at, 1);
        reject(signal.reason as Error);
        letIn();
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting.push(waiter);
      letIn();
      await promise.finally(() => signal.removeEventListener('abort', leave));
      return () => {
        free += bytes;
        letIn();
      };
    },
  };
}
export type PartMemory = ReturnType<typeof createPartMemory>;
