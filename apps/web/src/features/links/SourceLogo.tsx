import classes from './SourceLogo.module.css';

type Props = {
  src: string;
  /** Edge in px. */
  size?: number;
  /** Paler, because the type cannot be linked at present. */
  faded?: boolean;
};

/** A provider's logo on its tile. Decorative: the name is next to it. */
export function SourceLogo({ src, size = 32, faded = false }: Props) {
  return <img className={classes.logo} src={src} width={size} height={size} alt="" data-faded={faded || undefined} />;
}
