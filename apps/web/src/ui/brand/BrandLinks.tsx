import { useBrand } from './brand.ts';
import classes from './BrandLinks.module.css';

/** Links to the imprint and the like, where the operator has any. */
export function BrandLinks() {
  const { pages } = useBrand();
  if (pages.length === 0) return null;
  return (
    <nav className={classes.pages} aria-label="About this installation">
      {pages.map(({ title, href }) => (
        <a key={href} href={href} target="_blank" rel="noopener noreferrer">
          {title}
        </a>
      ))}
    </nav>
  );
}
