import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import type { PreviewKind } from '#/lib/files/preview-kind.ts';
import type { Previewed } from '#/lib/files/previewing.ts';
import { late } from '#/lib/late.tsx';
import { ButtonLink } from '#/ui/button/Button.tsx';
import { EmptyState } from '#/ui/feedback/StatePanel.tsx';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { ImageView } from './views/ImageView.tsx';
import { MediaView } from './views/MediaView.tsx';
import { PlainView } from './views/TextView.tsx';
import type { Zoom } from './views/use-zoom.ts';
import { Waiting } from './Waiting.tsx';
import classes from './Preview.module.css';

const PdfView = late(() => import('./views/PdfView.tsx').then((loaded) => loaded.PdfView), <Waiting />);
const ArchiveView = late(() => import('./views/ArchiveView.tsx').then((loaded) => loaded.ArchiveView), <Waiting />);
const OfficeView = late(() => import('./views/OfficeView.tsx').then((loaded) => loaded.OfficeView), <Waiting />);
const TableView = late(() => import('./views/TableView.tsx').then((loaded) => loaded.TableView), <Waiting />);
const CodeView = late(() => import('./views/CodeView.tsx').then((loaded) => loaded.CodeView), <Waiting />);
const MarkdownView = late(() => import('./views/MarkdownView.tsx').then((loaded) => loaded.MarkdownView), <Waiting />);

type Props = {
  file: Previewed;
  kind: PreviewKind | undefined;
  zoom: Zoom;
  onDimensions: (width: number, height: number) => void;
};

/** The file's content, by its kind. */
export function Shown({ file, kind, zoom, onDimensions }: Props) {
  const nothing = <NoPreview file={file} />;
  const views: Readonly<Record<PreviewKind, ReactNode>> = {
    image: <ImageView file={file} zoom={zoom} onDimensions={onDimensions} fallback={nothing} />,
    video: <MediaView file={file} kind="video" fallback={nothing} onDimensions={onDimensions} />,
    audio: <MediaView file={file} kind="audio" fallback={nothing} />,
    pdf: <PdfView file={file} fallback={nothing} />,
    markdown: <MarkdownView file={file} />,
    table: <TableView file={file} />,
    archive: <ArchiveView file={file} fallback={nothing} />,
    office: <OfficeView file={file} fallback={nothing} />,
    code: <CodeView file={file} />,
    text: <PlainView file={file} />,
  };
  return kind ? views[kind] : nothing;
}

/** Says that a file has no preview, and offers to download it. */
function NoPreview({ file }: { file: Previewed }) {
  return (
    <div className={classes.centre} data-nothing="">
      <EmptyState
        icon={<FileIcon kind={fileKindOf({ name: file.name, mimeType: file.mimeType })} size={26} />}
        title="There is no preview of this file"
        actions={
          file.viewOnly ? undefined : (
            <ButtonLink href={file.href} download={file.name} leftSection={<IconDownload size={16} stroke={1.75} />}>
              Download {file.name}
            </ButtonLink>
          )
        }
      >
        A browser cannot show a file of this kind, or not this one.
      </EmptyState>
    </div>
  );
}
