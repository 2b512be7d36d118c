import { Button } from '@mantine/core';
import { Dialog, DialogButtons } from '#/ui/Dialog.tsx';
import { FailureNotice } from './FailureNotice.tsx';
import type { FormProps } from './form-props.ts';
import { isComplete } from './form-values.ts';
import { LinkFields } from './LinkFields.tsx';
import { useLinkForm } from './use-link-form.ts';

/** A dialog of one page: its fields, what went wrong, Cancel and the button that saves. */
export function PlainForm({ form, setting, opened, frame, onSaved, onUnchanged }: FormProps) {
  const linkForm = useLinkForm(form, setting, opened, onSaved);
  const { busy, submit, submitLabel, values } = linkForm;
  const fields = form.fields(setting);

  return (
    <Dialog {...frame} sentence={form.sentence ?? setting.source.sentence} busy={busy}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (form.onlyNames === true && values['name'] === opened.name) onUnchanged();
          else submit();
        }}
      >
        <LinkFields fields={fields} linkForm={linkForm} />
        <FailureNotice linkForm={linkForm} shown={fields.map(({ name }) => name)} />
        <DialogButtons>
          <Button variant="subtle" onClick={frame.onClose} disabled={busy}>
            Cancel
          </Button>
          <Button variant="filled" type="submit" loading={busy} disabled={!isComplete(fields, values)}>
            {submitLabel}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
