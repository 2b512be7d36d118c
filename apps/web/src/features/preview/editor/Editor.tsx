import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { draftOf, dropDraft } from '#/lib/files/drafts.ts';
import { readToEdit } from '#/lib/files/editing.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Waiting } from '../Waiting.tsx';
import { type EditorProps, Editing } from './Editing.tsx';
import classes from '../Preview.module.css';

/** Edits a text file; saves only over the version that was read. */
export function Editor(props: EditorProps) {
  const { file } = props;
  const [draft, setDraft] = useState(() => draftOf(file.key));
  /** Increased to read the file once more, without what was typed. */
  const [reading, setReading] = useState(0);
  const reload = (): void => {
    dropDraft(file.key);
    setDraft(undefined);
    setReading(reading + 1);
  };
  const { data, error, refetch } = useQuery({
    queryKey: ['edited', file.key, reading],
    queryFn: () => readToEdit(file.key),
    enabled: draft === undefined,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  if (draft) return <Editing {...props} start={draft} onReload={reload} isRestored />;
  if (data) return <Editing key={reading} {...props} start={{ read: data, text: data.text }} onReload={reload} />;
  if (!error) return <Waiting />;
  return (
    <div className={classes.centre}>
      <ErrorState
        title="This file cannot be edited"
        message={errorText(error)}
        onRetry={() => void refetch()}
        actions={<Button onClick={props.onClose}>Show the file</Button>}
      />
    </div>
  );
}
