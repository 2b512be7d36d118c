import { useLocation, useRouter } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The page was reached by leaving a dialog, which is therefore not opened again. */
    readonly returned?: boolean;
  }
}

/** Leads away from a dialog to a path of this site. */
export function useLeave(): (href: string) => void {
  const { history } = useRouter();
  return (href) => history.push(href, { returned: true });
}

/** Whether the current page was reached by leaving a dialog. */
export const useReturned = (): boolean => useLocation({ select: ({ state }) => state.returned === true });
