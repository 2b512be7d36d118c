import { safePath } from '@sheaf/contract';
import { useLocation, useRouter } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Set when the page was reached by leaving a dialog, which is then not opened again. */
    readonly returned?: boolean;
  }
}

/** Leaves a dialog for a path of this site. */
export function useLeave(): (href: string) => void {
  const { history } = useRouter();
  return (href) => history.push(href, { returned: true });
}

/** Whether the current page was reached by leaving a dialog. */
export const useReturned = (): boolean => useLocation({ select: ({ state }) => state.returned === true });

/** Adds `returnUrl` to the address of a source's page, for after saving or leaving. */
export const returningTo =
  (returnUrl: string) =>
  (path: string): string => {
    const query = new URLSearchParams({ redirectUrl: returnUrl, cancelUrl: returnUrl }).toString();
    return `${path}${path.includes('?') ? '&' : '?'}${query}`;
  };

/** The targets in the address of a dialog's page, if they are paths of this site other than that page. */
export function givenTargets({ redirectUrl, cancelUrl }: Readonly<Record<string, string | undefined>>): {
  readonly back?: string;
  readonly cancel?: string;
} {
  return { ...placeIn('back', redirectUrl), ...placeIn('cancel', cancelUrl) };
}

function placeIn(target: 'back' | 'cancel', url: string | undefined): { readonly back?: string; readonly cancel?: string } {
  const path = safePath(url, '');
  return path === '' || path.startsWith(window.location.pathname) ? {} : { [target]: path };
}
