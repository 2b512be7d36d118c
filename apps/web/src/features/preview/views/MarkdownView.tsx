import type { ComponentProps } from 'react';
import Markdown from 'react-markdown';
import gfm from 'remark-gfm';
import { Readable } from '#/features/preview/Readable.tsx';
import type { Previewed } from '#/lib/files/previewing.ts';
import classes from '../Preview.module.css';

/** Drops HTML, keeps only web and mail addresses, and only names pictures, which would be loaded from elsewhere. */
const components = {
  a: ({ href, children }: ComponentProps<'a'>) => (
    <a href={isOutside(href) ? href : undefined} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ),
  img: ({ alt = '' }: ComponentProps<'img'>) => <span className={classes.unshown}>{alt === '' ? 'Picture' : alt}</span>,
} as const;

const isOutside = (href: string | undefined): boolean => href !== undefined && /^(?:https?:|mailto:)/i.test(href);

/** Rendered Markdown. */
export function MarkdownView({ file }: { file: Previewed }) {
  return (
    <Readable file={file}>
      {(text) => (
        <div className={classes.markdown}>
          <Markdown skipHtml remarkPlugins={[gfm]} components={components}>
            {text}
          </Markdown>
        </div>
      )}
    </Readable>
  );
}
