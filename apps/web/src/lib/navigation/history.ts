import { type HistoryLocation, type RouterHistory, createBrowserHistory } from '@tanstack/history';

declare module '@tanstack/history' {
  interface HistoryState {
    /** Set when the page was reached by leaving a dialog, which is then not opened again. */
    readonly returned?: boolean;
  }
}

/** An address of this site with what its history entry remembers: `search` begins with "?", `hash` with "#", and each is empty where there is none. */
export type Place = HistoryLocation;

let made: RouterHistory | undefined;

/** The history of this tab; made at the first call, because tests run without a browser. */
export function pageHistory(): RouterHistory {
  made ??= createBrowserHistory();
  return made;
}
