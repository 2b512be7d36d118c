interface Link {
  readonly id: string;
  /** Files that the link's connections allow at the same time. */
  readonly slots: number;
}

interface Semaphore {
  free: number;
  readonly waiting: { readonly units: number; readonly enter: () => void }[];
}

interface Held {
  readonly isAlone: boolean;
  readonly leaveFirst: () => void;
}

export type Slots = ReturnType<typeof createSlots>;

/**
 * Slots of links that are reading or writing files of transfers. A copy holds a connection of each end, so both are reserved first, always in the order
 * of the links' ids: two copies in opposite directions would otherwise wait for each other.
 */
export function createSlots() {
  const links = new Map<string, Semaphore>();

  async function enter({ id, slots }: Link, units: number, signal: AbortSignal): Promise<() => void> {
    const semaphore = links.get(id) ?? { free: slots, waiting: [] };
    links.set(id, semaphore);
    if (semaphore.free < units) {
      await new Promise<void>((resolve, reject) => {
        const leave = (): void => {
          semaphore.waiting.splice(semaphore.waiting.indexOf(waiter), 1);
          reject(signal.reason as Error);
        };
        const waiter = {
          units,
          enter: () => {
            signal.removeEventListener('abort', leave);
            resolve();
          },
        };
        if (signal.aborted) {
          reject(signal.reason as Error);
          return;
        }
        signal.addEventListener('abort', leave, { once: true });
        semaphore.waiting.push(waiter);
      });
    } else semaphore.free -= units;
    return () => {
      semaphore.free += units;
      for (let next = semaphore.waiting[0]; next && next.units <= semaphore.free; next = semaphore.waiting[0]) {
        semaphore.waiting.shift();
        semaphore.free -= next.units;
        next.enter();
      }
    };
  }

  return {
    /**
     * Runs a copy between two links. Within one link it holds two slots; where the link has one only, `isAlone` says that the file must be read to its
     * end before it is written. `leaveFirst` gives the first link's slot to others before `work` has ended; within one link it does nothing.
     */
    async run<T>(one: Link, other: Link, signal: AbortSignal, work: (how: Held) => Promise<T>): Promise<T> {
      const isSame = one.id === other.id;
      const isAlone = isSame && one.slots < 2;
      const wanted: [Link, number][] = isSame
        ? [[one, isAlone ? 1 : 2]]
        : [one, other].sort((a, b) => (a.id < b.id ? -1 : 1)).map((link) => [link, 1]);
      const held = new Map<Link, () => void>();
      const leave = (link: Link): void => {
        const end = held.get(link);
        held.delete(link);
        end?.();
      };
      try {
        for (const [link, units] of wanted) held.set(link, await enter(link, units, signal));
        return await work({ isAlone, leaveFirst: () => (isSame ? undefined : leave(one)) });
      } finally {
        for (const link of held.keys()) leave(link);
      }
    },
  };
}
