import type { Call, InputOf, ReplyOf } from '@sheaf/contract';
import { errorOfAnswer, faultError } from './call-error.ts';
import { rTag } from './cookie.ts';
import { loadErrorRows } from './error-text.ts';
import { formBody, withQuery } from './form-body.ts';

/** Long enough for a slow source, short enough that nobody waits for a dead server. */
const deadline = 150_000;

/** A call's payload; the rTag is added by {@link send}. */
export type Payload<C extends Call> = Omit<InputOf<C>, 'rTag'>;

/** Running writes by path and payload. */
const underWay = new Map<string, Promise<unknown>>();

/**
 * Sends a call of the contract and returns `data` of its answer. A write equal to a running one (a button pressed twice) shares its promise. Rejects
 * with a {@link CallError}, or with the abort reason when `signal` ends it.
 */
export function send<C extends Call>(call: C, payload: Payload<C>, signal?: AbortSignal): Promise<ReplyOf<C>> {
  if (call.rTag !== 'required' || signal) return ask(call, payload, signal);
  const key = `${call.path}?${formBody(payload).toString()}`;
  const known = underWay.get(key);
  // Equal path and payload: the answer has this call's type.
  if (known) return known as Promise<ReplyOf<C>>;
  const asked = ask(call, payload).finally(() => underWay.delete(key));
  underWay.set(key, asked);
  return asked;
}

async function ask<C extends Call>(call: C, payload: Payload<C>, signal?: AbortSignal): Promise<ReplyOf<C>> {
  const end = AbortSignal.any([AbortSignal.timeout(deadline), ...(signal ? [signal] : [])]);
  const response = await request(call, payload, end).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw faultError('noResponse', cause);
  });
  const answer = await response.json().then(
    (body: unknown) => body,
    (cause: unknown) => {
      if (signal?.aborted) throw cause;
      throw faultError('unreadable', cause);
    },
  );
  if (!response.ok) {
    await loadErrorRows();
    throw errorOfAnswer(answer);
  }
  if (typeof answer !== 'object' || answer === null || !('data' in answer)) throw faultError('unreadable');
  return answer.data as ReplyOf<C>;
}

function request(call: Call, payload: object, signal: AbortSignal): Promise<Response> {
  const init = { method: call.method, signal, credentials: 'same-origin', headers: { accept: 'application/json' } } as const;
  if (call.method === 'GET') return fetch(withQuery(call.path, payload), init);
  const body = formBody(call.rTag === 'none' ? payload : { ...payload, rTag: rTag() });
  return fetch(call.path, { ...init, body });
}
