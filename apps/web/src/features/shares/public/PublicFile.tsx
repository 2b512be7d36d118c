import { type PublicItem, archiveDirectoryWeblink, officeTextWeblink } from '@sheaf/contract';
import { IconArrowLeft, IconChevronLeft, IconChevronRight, IconDownload } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import type { Previewed } from '#/lib/files/previewing.ts';
import { formatModified, formatSize } from '#/lib/format.ts';
import { send } from '#/lib/http/send.ts';
import { ButtonLink } from '#/ui/button/Button.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { PublicShell } from './PublicShell.tsx';
import { fileHref } from './queries.ts';
import classes from './public.module.css';

/** Renders a file's content. */
export type FileView = ComponentType<{ file: Previewed }>;

type Props = {
  weblinkId: string;
  file: PublicItem;
  /** Whether visitors may look, but not download. */
  viewOnly: boolean;
  View: FileView;
  /** Addresses of its folder and neighbours; absent for a file shared on its own. */
  ways?: { readonly folder: string; readonly before: string | undefined; readonly after: string | undefined };
};

/** A shared file: its name, its preview where possible, and the download. */
export function PublicFile({ weblinkId, file, viewOnly, View, ways }: Props) {
  const facts = [
    ...(file.size === undefined ? [] : [formatSize(file.size)]),
    ...(file.modified === undefined ? [] : [formatModified(file.modified)]),
  ];
  return (
    <PublicShell whole>
      <header className={classes.bar}>
        {ways && (
          <Way href={ways.folder} label="Back to the folder">
            <IconArrowLeft size={20} stroke={1.75} aria-hidden="true" />
          </Way>
        )}
        <div className={classes.title}>
          <h1>{file.name}</h1>
          <p>{facts.join(', ')}</p>
        </div>
        {ways?.before !== undefined && (
          <Way href={ways.before} label="Previous file" replace>
            <IconChevronLeft size={20} stroke={1.75} aria-hidden="true" />
          </Way>
        )}
        {ways?.after !== undefined && (
          <Way href={ways.after} label="Next file" replace>
            <IconChevronRight size={20} stroke={1.75} aria-hidden="true" />
          </Way>
        )}
        {!viewOnly && (
          <ButtonLink
            variant="filled"
            href={fileHref(weblinkId, file.path)}
            download={file.name}
            leftSection={<IconDownload size={16} stroke={1.75} />}
          >
            Download
          </ButtonLink>
        )}
      </header>
      <figure className={classes.stage}>
        <View file={{ ...previewed(weblinkId, file), ...(viewOnly && { viewOnly }) }} />
      </figure>
    </PublicShell>
  );
}

const previewed = (weblinkId: string, { path, name, mimeType, size, modified, thumbnailUrl }: PublicItem): Previewed => ({
  key: `${weblinkId}/${path}`,
  name,
  mimeType,
  size,
  modified,
  thumbnailUrl,
  href: fileHref(weblinkId, path),
  directory: (signal) => send(archiveDirectoryWeblink, { weblinkId, path }, signal),
  officeText: (signal) => send(officeTextWeblink, { weblinkId, path }, signal),
});

function Way({ href, label, replace = false, children }: { href: string; label: string; replace?: boolean; children: ReactNode }) {
  return (
    <PathLink className={classes.way} href={href} replace={replace} aria-label={label} title={label}>
      {children}
    </PathLink>
  );
}
