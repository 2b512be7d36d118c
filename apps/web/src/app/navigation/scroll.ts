import { type Place, pageHistory } from '#/lib/navigation/history.ts';

const storedAt = 'scrolled-at';
/** History entries whose offsets are remembered. */
const most = 50;
/** Milliseconds for which restoring waits until a reloaded page is long enough. */
const patience = 2000;

/** The elements that scroll: the sheet of the app's frame, or the page where there is no frame. */
const scrollers = (): Element[] =>
  [document.getElementById('sheet'), document.scrollingElement].filter((element): element is Element => element !== null);

/** Offsets at which the page before was left. */
let atLeave: readonly number[] = [];
/** Pixels from the top of each scroller, by the key of a history entry; the latest last. */
const offsets = new Map<string, readonly number[]>();

const keyOf = ({ state }: Place): string => state.key ?? '';

function note(place: Place): void {
  const key = keyOf(place);
  atLeave = scrollers().map(({ scrollTop }) => scrollTop);
  offsets.delete(key);
  offsets.set(key, atLeave);
  for (const oldest of offsets.keys()) {
    if (offsets.size <= most) return;
    offsets.delete(oldest);
  }
}

/** Remembers the scroll offset of each history entry, also over a reload of the page. */
export function rememberScrolling(): void {
  window.history.scrollRestoration = 'manual';
  const stored: unknown = JSON.parse(sessionStorage.getItem(storedAt) ?? '[]');
  for (const entry of Array.isArray(stored) ? (stored as readonly unknown[]) : [])
    if (Array.isArray(entry) && typeof entry[0] === 'string' && Array.isArray(entry[1])) offsets.set(entry[0], entry[1].map(Number));
  let left = pageHistory().location;
  pageHistory().subscribe(({ location }) => {
    note(left);
    left = location;
  });
  window.addEventListener('pagehide', () => {
    note(left);
    sessionStorage.setItem(storedAt, JSON.stringify([...offsets]));
  });
}

/** Scrolls a page that has just been shown: to where its history entry was left, to what its hash names, or to its top when it is another page than `before`. */
export function scrollShown(place: Place, before: Place | undefined): void {
  const known = offsets.get(keyOf(place));
  const named = place.hash === '' ? null : document.getElementById(place.hash.slice(1));
  if (known === undefined && named !== null) named.scrollIntoView();
  else if (known !== undefined || place.pathname !== before?.pathname)
    for (const [index, element] of scrollers().entries()) {
      const wanted = known?.[index] ?? 0;
      // Setting the offset has the browser lay out the page, which it does again once the page's rows are drawn.
      if (wanted > 0 || atLeave[index] !== 0) settle(element, wanted, performance.now() + patience);
    }
}

/** Scrolls an element as soon as its content is long enough, until the time is over or somebody scrolls. */
function settle(element: Element, wanted: number, until: number): void {
  element.scrollTop = wanted;
  const reached = element.scrollTop;
  if (Math.abs(reached - wanted) < 1) return;
  requestAnimationFrame((time) => {
    if (time < until && element.scrollTop === reached) settle(element, wanted, until);
  });
}
