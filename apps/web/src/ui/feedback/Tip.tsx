import { type RefObject, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import classes from './Tip.module.css';

/** Milliseconds for which the pointer rests before the tip appears. */
const rest = 400;
/** Pixels between the element and its tip, and between the tip and the window's edge. */
const [gap, edge] = [6, 4];

type Side = 'below' | 'right';
interface Shown {
  readonly at: DOMRect;
  readonly label: string;
}

/** The name of an element without text, shown while the pointer rests on it or the keyboard has brought the focus there. */
export function useTip(
  target: RefObject<HTMLElement | null>,
  label: string,
  { side = 'below', isOff = false }: { side?: Side; isOff?: boolean } = {},
) {
  const [shown, setShown] = useState<Shown>();
  const now = useRef(label);
  useEffect(() => void (now.current = label), [label]);
  useEffect(() => {
    const element = target.current;
    if (!element || isOff) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (): void => setShown({ at: element.getBoundingClientRect(), label: now.current });
    const hide = (): void => {
      clearTimeout(timer);
      setShown(undefined);
    };
    const enter = ({ pointerType }: PointerEvent): void => {
      if (pointerType !== 'mouse') return;
      clearTimeout(timer);
      timer = setTimeout(show, rest);
    };
    const focus = (): void => {
      if (element.matches(':focus-visible')) timer = setTimeout(show, rest);
    };
    const away = new AbortController();
    const { signal } = away;
    element.addEventListener('pointerenter', enter, { signal });
    element.addEventListener('focus', focus, { signal });
    for (const name of ['pointerleave', 'pointerdown', 'blur', 'keydown'] as const) element.addEventListener(name, hide, { signal });
    window.addEventListener('scroll', hide, { signal, capture: true, passive: true });
    return () => {
      away.abort();
      hide();
    };
  }, [target, isOff]);
  return shown && <Tip {...shown} side={side} />;
}

/** Hidden from screen readers, because the element itself has the name. */
function Tip({ at, label, side }: Shown & { side: Side }) {
  const tip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const own = tip.current;
    if (!own) return;
    const { offsetWidth: width, offsetHeight: height } = own;
    const within = (value: number, size: number, all: number): number => Math.max(edge, Math.min(value, all - size - edge));
    const isBelow = side === 'below' && at.bottom + gap + height + edge <= window.innerHeight;
    const top = side === 'right' ? at.top + (at.height - height) / 2 : isBelow ? at.bottom + gap : at.top - gap - height;
    const left = side === 'right' ? at.right + gap : at.left + (at.width - width) / 2;
    own.style.translate = `${within(left, width, window.innerWidth)}px ${within(top, height, window.innerHeight)}px`;
    own.style.visibility = 'visible';
  }, [at, side, label]);
  return createPortal(
    <div ref={tip} className={classes.tip} role="tooltip">
      {label}
    </div>,
    document.body,
  );
}
