import type { OfficeSection } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { officeTextOf } from '#/features/preview/queries.ts';
import { Waiting } from '#/features/preview/Waiting.tsx';
import type { Previewed } from '#/lib/files/previewing.ts';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Cells } from './Cells.tsx';
import classes from '../Preview.module.css';

/** The text of an office document, without its layout. */
export function OfficeView({ file, fallback }: { file: Previewed; fallback: ReactNode }) {
  const { data, error, refetch } = useQuery(officeTextOf(file));
  if (error instanceof CallError && (error.is('NOT_AN_ARCHIVE') || error.is('NO_TEXT'))) return fallback;
  if (error) {
    return (
      <div className={classes.centre}>
        <ErrorState title="This document cannot be shown" message={errorText(error)} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!data) return <Waiting />;
  const { sections, isCut } = data;
  const isTable = sections.some(({ rows }) => rows.some((row) => row.length > 1));
  const isEmpty = sections.every(({ rows }) => rows.length === 0);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and is therefore reached by the keyboard
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={`Contents of ${file.name}`}>
      <div className={classes.page} data-wide={isTable || undefined}>
        <p className={classes.note}>
          {isEmpty ? 'There is no text in this document.' : 'Only the text is shown. Download the document to see how it looks.'}
        </p>
        {sections.map((section, index) => (
          <section key={index} className={classes.section}>
            {section.title !== '' && <h2>{section.title}</h2>}
            {isTable ? <Sheet section={section} /> : <Paragraphs section={section} />}
          </section>
        ))}
        {isCut && <p className={classes.note}>Only the beginning is shown. Download the document to see all of it.</p>}
      </div>
    </div>
  );
}

function Paragraphs({ section: { rows } }: { section: OfficeSection }) {
  return rows.map((row, index) => (
    <p key={index} className={classes.paragraph}>
      {row[0]}
    </p>
  ));
}

function Sheet({ section: { title, rows } }: { section: OfficeSection }) {
  return rows.length === 0 ? <p className={classes.note}>This sheet is empty.</p> : <Cells name={title} rows={rows} />;
}
