import { useRouter } from '@tanstack/react-router';
import { type ComponentPropsWithRef, useCallback } from 'react';

type Props = Omit<ComponentPropsWithRef<'a'>, 'href'> & { href: string; replace?: boolean };

/**
 * A link to a path of this site, followed without loading the page; Ctrl, Shift and the middle button work as on any link. The path is used
 * literally: names in it may hold any character, percent-encoded.
 */
export function PathLink({ href, replace = false, onClick, ...anchor }: Props) {
  const { history } = useRouter();
  return (
    <a
      {...anchor}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        if (replace) history.replace(href);
        else history.push(href);
      }}
    />
  );
}

/** Navigates to a path of this site; `replace` replaces the history entry. */
export function useGo(): (href: string, options?: { replace?: boolean }) => void {
  const { history } = useRouter();
  return useCallback((href, { replace = false } = {}) => (replace ? history.replace(href) : history.push(href)), [history]);
}
