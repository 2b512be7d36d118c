/** Who asks for a permit of a link. */
export interface Caller {
  /** It reads or writes the bytes of a file, which lasts as long as a client takes for them. */
  readonly isTransfer: boolean;
  /** The network of a stranger; undefined for the owner. */
  readonly guest: string | undefined;
}

/** The order of service, the lowest first: browsing before transfers, and of each the owner's before strangers'. */
export const rankOf = ({ isTransfer, guest }: Caller): number => (isTransfer ? 2 : 0) + (guest === undefined ? 0 : 1);

/** Whether a download may be paused for the caller: every one for browsing, except the owner's for a stranger's; a stranger's also for the owner's transfers. */
export const yieldsTo = (held: Caller, caller: Caller): boolean =>
  held.isTransfer && (held.guest === undefined ? caller.guest === undefined && !caller.isTransfer : rankOf(held) > rankOf(caller));

/**
 * Whether the caller may enter beside the holders. From two permits on, one is never held by a transfer, and one never by a stranger; the transfers of strangers
 * leave a further one free where there are three. The strangers of one network have half of what all of them may have.
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
