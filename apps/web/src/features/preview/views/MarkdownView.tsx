import type { ComponentProps } from 'react';
import Markdown from 'react-markdown';
import gfm from 'remark-gfm';
import { Readable } from '#/features/preview/Readable.tsx';
import type { Previewed } from '#/lib/files/previewing.ts';
import classes from '../Preview.module.css';

/** HTML in the text is dropped, addresses of other kinds than web and mail lead nowhere, and pictures are only named: they lie elsewhere. */
const components = {
  a: ({ href, children }: ComponentProps<'a'>) => (
    <a href={isOutside(href) ? href : undefined} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ),
  img: ({ alt = '' }: ComponentProps<'img'>) => <span className={classes.unshown}>{alt === '' ? 'Picture' : alt}</span>,
} as const;

const isOutside = (href: string | undefined): boolean => href !== undefined && /^(?:https?:|mailto:)/i.test(href);

/** Markdown as it is meant to look. */
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
