/** Resolves after a while, or when the browser is online again. */
export const pauseUntilOnline = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (settle: () => void) => () => {
      clearTimeout(timer);
      window.removeEventListener('online', goOn);
      settle();
    };
    const goOn = end(resolve);
    const timer = setTimeout(goOn, milliseconds);
    window.addEventListener('online', goOn);
    signal.addEventListener(
      'abort',
      end(() => reject(signal.reason as Error)),
      { once: true },
    );
  });
