import type { Item } from '@sheaf/contract';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import type { RowDrag } from '#/features/browse/transfers/use-row-drag.ts';
import { IconButton } from '#/ui/IconButton.tsx';
import { PathLink, useGo } from '#/ui/PathLink.tsx';
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
        <li className={classes.part} data-above>
          <PathLink className={classes.crumb} href={top.href}>
            {top.name}
          </PathLink>
        </li>
        {names.map((name, index) => {
          const isLast = index === names.length - 1;
          const path = names.slice(0, index + 1);
          return (
            <Fragment key={hrefOf(path)}>
              <li className={classes.part} data-above={!isLast || undefined} {...onRows?.(items[index])}>
                <IconChevronRight className={classes.separator} size={16} stroke={1.5} aria-hidden="true" />
                <PathLink className={classes.crumb} href={hrefOf(path)} aria-current={isLast ? 'page' : undefined}>
                  {name}
                </PathLink>
                <SiblingMenu name={name} parentNames={path.slice(0, -1)} parent={items[index - 1]} />
              </li>
            </Fragment>
          );
        })}
      </ol>
      {children}
    </nav>
  );
}
