import { Modal } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { IconButton } from '#/ui/IconButton.tsx';
import { useFocusBack } from './use-focus-back.ts';
import classes from './Dialog.module.css';

type Props = {
  title: string;
  /** One sentence below the title. */
  sentence?: ReactNode;
  /** A tile of 40 px at the left of the title. */
  logo?: ReactNode;
  children: ReactNode;
  onClose: () => void;
  /** While true neither Esc nor a click outside closes it. */
  busy?: boolean;
  /** Rendered as a card on its own page. */
  asPage?: boolean;
  /** Heading level as a card: 2 where the page has its own heading. */
  level?: 1 | 2;
  /** 520 px wide, for a list; `sheet`: 680 px, and on narrow screens a sheet from below. */
  wide?: boolean | 'sheet';
};

/** A dialog 400 px wide. Focuses the element marked `data-autofocus`, traps the focus, and returns it when closed. */
export function Dialog({ title, sentence, logo, children, onClose, busy = false, asPage = false, level = 1, wide = false }: Props) {
  useFocusBack();
  if (asPage) {
    return (
      <PageDialog title={title} sentence={sentence} logo={logo} onClose={onClose} busy={busy} level={level}>
        {children}
      </PageDialog>
    );
  }
  return (
    <Modal.Root
      opened
      onClose={() => busy || onClose()}
      closeOnClickOutside={!busy}
      closeOnEscape={!busy}
      size={wide === 'sheet' ? 680 : wide ? 520 : 400}
      centered
      padding={0}
      radius={16}
      transitionProps={{ duration: 0 }}
      classNames={{ content: classes.content, inner: classes.inner }}
    >
      <Modal.Overlay className={classes.scrim} />
      <Modal.Content data-wide={wide || undefined} data-sheet={wide === 'sheet' || undefined}>
        <div className={classes.header} data-bare={logo === undefined || undefined}>
          {logo}
          <div>
            <Modal.Title className={classes.title}>{title}</Modal.Title>
            {sentence !== undefined && <p className={classes.sentence}>{sentence}</p>}
          </div>
          <IconButton label="Close" withTooltip={false} onClick={onClose} disabled={busy}>
            <IconX size={18} stroke={1.75} />
          </IconButton>
        </div>
        {children}
      </Modal.Content>
    </Modal.Root>
  );
}

function PageDialog({ title, sentence, logo, children, onClose, busy, level }: Omit<Props, 'asPage' | 'wide'>) {
  const Heading = level === 2 ? 'h2' : 'h1';
  return (
    <div
      className={classes.page}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && busy !== true && !event.defaultPrevented) onClose();
      }}
    >
      <section className={classes.card} aria-label={title}>
        <div className={classes.header} data-bare={logo === undefined || undefined}>
          {logo}
          <div>
            <Heading className={classes.title}>{title}</Heading>
            {sentence !== undefined && <p className={classes.sentence}>{sentence}</p>}
          </div>
        </div>
        {children}
      </section>
    </div>
  );
}

/** The fields of a dialog, one below the other. */
export function DialogFields({ children }: { children: ReactNode }) {
  return <div className={classes.fields}>{children}</div>;
}

/** Two fields side by side. */
export function DialogPair({ children }: { children: ReactNode }) {
  return <div className={classes.pair}>{children}</div>;
}

/** The buttons: cancel first, the one primary button last. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <footer className={classes.buttons}>{children}</footer>;
}
