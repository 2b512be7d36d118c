import type { RecurlyJs } from './recurly.ts';
import { CardError } from './tokenizer.ts';

declare global {
  interface Window {
    recurly?: RecurlyJs;
  }
}

/** Timeout of the script, in ms. */
const timeout = 20_000;
const loading = new Map<string, Promise<RecurlyJs>>();

/** Loads Recurly's script once; it must come from Recurly's own host. Rejects with {@link CardError} when it does not arrive. */
export function loadRecurly(address: string): Promise<RecurlyJs> {
  const known = loading.get(address);
  if (known) return known;
  const arriving = arrive(address).catch((error: unknown) => {
    loading.delete(address);
    throw error;
  });
  loading.set(address, arriving);
  return arriving;
}

async function arrive(address: string): Promise<RecurlyJs> {
  const { promise, resolve, reject } = Promise.withResolvers<RecurlyJs>();
  const script = document.createElement('script');
  const fail = (cause: unknown): void => {
    script.remove();
    reject(new CardError('timeout', cause));
  };
  const timer = setTimeout(() => fail(new DOMException('The script did not arrive in time.', 'TimeoutError')), timeout);
  script.addEventListener('load', () => (window.recurly ? resolve(window.recurly) : fail(new Error('The script gave no "recurly".'))));
  script.addEventListener('error', fail);
  script.src = address;
  document.head.append(script);
  return promise.finally(() => clearTimeout(timer));
}
