import { useMemo, useState } from 'react';

/** View of a picture: scale relative to fitting, offset in pixels, quarter turns. */
export interface Look {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
  readonly turns: number;
}

export interface Zoom {
  readonly look: Look;
  readonly enlarge: () => void;
  readonly reduce: () => void;
  readonly fit: () => void;
  readonly turn: () => void;
  readonly move: (x: number, y: number) => void;
  /** Zooms by a factor around a point, given in pixels from the centre. */
  readonly scaleAt: (factor: number, x: number, y: number) => void;
}

const fitting: Look = { scale: 1, x: 0, y: 0, turns: 0 };
const [smallest, largest] = [1, 16];
const step = 1.5;

/** The view after zooming by `factor` around a point, which stays in place. */
export function scaled(look: Look, factor: number, x = 0, y = 0): Look {
  const scale = Math.min(largest, Math.max(smallest, look.scale * factor));
  if (scale === smallest) return { ...fitting, turns: look.turns };
  const ratio = scale / look.scale;
  return { ...look, scale, x: x - (x - look.x) * ratio, y: y - (y - look.y) * ratio };
}

/** View of the picture with that key; another picture starts fitted. */
export function useZoom(key: string): Zoom {
  const [state, setState] = useState({ key, look: fitting });
  if (state.key !== key) setState({ key, look: fitting });
  const { look } = state.key === key ? state : { look: fitting };
  return useMemo(() => {
    const change = (next: (now: Look) => Look): void => setState((now) => ({ ...now, look: next(now.look) }));
    return {
      look,
      enlarge: () => change((now) => scaled(now, step)),
      reduce: () => change((now) => scaled(now, 1 / step)),
      fit: () => change((now) => ({ ...fitting, turns: now.turns })),
      turn: () => change((now) => ({ ...fitting, turns: now.turns + 1 })),
      move: (x, y) => change((now) => (now.scale === 1 ? now : { ...now, x: now.x + x, y: now.y + y })),
      scaleAt: (factor, x, y) => change((now) => scaled(now, factor, x, y)),
    };
  }, [look]);
}
