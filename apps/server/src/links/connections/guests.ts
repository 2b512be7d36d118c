import { AsyncLocalStorage } from 'node:async_hooks';

const guests = new AsyncLocalStorage<string>();

/** Runs the work on behalf of a stranger, who is known by the network: what it asks of a link leaves room for the owner and for others. */
export const asGuest = <T>(network: string, work: () => T): T => guests.run(network, work);

/** The network of the stranger on whose behalf this runs; undefined for whoever is signed in, and for Sheaf itself. */
export const currentGuest = (): string | undefined => guests.getStore();
