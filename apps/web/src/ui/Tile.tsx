import type { CSSProperties, ReactNode } from 'react';
import classes from './Tile.module.css';

type Props = {
  /** Edge in px. */
  size?: number;
  /** Hue in degrees; neutral without one. */
  hue?: number | undefined;
  /** Two letters, or an icon. */
  children: ReactNode;
  /** Paler, because the provider cannot be used at present. */
  faded?: boolean;
};

/** The tile of a provider; all weigh the same, only the hue differs. Decorative: the name is next to it. */
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
