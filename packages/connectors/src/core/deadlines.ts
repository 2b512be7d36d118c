/**
 * Timeouts in ms for single steps of a server, the only such table; those of whole operations are in {@link operations}. Each step also ends when the
 * caller aborts.
 */
export const deadlines = {
  /** For one address to accept a connection, including TLS. */
  connect: 10_000,
  /** From the first packet to a usable session: all addresses of the host, TLS, greeting and login, or the token of a service. */
  login: 20_000,
  /** For the greeting of a server that speaks first (FTP, SSH); less than `login`, so that the reason can be reported. */
  greeting: 12_000,
  /** For an idle connection to prove that it still works, before another one is opened. */
  check: 5_000,
  /** For a turn at a server that allows few connections, before it is reported as busy; longer than most of its calls. */
  turn: 45_000,
  /** For a call to get one of its link's permits; a transfer waits `longWork` for one. */
  permit: 15_000,
  /** For the body of a refusal, without which its connection is closed. */
  refusal: 5_000,
  /** For a stored file to appear where a service shows it. */
  settle: 15_000,
  /** For the answer to a request without changes. */
  question: 20_000,
  /** For the answer to a request that changes one item; after the bytes of an upload see {@link answerAfter}. */
  change: 20_000,
  /** For the next bytes of a file, in either direction. */
  silence: 60_000,
  /**
   * For a request whose protocol allows the server to work silently on many items or a large file: COPY, MOVE and DELETE of a folder, the copy of an
   * object, the assembly of its parts. The user can cancel it.
   */
  longWork: 600_000,
  /** For cleaning up after a failed call, before its error is reported; the rest is cleaned up later, by its note. */
  aside: 15_000,
} as const;

/** Bytes that even a slow server stores per ms: some copy an upload to another disk before they answer. */
const storedPerMillisecond = 2 * 1024;

/** Timeout in ms for the answer to an upload of that size, counted from its last byte. */
export const answerAfter = (bytes: number): number =>
  Math.min(deadlines.longWork, deadlines.change + Math.ceil(bytes / storedPerMillisecond));

/** A signal that aborts with the caller's, or when {@link answerAfter} has passed. */
export const untilAnswer = (bytes: number, signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(answerAfter(bytes))]);
