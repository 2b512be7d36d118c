/** Chromium drops every further download that a page starts within a second of ten others, and tells nobody (`LocalFrame::ShouldThrottleDownload`). */
const most = 10;
/** Milliseconds; a little more than Chromium's second. */
const within = 1100;

/** Returns a function that calls `begin` for each address in order, at once or as soon as fewer than ten others were begun within the last second. */
export function createPacer(begin: (href: string) => void): (href: string) => void {
  const waiting: string[] = [];
  /** When the newest ones were begun, by `performance.now()`. */
  let begun: number[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function go(): void {
    timer = undefined;
    const now = performance.now();
    begun = begun.filter((time) => now - time < within);
    while (begun.length < most) {
      const href = waiting.shift();
      if (href === undefined) return;
      begun.push(now);
      begin(href);
    }
    if (waiting.length > 0) timer = setTimeout(go, within - (now - (begun[0] ?? now)));
  }

  return (href) => {
    waiting.push(href);
    if (timer === undefined) go();
  };
}

/** Starts a download of the browser, which the server names. */
export const startDownload = createPacer((href) => {
  const anchor = document.createElement('a');
  anchor.href = href;
  anchor.download = '';
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
});
