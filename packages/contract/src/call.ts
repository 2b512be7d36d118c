import { type Static, type TObject, type TSchema, Type } from 'typebox';

/** The session that a call requires. */
export type SessionRule = 'required' | 'optional' | 'none';

/**
 * One call of the public API. Server and browser derive path, payload and answer types from the same value, so each address and field name is defined
 * once.
 */
export interface Call<Input extends TObject = TObject, Reply extends TSchema = TSchema, Rule extends SessionRule = SessionRule> {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  /** Payload: the query of a GET or PUT, the form or JSON body of a POST. */
  readonly input: Input;
  /** Schema of `data` in a successful answer. */
  readonly reply: Reply;
  readonly session: Rule;
  /** `required`: a write without the right `rTag` is refused with 104. `checked`: an `rTag`, if sent, must be right, and the request same-origin. */
  readonly rTag: 'required' | 'checked' | 'none';
  /** One sentence for OpenAPI. */
  readonly summary: string;
}

export type InputOf<C> = C extends Call<infer Input, TSchema> ? Static<Input> : never;
export type ReplyOf<C> = C extends Call<TObject, infer Reply> ? Static<Reply> : never;

type Draft<I extends TObject, R extends TSchema> = Omit<Call<I, R>, 'session' | 'rTag'> & Partial<Pick<Call, 'rTag'>>;

/** Declares a call; by default it requires a session, and a POST or PUT checks its rTag. */
export function call<I extends TObject, R extends TSchema, S extends SessionRule>(
  draft: Draft<I, R> & { readonly session: S },
): Call<I, R, S>;
export function call<I extends TObject, R extends TSchema>(draft: Draft<I, R> & { readonly session?: never }): Call<I, R, 'required'>;
export function call(draft: Draft<TObject, TSchema> & { readonly session?: SessionRule }): Call {
  return { session: 'required', rTag: draft.method === 'GET' ? 'none' : 'checked', ...draft };
}

/** A field with JSON as text (JSON Schema, contentMediaType); a JSON body may contain the object itself. */
export const jsonText = Type.String({ contentMediaType: 'application/json' });

/** Wraps JSON text of the data as a successful answer. */
export const answerText = (data: string): string => `{"data":${data}}`;
