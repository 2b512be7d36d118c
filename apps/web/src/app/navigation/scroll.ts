import { type Place, pageHistory } from '#/lib/navigation/history.ts';

const storedAt = 'scrolled-at';
/** History entries whose places are remembered. */
const most = 50;

/** What scrolls: the sheet of the app's frame, and the page itself where there is no frame. */
const scrollers = (): Element[] =>
  [document.getElementById('sheet'), document.scrollingElement].filter((element): element is Element => element !== null);

type Offsets = readonly number[];
const isOffsets = (value: unknown): value is Offsets => Array.isArray(value) && value.every((one) => typeof one === 'number');

function readOffsets(): Map<string, Offsets> {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storedAt) ?? '[]');
    if (!Array.isArray(stored)) return new Map();
    return new Map(
      stored.filter((entry): entry is [string, Offsets] => Array.isArray(entry) && typeof entry[0] === 'string' && isOffsets(entry[1])),
    );
  } catch {
    // What was stored is no list, or the browser stores nothing: pages begin at their top.
    return new Map();
  }
}

const keyOf = ({ state }: Place): string => state.key ?? '';
let offsets: Map<string, Offsets> | undefined;
let left: Place | undefined;

/** Remembers how far each history entry is scrolled, also over a reload of the page. */
export function rememberScrolling(): void {
  const { history } = window;
  history.scrollRestoration = 'manual';
  offsets = readOffsets();
  const remembered = offsets;
  left = pageHistory().location;
  const note = (): void => {
    if (left)
      remembered.set(
        keyOf(left),
        scrollers().map(({ scrollTop }) => scrollTop),
      );
    left = pageHistory().location;
  };
  pageHistory().subscribe(note);
  window.addEventListener('pagehide', () => {
    note();
    try {
      sessionStorage.setItem(storedAt, JSON.stringify([...remembered].slice(-most)));
    } catch {
      // Without storage, pages begin at their top after a reload.
    }
  });
}

/** Scrolls a page that has just been shown: to where its history entry was left, to what its hash names, or to its top when it is another page than `before`. */
export function scrollShown(place: Place, before: Place | undefined): void {
  const known = offsets?.get(keyOf(place));
  const named = place.hash === '' ? null : document.getElementById(place.hash.slice(1));
  if (known === undefined && named !== null) named.scrollIntoView();
  else if (known !== undefined || place.pathname !== before?.pathname)
    for (const [index, element] of scrollers().entries()) element.scrollTop = known?.[index] ?? 0;
}
