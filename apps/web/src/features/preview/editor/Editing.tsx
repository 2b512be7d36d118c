import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type Draft, dropDraft, keepDraft } from '#/lib/files/drafts.ts';
import { putText, saveAnyway, saveOver } from '#/lib/files/editing.ts';
import type { EditAccess, Previewed } from '#/lib/files/previewing.ts';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { useLeaveGuard } from '#/lib/navigation/use-leave-guard.ts';
import { remember } from '#/lib/undoing.ts';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { notifyDone } from '#/ui/feedback/notify.ts';
import { CodeField } from './CodeField.tsx';
import classes from './Editor.module.css';

type Question = 'leave' | 'reload' | 'replace';

const questions: Readonly<Record<Question, { readonly title: string; readonly confirm: string }>> = {
  leave: { title: 'Discard your changes?', confirm: 'Discard' },
  reload: { title: 'Discard your changes?', confirm: 'Discard and reload' },
  replace: { title: 'Replace the newer version?', confirm: 'Replace' },
};

export type EditorProps = {
  file: Previewed;
  edit: EditAccess;
  isMarkdown: boolean;
  onClose: () => void;
};

/** The text of a file, and the ways to save it. What is typed stays in memory until it is saved or discarded, whatever closes the editor. */
export function Editing({
  file,
  edit,
  isMarkdown,
  onClose,
  start,
  onReload,
  isRestored = false,
}: EditorProps & { start: Draft; onReload: () => void; isRestored?: boolean }) {
  const [read, setRead] = useState(start.read);
  const [text, setText] = useState(start.text);
  const [asked, setAsked] = useState<Question>();
  const isDirty = text !== read.text;
  /** Whether no input would be lost; current even before the next render. */
  const isSafe = useRef(!isDirty);
  useEffect(() => {
    isSafe.current = !isDirty;
    if (isDirty) keepDraft(file.key, { read, text });
    else dropDraft(file.key);
  }, [file.key, isDirty, read, text]);
  const leaving = useLeaveGuard(useCallback(() => isSafe.current, []));
  const settle = (): void => {
    isSafe.current = true;
    dropDraft(file.key);
  };

  const place = { parentLinkUri: edit.parentLinkUri, name: file.name };
  const save = useMutation({
    mutationFn: (isAnyway: boolean) => (isAnyway ? saveAnyway(place, read, text) : saveOver(file.key, place, read, text)),
    onSuccess: (saved) => {
      setRead(saved);
      edit.onSaved();
      // Ctrl+Z undoes what is typed as long as the editor is open; afterwards it goes back save by save.
      if (saved.undoId !== undefined) remember({ undoId: saved.undoId, onUndone: edit.onSaved });
      notifyDone(`Saved ${file.name}`);
    },
  });
  const copy = useMutation({
    mutationFn: () => putText(place, text, read.hasMark),
    onSuccess: ({ name }) => {
      settle();
      edit.onSaved();
      notifyDone(`Saved as ${name}`);
      onClose();
    },
  });
  const question = leaving ? 'leave' : asked;
  const isBusy = save.isPending || copy.isPending;
  const isConflict = save.error instanceof CallError && save.error.is('FILE_CHANGED');
  const problem = copy.error ?? save.error;
  return (
    <div className={classes.editor} data-editor="">
      <div className={classes.top}>
        <div className={classes.bar} role="toolbar" aria-label="Editor">
          <span className={classes.state} role="status">
            {isDirty ? 'Unsaved changes' : 'Everything is saved'}
          </span>
          <Button size="sm" onClick={() => (isDirty ? setAsked('leave') : onClose())}>
            Done
          </Button>
          <Button size="sm" variant="filled" loading={save.isPending} disabled={!isDirty || isBusy} onClick={() => save.mutate(false)}>
            Save
          </Button>
        </div>
        {isRestored && isDirty && !problem && <Notice kind="note">Your unsaved text from before is shown.</Notice>}
        {problem && !isBusy && (
          <Notice kind={isConflict ? 'note' : 'error'}>
            {errorText(problem)} {isConflict ? 'Your text is not saved yet.' : 'Your text is still here.'}
            {isConflict && (
              <span className={classes.ways}>
                <Button size="sm" onClick={() => copy.mutate()}>
                  Save mine as a copy
                </Button>
                <Button size="sm" onClick={() => setAsked('reload')}>
                  Reload
                </Button>
                <Button size="sm" onClick={() => setAsked('replace')}>
                  Replace it with mine
                </Button>
              </span>
            )}
          </Notice>
        )}
      </div>
      <CodeField
        label={`Text of ${file.name}`}
        text={start.text}
        isMarkdown={isMarkdown}
        onText={setText}
        onSave={() => isDirty && !isBusy && save.mutate(false)}
      />
      {question && (
        <ConfirmDialog
          {...questions[question]}
          cancel="Keep editing"
          onConfirm={() => {
            setAsked(undefined);
            if (question === 'replace') return save.mutate(true);
            settle();
            if (question === 'reload') onReload();
            else if (leaving) leaving.leave();
            else onClose();
          }}
          onClose={() => {
            setAsked(undefined);
            if (leaving) leaving.stay();
          }}
        >
          {question === 'replace'
            ? `What somebody else saved in ${file.name} is replaced by your text.`
            : `What you typed into ${file.name} is not saved.`}
        </ConfirmDialog>
      )}
    </div>
  );
}
