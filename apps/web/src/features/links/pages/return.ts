import { safePath } from '@sheaf/contract';
import { pageHistory } from '#/lib/navigation/history.ts';

/** Leaves a dialog for a path of this site, where it is not opened again. */
export const leave = (href: string): void => pageHistory().push(href, { returned: true });

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
