/**
 * Timeouts in ms for single steps with a server, all in this one table; those of whole operations are in {@link operations}. Each step also
 * ends when the caller aborts.
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
  /** For a free connection to a server that allows few of them, before the server is reported as busy; longer than most of its calls. */
  turn: 45_000,
  /** For a call to get one of its link's permits; a transfer waits for up to `longWork`. */
  permit: 15_000,
  /** For the body of an error response; when it takes longer, the connection is closed. */
  refusal: 5_000,
  /** For a stored file to become visible at the source. */
  settle: 15_000,
  /** For the answer to a request that changes nothing. */
  question: 20_000,
  /** For the answer to a request that changes one item; see {@link answerAfter} for the answer to an upload. */
  change: 20_000,
  /** For the next bytes of a file, in either direction. */
  silence: 60_000,
  /**
   * For a request whose protocol allows the server to work silently on many items or a large file: COPY, MOVE and DELETE of a folder, the
   * copy of an object, the assembly of its parts. The user can cancel it.
   */
  longWork: 600_000,
  /** For the cleanup after a failed call, before its error is reported; the rest is cleaned up later, with the help of its note. */
  aside: 15_000,
} as const;

/** Bytes per ms that even a slow server stores: some copy an upload to another disk before they answer. */
const storedPerMillisecond = 2 * 1024;

/** Timeout in ms for the answer to an upload of that size, counted from its last byte. */
export const answerAfter = (bytes: number): number =>
  Math.min(deadlines.longWork, deadlines.change + Math.ceil(bytes / storedPerMillisecond));

/** Returns a signal that aborts with the caller's, or after {@link answerAfter}. */
export const untilAnswer = (bytes: number, signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(answerAfter(bytes))]);
