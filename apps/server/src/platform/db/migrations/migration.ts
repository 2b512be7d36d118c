import type { Kysely } from 'kysely';
import type { Engine } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

/** One step of the schema, in statements that both engines accept. Never changed once released. */
export interface Migration {
  readonly name: string;
  up(db: Kysely<Database>, engine: Engine): Promise<void>;
}
