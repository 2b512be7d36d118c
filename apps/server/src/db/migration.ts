import type { Kysely } from 'kysely';
import type { Engine } from './engine.ts';
import type { Database } from './schema.ts';

/** One step of the schema, written in statements that both engines understand. Never changed once released. */
export interface Migration {
  readonly name: string;
  up(db: Kysely<Database>, engine: Engine): Promise<void>;
}
