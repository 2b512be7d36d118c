import type { Static, TSchema } from 'typebox';
import { type Validator, Compile } from 'typebox/compile';
import { ConnectorError } from '../../core/error.ts';

const validators = new WeakMap<TSchema, Validator>();

function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema);
  if (known) return known;
  const made = Compile(schema);
  validators.set(schema, made);
  return made;
}

/** Validates an external value; allows further fields. Rejects any other shape with `unexpected`. */
export function checked<S extends TSchema>(schema: S, value: unknown): Static<S> {
  const validator = validatorOf(schema);
  if (validator.Check(value)) return value as Static<S>;
  const [first] = validator.Errors(value);
  throw new ConnectorError('unexpected', `the answer has another shape: ${first?.instancePath ?? ''} ${first?.message ?? ''}`);
}

/** Parses external JSON; rejects invalid JSON, or any other shape, with `unexpected`. */
export function parseJson<S extends TSchema>(schema: S, text: string): Static<S> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ConnectorError('unexpected', 'the answer is no JSON', { cause: error });
  }
  return checked(schema, value);
}
