import { findSource } from '@sheaf/contract';
import type { CSSProperties } from 'react';
import { Tile } from '#/ui/Tile.tsx';
import { grainsOf, heads, pathOf, stalkOf, stubbleOf } from './stalks.ts';
import classes from './StartPage.module.css';

const rows = [
  { provider: 'S3', name: 'Photo archive', account: 'Amazon S3' },
  { provider: 'SFTP', name: 'Home server', account: 'SFTP' },
  { provider: 'WebDAV', name: 'University', account: 'WebDAV' },
  { provider: 'FTP', name: 'Print shop', account: 'FTP' },
] as const;

/** Nine kinds of storage bound into one list; decoration beside the words that say the same. */
export function SheafPicture() {
  return (
    <div className={classes.bind} aria-hidden="true">
      <svg viewBox="0 0 680 760" preserveAspectRatio="xMidYMin meet">
        <g className={classes.stalks}>
          {heads.map((head, index) => (
            <g key={head.provider} opacity={index % 2 === 0 ? 1 : 0.72}>
              <path d={pathOf(stalkOf(head, index))} />
              <path d={pathOf(stubbleOf(index))} />
            </g>
          ))}
        </g>
        {heads.flatMap((head, index) =>
          grainsOf(stalkOf(head, index)).map(({ x, y, angle }) => (
            <ellipse
              key={`${head.provider} ${y}`}
              className={classes.grain}
              cx={x}
              cy={y}
              rx="6.5"
              ry="3.4"
              transform={`rotate(${angle} ${x} ${y})`}
            />
          )),
        )}
        <rect className={classes.knot} x="282" y="436" width="116" height="32" rx="16" />
        <path className={classes.knotLine} d="M300 452h80" />
        {heads.map(({ provider, x, y }) => {
          const source = findSource(provider);
          return (
            source && (
              <g key={provider} className={classes.head} style={{ '--h': source.tile.hue } as CSSProperties}>
                <rect x={x - 29} y={y - 29} width="58" height="58" rx="15" />
                <text x={x} y={y + 7}>
                  {source.tile.letters}
                </text>
                <text className={classes.caption} x={x} y={y - 40}>
                  {source.title.replace(' Spaces', '').replace(' Storage', '')}
                </text>
              </g>
            )
          );
        })}
      </svg>
      <div className={classes.card}>
        <b>My links</b>
        <ul>
          {rows.map(({ provider, name, account }) => (
            <li key={provider}>
              <Tile size={36} hue={findSource(provider)?.tile.hue}>
                {findSource(provider)?.tile.letters}
              </Tile>
              <span>
                {name}
                <small>{account}</small>
              </span>
              <i />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
