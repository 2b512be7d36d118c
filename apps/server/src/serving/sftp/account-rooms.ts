/** What one account may have in all its connections together: channels, open files and folders, and bytes kept in memory for them. */
const usual = { channels: 32, files: 256, bytes: 64 * 1024 * 1024 };
type Held = keyof typeof usual;

/** Bytes that a kept piece counts for: however small it is, keeping it takes memory, and finding it time. */
export const costOfPiece = ({ byteLength }: Uint8Array): number => Math.max(byteLength, 2048);

/** An account's room. */
export interface Room {
  /** Takes an amount; false, and nothing is taken, where too little is left. */
  take(what: Held, amount?: number): boolean;
  give(what: Held, amount?: number): void;
}

/** Limits what accounts hold in memory through SFTP, however many connections and files they open. */
export function createAccountRooms(most: Readonly<Record<Held, number>> = usual) {
  const rooms = new Map<string, Record<Held, number>>();
  return (accountId: string): Room => ({
    take(what, amount = 1) {
      const held = rooms.get(accountId) ?? { channels: 0, files: 0, bytes: 0 };
      if (held[what] + amount > most[what]) return false;
      rooms.set(accountId, held);
      held[what] += amount;
      return true;
    },
    give(what, amount = 1) {
      const held = rooms.get(accountId);
      if (!held) return;
      held[what] -= amount;
      if (held.channels + held.files + held.bytes === 0) rooms.delete(accountId);
    },
  });
}
