import { useEffect, useEffectEvent } from 'react';

/** Calls `more` once the page has been scrolled past half of what is there, or has nothing to scroll; while `isWanted`. */
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
