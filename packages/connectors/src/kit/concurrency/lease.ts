/** A loan from a pool, until `release` is called; further calls of it have no effect. */
export interface Lease<C> {
  readonly connection: C;
  release(): void;
}

/** Runs `work` with a loan from `acquire`, and returns it when `work` settles. */
export async function withLease<C, T>(acquire: () => Promise<Lease<C>>, work: (connection: C) => Promise<T>): Promise<T> {
  const { connection, release } = await acquire();
  try {
    return await work(connection);
  } finally {
    release();
  }
}
