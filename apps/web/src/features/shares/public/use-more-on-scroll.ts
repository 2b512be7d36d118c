import { useEffect, useEffectEvent } from 'react';

/** Calls `more` while `isWanted`, once the page has been scrolled past its half or cannot scroll. */
export function useMoreOnScroll(isWanted: boolean, more: () => void): void {
  const look = useEffectEvent(() => {
    const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
    const way = scrollHeight - clientHeight;
    if (way <= 0 || (scrollTop > 0 && scrollTop > way / 2)) more();
  });
  useEffect(() => {
    if (!isWanted) return;
    look();
    const onScroll = (): void => look();
    window.addEventListener('scroll', onScroll, { passive: true });
    window.addEventListener('resize', onScroll);
    return () => {
      window.removeEventListener('scroll', onScroll);
      window.removeEventListener('resize', onScroll);
    };
  }, [isWanted]);
}
