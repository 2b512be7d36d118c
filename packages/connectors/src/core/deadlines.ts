/**
 * ms that a server has for one step. Whatever waits for a server reads them here; how long a user waits for a whole operation is in {@link operations}.
 * Each also ends when the caller gives up.
 */
export const deadlines = {
  /** For one address to accept a connection, TLS included. */
  connect: 10_000,
  /** From the first packet to a session that can be used: all addresses of the host, TLS, greeting and login, or the token of a service. */
  login: 20_000,
  /** For the first word of a server that speaks first (FTP, SSH); less than `login`, so that the reason can be told. */
  greeting: 12_000,
  /** For a connection that has rested to show that it still works, before another one is opened. */
  check: 5_000,
  /** For the answer to a request that changes nothing. */
  question: 20_000,
  /** For the answer to a request that changes one thing; after the bytes of an upload see {@link answerAfter}. */
  change: 60_000,
  /** For the next bytes of a file, in either direction. */
  silence: 60_000,
  /**
   * For a request in which the protocol lets the server work on many items, or on a large file, without a sign of life: COPY, MOVE and DELETE of a folder, the copy of
   * an object, the assembly of its parts. The user can cancel it.
   */
  longWork: 600_000,
  /** For clearing up what a failed call has left: the error is told afterwards, and what is not cleared up now is later, by its note. */
  aside: 15_000,
} as const;

/** Bytes that even a slow server stores in one ms: some copy an upload to another disk before they answer. */
const storedPerMillisecond = 8 * 1024;

/** ms for the answer to an upload of that many bytes, counted from its last byte. */
export const answerAfter = (bytes: number): number =>
  Math.min(deadlines.longWork, deadlines.change + Math.ceil(bytes / storedPerMillisecond));
