import classes from './SourceLogo.module.css';

type Props = {
  src: string;
  /** Edge in px. */
  size?: number;
  /** Paler: what it stands for cannot be linked as things are. */
  faded?: boolean;
};

/** A provider's logo on its tile. Decoration: the name stands beside it. */
export function SourceLogo({ src, size = 32, faded = false }: Props) {
  return <img className={classes.logo} src={src} width={size} height={size} alt="" data-faded={faded || undefined} />;
}
