import { type ComponentPropsWithRef, createContext, useCallback, useContext } from 'react';

type Props = Omit<ComponentPropsWithRef<'a'>, 'href'> & { href: string; replace?: boolean };

/** What links navigate by: the history of the tab. */
interface Navigator {
  readonly push: (href: string) => void;
  readonly replace: (href: string) => void;
}

/** Where links lead without loading the page; the browser's own way, where nobody gives another one. */
export const NavigatorContext = createContext<Navigator>({
  push: (href) => location.assign(href),
  replace: (href) => location.replace(href),
});

/**
 * A link to a path of this site, followed without loading the page; Ctrl, Shift and the middle button work as on any link. The path is used
 * literally: names in it may hold any character, percent-encoded.
 */
export function PathLink({ href, replace = false, onClick, ...anchor }: Props) {
  const go = useGo();
  return (
    <a
      {...anchor}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        go(href, { replace });
      }}
    />
  );
}

/** Navigates to a path of this site; `replace` replaces the history entry. */
export function useGo(): (href: string, options?: { replace?: boolean }) => void {
  const navigator = useContext(NavigatorContext);
  return useCallback((href, { replace = false } = {}) => (replace ? navigator.replace(href) : navigator.push(href)), [navigator]);
}
