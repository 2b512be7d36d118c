/** A caller that requests a permit of a link. */
export interface Caller {
  /** Whether it reads or writes the bytes of a file, which takes as long as the client takes for them. */
  readonly isTransfer: boolean;
  /** The network of a visitor; undefined for the owner. */
  readonly guest: string | undefined;
}

/** Order of service, lowest first: browsing before transfers, and within each the owner before visitors. */
export const rankOf = ({ isTransfer, guest }: Caller): number => (isTransfer ? 2 : 0) + (guest === undefined ? 0 : 1);

/**
 * Whether a download may be paused for the caller. Browsing pauses any download, except that a visitor cannot pause the owner's; the
 * owner's transfers pause visitors' downloads.
 */
export const yieldsTo = (held: Caller, caller: Caller): boolean =>
  held.isTransfer && (held.guest === undefined ? caller.guest === undefined && !caller.isTransfer : rankOf(held) > rankOf(caller));

/**
 * Whether the caller may get a permit in addition to the holders. With two or more permits, transfers leave one free and visitors leave one
 * free; with three or more, visitors' transfers leave a further one free. Visitors of one network may hold half of the permits that all
 * visitors may hold.
 */
export function mayEnter(caller: Caller, holders: ReadonlySet<Caller>, permits: number): boolean {
  const count = (counts: (holder: Caller) => boolean): number => [...holders].filter(counts).length;
  const most = (free: number): number => Math.max(1, permits - free);
  if (holders.size >= permits) return false;
  if (caller.isTransfer && count(({ isTransfer }) => isTransfer) >= most(1)) return false;
  if (caller.guest === undefined) return true;
  if (count(({ guest }) => guest !== undefined) >= most(1)) return false;
  if (caller.isTransfer && count(({ guest, isTransfer }) => guest !== undefined && isTransfer) >= most(2)) return false;
  return count(({ guest }) => guest === caller.guest) < Math.ceil(most(1) / 2);
}
