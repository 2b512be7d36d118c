/** Parses a JSON object; undefined for text that is not JSON, or not an object. */
export function jsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return fieldsOf(value);
}

/** Returns the value if it is an object, for access to its fields; otherwise undefined. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
