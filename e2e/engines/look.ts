/** Describes an element to find, as a screen reader announces it. */
export interface Target {
  /** ARIA role. */
  readonly role: Role;
  /** Full accessible name; any if absent. */
  readonly name?: string;
  /** Prefix of the accessible name: that of a field may also contain its description. */
  readonly begin?: string;
  /** Text that it must contain. */
  readonly text?: string;
  /** Element that must contain it. */
  readonly within?: Target;
}

export type Role = keyof typeof selectors;

/** Selectors of elements that can have a role in our pages. */
export const selectors = {
  anything: '*',
  button: 'button:not([role]), [role=button]',
  combobox: '[role=combobox]',
  complementary: 'aside, [role=complementary]',
  dialog: 'dialog, [role=dialog]',
  grid: '[role=grid]',
  heading: 'h1, h2, h3, h4, [role=heading]',
  image: 'img, [role=img]',
  link: 'a[href]:not([role]), [role=link]',
  main: 'main',
  menu: '[role=menu]',
  menuitem: '[role=menuitem]',
  navigation: 'nav, [role=navigation]',
  progressbar: '[role=progressbar]',
  region: 'section, [role=region]',
  row: '[role=row]',
  textbox: 'input:not([type=checkbox], [type=radio], [type=file], [role]), textarea',
} as const;

/** Visible state of a target. */
export interface Sight {
  readonly name: string;
  /** Its centre, in window pixels. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly text: string;
  readonly value: string;
  readonly isFocused: boolean;
  /** Whether a click at its centre would hit it. */
  readonly isFree: boolean;
  readonly isDisabled: boolean;
  readonly attributes: Readonly<Record<string, string>>;
  /** For an image: whether it has been drawn. */
  readonly isDrawn: boolean;
}

/**
 * Returns all visible matches, and scrolls the first one into view. Runs in the page, so it must not refer to anything outside its body.
 */
export function look(target: Target, table: Readonly<Record<string, string>>): Sight[] {
  const words = (text: string | null | undefined): string => (text ?? '').replaceAll(/\s+/g, ' ').trim();
  const nameOf = (element: Element, isReferred = false): string => {
    const others = (element.getAttribute('aria-labelledby') ?? '').split(' ').flatMap((id) => document.getElementById(id) ?? []);
    if (others.length > 0 && !isReferred) return others.map((other) => nameOf(other, true)).join(' ');
    const labels = 'labels' in element ? [...((element.labels as NodeListOf<HTMLLabelElement> | null) ?? [])] : [];
    const given = element.getAttribute('aria-label') ?? element.getAttribute('alt') ?? labels[0]?.textContent ?? element.textContent;
    return words(given) || words(element.getAttribute('title'));
  };
  const isVisible = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };
  const all = ({ role, name, begin = '', text, within }: Target): Element[] => {
    const roots: readonly ParentNode[] = within ? all(within) : [document];
    const found = roots.flatMap((root) => [...root.querySelectorAll(table[role] ?? 'none')]).filter(isVisible);
    const named = found.filter((element) => nameOf(element).startsWith(begin) && (name ?? nameOf(element)) === nameOf(element));
    const holding = text === undefined ? named : named.filter((element) => words(element.textContent).includes(text));
    // Of nested elements with the text, the innermost counts.
    return role === 'anything'
      ? holding.filter((element) => !holding.some((other) => other !== element && element.contains(other)))
      : holding;
  };
  return all(target).map((element, index) => {
    const isOutside = ({ top, bottom, left, right }: DOMRect): boolean => top < 0 || left < 0 || bottom > innerHeight || right > innerWidth;
    if (index === 0 && isOutside(element.getBoundingClientRect()))
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const { left, top, width, height } = element.getBoundingClientRect();
    const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
    const under = document.elementFromPoint(x, y);
    return {
      name: nameOf(element),
      x,
      y,
      width,
      height,
      text: words(element.textContent),
      value: element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.value : '',
      isFocused: element === document.activeElement,
      isFree: under !== null && (element.contains(under) || under.contains(element)),
      isDisabled: element.matches(':disabled, [aria-disabled=true]'),
      attributes: Object.fromEntries([...element.attributes].map((attribute) => [attribute.name, attribute.value])),
      isDrawn: element instanceof HTMLImageElement && element.complete && element.naturalWidth > 0,
    };
  });
}
