import { Button } from '@mantine/core';
import { FailureNotice } from '#/features/links/dialogs/FailureNotice.tsx';
import { useEscape } from '#/features/links/dialogs/use-escape.ts';
import { useLinkForm } from '#/features/links/dialogs/use-link-form.ts';
import { sourceSentence } from '#/lib/http/screen-text.ts';
import { Dialog, DialogButtons } from '#/ui/dialog/Dialog.tsx';
import type { FormProps } from './form-props.ts';
import { isComplete } from './form-values.ts';
import { LinkFields } from './LinkFields.tsx';
import classes from '../dialogs.module.css';

/** A dialog of one page: its fields, errors, Cancel and the save button. */
export function PlainForm({ form, setting, opened, frame, onSaved, onUnchanged }: FormProps) {
  const linkForm = useLinkForm(form, setting, opened, onSaved);
  const { busy, cancel: giveUp, submit, submitLabel, values } = linkForm;
  const fields = form.fields(setting);
  const leave = (): void => {
    giveUp();
    frame.onClose();
  };
  useEscape(busy && frame.asPage === true, leave);
  const cancel = (
    <Button variant="subtle" onClick={leave}>
      Cancel
    </Button>
  );

  return (
    <Dialog {...frame} onClose={leave} sentence={form.sentence ?? sourceSentence(setting.source)}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (form.onlyNames === true && setting.stateId === undefined && values['name'] === opened.name) onUnchanged();
          else submit();
        }}
      >
        <LinkFields fields={fields} linkForm={linkForm} />
        <FailureNotice linkForm={linkForm} shown={fields.map(({ name }) => name)} />
        <DialogButtons>
          {form.cancelBelow !== true && cancel}
          <Button
            variant="filled"
            type="submit"
            loading={busy}
            disabled={!isComplete(fields, values)}
            fullWidth={form.cancelBelow === true}
          >
            {submitLabel}
          </Button>
        </DialogButtons>
        {form.cancelBelow === true && <div className={classes.below}>{cancel}</div>}
      </form>
    </Dialog>
  );
}
