import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';

type Bindings = Parameters<FastifyBaseLogger['child']>[0];
type Options = Parameters<FastifyBaseLogger['child']>[1];
/** Arguments of a log method. */
type Line = Parameters<FastifyBaseLogger['info']>;

/**
 * The log of one request: a child logger, created with the first line. Most requests write none, and creating a child, which searches its bindings
 * for secrets, takes a tenth of a small request's time.
 */
export class RequestLog implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger;
  #bindings: Bindings;
  readonly #options: Options;
  #made: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: Bindings, options: Options) {
    this.#parent = parent;
    this.#bindings = bindings;
    this.#options = options;
  }

  get #child(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(this.#bindings, this.#options);
    return this.#made;
  }

  /** Adds fields to all lines from now on. */
  bind(more: Bindings): void {
    this.#bindings = { ...this.#bindings, ...more };
    this.#made = this.#made?.child(more);
  }

  get level(): string {
    return this.#child.level;
  }
  fatal(...line: Line): void {
    this.#child.fatal(...line);
  }
  error(...line: Line): void {
    this.#child.error(...line);
  }
  warn(...line: Line): void {
    this.#child.warn(...line);
  }
  info(...line: Line): void {
    this.#child.info(...line);
  }
  debug(...line: Line): void {
    this.#child.debug(...line);
  }
  trace(...line: Line): void {
    this.#child.trace(...line);
  }
  silent(...line: Line): void {
    this.#child.silent(...line);
  }
  child(bindings: Bindings, options?: Options): FastifyBaseLogger {
    return this.#child.child(bindings, options);
  }
}

/** Bytes of an id, and of the random bytes that are fetched at once, which costs less than fetching them for each. */
const [idSize, poolSize] = [9, 4608];

/** Ids of requests: random, so that no two instances share one, and none tells how many there were. */
export function createRequestIds(): () => string {
  let pool = randomBytes(0);
  let used = 0;
  return () => {
    if (used === pool.length) [pool, used] = [randomBytes(poolSize), 0];
    used += idSize;
    return pool.toString('base64url', used - idSize, used);
  };
}
