import type { Item } from '@sheaf/contract';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import type { RowDrag } from '#/features/browse/transfers/use-row-drag.ts';
import { IconButton } from '#/ui/IconButton.tsx';
import { PathLink, useGo } from '#/ui/PathLink.tsx';
import { FoldedParts } from './FoldedParts.tsx';
import { SiblingMenu } from './SiblingMenu.tsx';
import { usePlaceHref, useTop } from './view.ts';
import classes from './Breadcrumb.module.css';

type Props = {
  names: readonly string[];
  /** The items of the names, as far as they are loaded. */
  items: readonly Item[];
  /** Takes rows that are dropped on a part. */
  onRows?: RowDrag['target'];
  /** At the right: the listing's freshness. */
  children?: ReactNode;
};

/** How many names stand in the breadcrumb before those in the middle are folded into a menu. */
const shownNames = 4;

/** Characters of a name that stays whole; a longer one makes room where there is little. */
const longName = 7;

/** Whether the name at this index is in that menu: the link and the last two folders never are. */
const isFolded = (index: number, count: number): boolean => count > shownNames && index > 0 && index < count - 2;

/** One name after a separator. */
function Part({ name, isLast, children, ...part }: { name: string; isLast: boolean } & ComponentPropsWithoutRef<'li'>) {
  return (
    <li {...part} className={classes.part} data-above={!isLast || undefined} data-long={name.length > longName || undefined}>
      <IconChevronRight className={classes.separator} size={16} stroke={1.5} aria-hidden="true" />
      {children}
    </li>
  );
}

/** The page of links, the link, and every folder down to the current one; each part opens its folder and lists its siblings. */
export function Breadcrumb({ names, items, onRows, children }: Props) {
  const go = useGo();
  const hrefOf = usePlaceHref();
  const top = useTop();
  const above = names.length > 1 ? hrefOf(names.slice(0, -1)) : top.href;
  return (
    <nav className={classes.crumbs} aria-label="Breadcrumb">
      <span className={classes.narrow}>
        <IconButton label={`Up to ${names.at(-2) ?? top.name}`} withTooltip={false} onClick={() => go(above)}>
          <IconChevronLeft size={20} stroke={1.75} />
        </IconButton>
      </span>
      <ol className={classes.list}>
        <li className={classes.top} data-above>
          <PathLink className={classes.crumb} href={top.href}>
            {top.name}
          </PathLink>
        </li>
        {names.map((name, index) => {
          const path = names.slice(0, index + 1);
          if (isFolded(index, names.length))
            return index === 1 ? <FoldedParts key="folded" paths={names.slice(1, -2).map((_, at) => names.slice(0, at + 2))} /> : null;
          return (
            <Part key={hrefOf(path)} name={name} isLast={index === names.length - 1} {...onRows?.(items[index])}>
              <PathLink className={classes.crumb} href={hrefOf(path)} aria-current={index === names.length - 1 ? 'page' : undefined}>
                {name}
              </PathLink>
              <SiblingMenu name={name} parentNames={path.slice(0, -1)} parent={items[index - 1]} />
            </Part>
          );
        })}
      </ol>
      {children}
    </nav>
  );
}
