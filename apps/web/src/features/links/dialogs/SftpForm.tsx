import { Button } from '@mantine/core';
import { IconArrowLeft, IconChevronRight, IconKey, IconLock } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { Dialog, DialogButtons } from '#/ui/Dialog.tsx';
import { FailureNotice } from './FailureNotice.tsx';
import type { FormProps } from './form-props.ts';
import { isComplete } from './form-values.ts';
import { type SftpLogin, loginFields } from './forms/sftp.ts';
import { LinkFields } from './LinkFields.tsx';
import { type LinkForm, useLinkForm } from './use-link-form.ts';
import classes from './dialogs.module.css';

const ways = [
  { login: 'password', label: 'Login with password', Icon: IconLock },
  { login: 'keyfile', label: 'Login with keyfile', Icon: IconKey },
] as const;

/** SFTP's dialog: the server on the main page, the login on one of two further pages, which the address names. */
export function SftpForm({ form, setting, opened, frame, onSaved }: FormProps) {
  const linkForm = useLinkForm(form, setting, opened, onSaved);
  const hash = useLocation({ select: (location) => location.hash });
  const login = ways.find((way) => way.login === hash)?.login;
  const server = (linkForm.values['server'] ?? '').trim();
  const sentence =
    login === undefined ? setting.source.sentence : server === '' ? 'Go back and enter the host first.' : `Sheaf signs in to ${server}.`;

  return (
    <Dialog {...frame} sentence={sentence} busy={linkForm.busy}>
      {login === undefined ? (
        <MainPage linkForm={linkForm} onCancel={frame.onClose} />
      ) : (
        <LoginPage key={login} login={login} linkForm={linkForm} onCancel={frame.onClose} />
      )}
    </Dialog>
  );
}

function MainPage({ linkForm, onCancel }: { linkForm: LinkForm; onCancel: () => void }) {
  const fields = linkForm.form.fields(linkForm.setting);
  const usual = linkForm.values['login'] === 'keyfile' ? 'keyfile' : 'password';
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete(fields, linkForm.values)) location.hash = usual;
      }}
    >
      <LinkFields fields={fields} linkForm={linkForm} />
      <FailureNotice linkForm={linkForm} shown={fields.map(({ name }) => name)} />
      <div className={classes.ways}>
        {ways.map(({ login, label, Icon }) => (
          <a key={login} href={`#${login}`} className={classes.way} data-primary={login === usual || undefined}>
            <Icon size={18} stroke={1.75} aria-hidden="true" />
            {label}
            <IconChevronRight size={16} stroke={2} aria-hidden="true" />
          </a>
        ))}
      </div>
      <div className={classes.foot}>
        <Button variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
      </div>
      <button type="submit" hidden />
    </form>
  );
}

function LoginPage({ login, linkForm, onCancel }: { login: SftpLogin; linkForm: LinkForm; onCancel: () => void }) {
  const { form, setting, values, busy, submit, submitLabel } = linkForm;
  const fields = loginFields[login];
  const isReady = isComplete([...form.fields(setting), ...fields], values);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit({ login });
      }}
    >
      <LinkFields fields={fields} linkForm={linkForm} />
      <FailureNotice linkForm={linkForm} shown={fields.map(({ name }) => name)} />
      <DialogButtons>
        <Button
          className={classes.back}
          variant="subtle"
          leftSection={<IconArrowLeft size={16} stroke={1.75} />}
          disabled={busy}
          onClick={() => (location.hash = '')}
        >
          Back
        </Button>
        <Button variant="subtle" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
        <Button variant="filled" type="submit" loading={busy} disabled={!isReady}>
          {submitLabel}
        </Button>
      </DialogButtons>
    </form>
  );
}
