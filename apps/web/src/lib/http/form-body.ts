/** Encodes a payload as form fields: omits absent values, repeats the name for lists. */
export function formBody(payload: object): URLSearchParams {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(payload) as [string, unknown][]) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (one !== undefined && one !== null)
        body.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one as string | number | boolean));
    }
  }
  return body;
}

/** `path` with the payload as its query. */
export function withQuery(path: string, payload: object): string {
  const query = formBody(payload).toString();
  return query === '' ? path : `${path}?${query}`;
}
