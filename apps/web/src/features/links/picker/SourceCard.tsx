import { IconBan, IconSettings } from '@tabler/icons-react';
import { PathLink } from '#/ui/PathLink.tsx';
import { logoUrl } from '../rows.ts';
import { sourceUrl } from '../source-route.ts';
import { SourceLogo } from '../SourceLogo.tsx';
import type { Choice } from './catalogue.ts';
import classes from './picker.module.css';

type Props = { choice: Choice; addressOf?: (path: string) => string };

const obstacleIcons = { closed: IconBan, notSetUp: IconSettings } as const;

/** A source type: choosing it creates a link, even if there are some. */
export function SourceCard({ choice: { source, caption, obstacle }, addressOf = (path) => path }: Props) {
  const Obstacle = obstacle && obstacleIcons[obstacle];
  return (
    <li className={classes.kind} data-shut={obstacle !== undefined || undefined}>
      <SourceLogo src={logoUrl(source.provider)} size={36} faded={obstacle !== undefined} />
      <PathLink className={classes.choose} href={addressOf(sourceUrl(source, true))}>
        <b>{source.title}</b>
        <small>
          {Obstacle && <Obstacle size={13} stroke={1.75} aria-hidden="true" />}
          {caption}
        </small>
      </PathLink>
    </li>
  );
}
