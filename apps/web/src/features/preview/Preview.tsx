import { Button, Modal } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconDownload, IconInfoCircle, IconPencil, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { isEditable } from '#/lib/files/editable.ts';
import { previewKindOf } from '#/lib/files/preview-kind.ts';
import type { PreviewProps } from '#/lib/files/previewing.ts';
import { late } from '#/lib/late.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import { Around } from './Around.tsx';
import { InfoPanel } from './InfoPanel.tsx';
import { Shown } from './Shown.tsx';
import { useZoom } from './views/use-zoom.ts';
import { ZoomTools } from './views/ZoomTools.tsx';
import { Waiting } from './Waiting.tsx';
import classes from './Preview.module.css';

/** Loaded when a file is first edited. */
const Editor = late(() => import('./editor/Editor.tsx').then((loaded) => loaded.Editor), <Waiting />);

/** Elements that use the arrow keys themselves. */
const keepsArrows = 'input, textarea, select, video, audio, [data-scrolls-across], [data-editor]';

/** A file over the page: its content, its details, and the way to its neighbours. */
export function Preview({ file, place, previous, next, around, folder, onGo, onClose }: PreviewProps) {
  const kind = previewKindOf(file);
  const zoom = useZoom(file.key);
  const [hasInfo, setInfo] = useState(false);
  const [edited, setEdited] = useState<string>();
  const isEditing = edited === file.key;
  const edit = isEditable(file, kind) ? file.edit : undefined;
  const [dimensions, setDimensions] = useState<{ readonly of: string; readonly text: string }>();

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.target instanceof Element && event.target.closest(keepsArrows)) return;
      const commands: Readonly<Record<string, (() => void) | undefined>> = {
        ArrowLeft: previous && (() => onGo(previous)),
        ArrowRight: next && (() => onGo(next)),
        i: () => setInfo((now) => !now),
        ...(kind === 'image' && { '+': zoom.enlarge, '-': zoom.reduce, '0': zoom.fit, r: zoom.turn }),
      };
      const command = commands[event.key];
      if (!command) return;
      event.preventDefault();
      command();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [previous, next, onGo, kind, zoom]);

  return (
    <Modal.Root opened onClose={onClose} fullScreen padding={0} radius={0} transitionProps={{ duration: 0 }}>
      <Modal.Content className={classes.viewer} data-theme="dark" aria-label={file.name}>
        <header className={classes.bar}>
          <div className={classes.title}>
            <h2 className={classes.name} title={file.name}>
              {file.name}
            </h2>
            {place && (
              <span className={classes.place}>
                {place.number} of {place.count}
              </span>
            )}
          </div>
          {kind === 'image' && <ZoomTools zoom={zoom} />}
          <div className={classes.tools}>
            {edit && !isEditing && (
              <Button leftSection={<IconPencil size={16} stroke={1.75} />} onClick={() => setEdited(file.key)}>
                Edit
              </Button>
            )}
            <IconButton label="Info" aria-pressed={hasInfo} onClick={() => setInfo(!hasInfo)}>
              <IconInfoCircle size={20} stroke={1.75} />
            </IconButton>
            <Button
              variant="filled"
              component="a"
              href={file.href}
              download={file.name}
              aria-label="Download"
              className={classes.download}
              leftSection={<IconDownload size={16} stroke={1.75} />}
            >
              <span className={classes.words}>Download</span>
            </Button>
            <IconButton label="Close" onClick={onClose} data-autofocus>
              <IconX size={20} stroke={1.75} />
            </IconButton>
          </div>
        </header>
        <div className={classes.middle} data-info={hasInfo || undefined}>
          <div className={classes.stage}>
            {edit && isEditing ? (
              <Editor key={file.key} file={file} edit={edit} isMarkdown={kind === 'markdown'} onClose={() => setEdited(undefined)} />
            ) : (
              <Shown
                key={file.key}
                file={file}
                kind={kind}
                zoom={zoom}
                onDimensions={(width, height) => setDimensions({ of: file.key, text: `${width} × ${height}` })}
              />
            )}
            {!isEditing && previous && (
              <button
                type="button"
                className={classes.step}
                data-side="left"
                data-end-bar=""
                aria-label="Previous"
                onClick={() => onGo(previous)}
              >
                <IconChevronLeft size={24} stroke={1.75} aria-hidden="true" />
              </button>
            )}
            {!isEditing && next && (
              <button type="button" className={classes.step} data-side="right" data-end-bar="" aria-label="Next" onClick={() => onGo(next)}>
                <IconChevronRight size={24} stroke={1.75} aria-hidden="true" />
              </button>
            )}
          </div>
          {hasInfo && <InfoPanel file={file} folder={folder} dimensions={dimensions?.of === file.key ? dimensions.text : undefined} />}
        </div>
        {kind === 'image' && around.length > 1 && <Around files={around} current={file.key} onGo={onGo} />}
      </Modal.Content>
    </Modal.Root>
  );
}
