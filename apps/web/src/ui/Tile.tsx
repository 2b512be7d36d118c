import type { CSSProperties, ReactNode } from 'react';
import classes from './Tile.module.css';

type Props = {
  /** Edge in px. */
  size?: number;
  /** Hue in degrees; without one the tile is neutral. */
  hue?: number | undefined;
  /** Two letters, or an icon. */
  children: ReactNode;
  /** Paler: what it stands for cannot be used as things are. */
  faded?: boolean;
};

/** The square that stands for a provider; every one weighs the same, only the hue differs. Decoration: the name stands beside it. */
export function Tile({ size = 32, hue, children, faded = false }: Props) {
  const style = { '--s': `${size}px`, ...(hue === undefined ? {} : { '--h': hue }) } as CSSProperties;
  return (
    <span
      className={classes.tile}
      style={style}
      data-plain={hue === undefined || undefined}
      data-faded={faded || undefined}
      aria-hidden="true"
    >
      {children}
    </span>
  );
}
