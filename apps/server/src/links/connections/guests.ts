import { AsyncLocalStorage } from 'node:async_hooks';

const guests = new AsyncLocalStorage<string>();

/** Runs the work for a visitor, identified by network, whose requests leave connections of a link to the owner and to others. */
export const asGuest = <T>(network: string, work: () => T): T => guests.run(network, work);

/** The network of the current visitor; undefined for signed-in users and for Sheaf itself. */
export const currentGuest = (): string | undefined => guests.getStore();
