import { limits } from '@sheaf/contract';

/** Resolves once `isInitialised` returns true; checks now and then every 50 ms. */
export function whenInitialised(isInitialised: () => boolean, pause: (milliseconds: number) => Promise<void> = sleep): Promise<void> {
  if (isInitialised()) return Promise.resolve();
  return pause(limits.startPoll).then(() => whenInitialised(isInitialised, pause));
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
