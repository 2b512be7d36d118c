import { Button } from '@mantine/core';
import { secretMask } from '@sheaf/contract';
import { IconArrowLeft, IconChevronRight, IconKey, IconLock } from '@tabler/icons-react';
import { useEffect } from 'react';
import { sourceSentence } from '#/lib/http/screen-text.ts';
import { useHash } from '#/lib/navigation/location.ts';
import { Dialog, DialogButtons } from '#/ui/dialog/Dialog.tsx';
import { FailureNotice } from './FailureNotice.tsx';
import type { FormProps } from './fields/form-props.ts';
import { isComplete } from './fields/form-values.ts';
import { LinkFields } from './fields/LinkFields.tsx';
import { type SftpLogin, loginFields } from './forms/sftp.ts';
import { useEscape } from './use-escape.ts';
import { type LinkForm, useLinkForm } from './use-link-form.ts';
import classes from './dialogs.module.css';

const ways = [
  { login: 'password', label: 'Login with password', Icon: IconLock },
  { login: 'keyfile', label: 'Login with keyfile', Icon: IconKey },
] as const;

/** SFTP's dialog: the server on the main page, the login on one of two further pages named by the address. */
export function SftpForm({ form, setting, opened, frame, onSaved }: FormProps) {
  const linkForm = useLinkForm(form, setting, opened, onSaved);
  const hash = useHash();
  const login = ways.find((way) => way.login === hash)?.login;
  const server = (linkForm.values['server'] ?? '').trim();
  const sentence =
    login === undefined
      ? sourceSentence(setting.source)
      : server === ''
        ? 'Go back and enter the host first.'
        : `Sheaf signs in to ${server}.`;

  const { cancel } = linkForm;
  const leave = (): void => {
    cancel();
    frame.onClose();
  };
  useEscape(linkForm.busy && frame.asPage === true, leave);
  // Going back in any way cancels a running check.
  useEffect(() => (login === undefined ? undefined : cancel), [login, cancel]);

  return (
    <Dialog {...frame} onClose={leave} sentence={sentence}>
      {login === undefined ? (
        <MainPage linkForm={linkForm} onCancel={leave} />
      ) : (
        <LoginPage key={login} login={login} linkForm={linkForm} onCancel={leave} />
      )}
    </Dialog>
  );
}

function MainPage({ linkForm, onCancel }: { linkForm: LinkForm; onCancel: () => void }) {
  const fields = linkForm.form.fields(linkForm.setting);
  const { change, failure, retract, values } = linkForm;
  const usual = values['login'] === 'keyfile' ? 'keyfile' : 'password';
  // An error about the password does not concern the key file, nor does its question.
  const choose = (login: SftpLogin): void => {
    if (login === 'keyfile' && failure !== undefined && values['password'] !== secretMask) change('password', '');
    else retract();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isComplete(fields, values)) return;
        choose(usual);
        location.hash = usual;
      }}
    >
      <LinkFields fields={fields} linkForm={linkForm} />
      <FailureNotice linkForm={linkForm} shown={fields.map(({ name }) => name)} />
      <div className={classes.ways}>
        {ways.map(({ login, label, Icon }) => (
          <a
            key={login}
            href={`#${login}`}
            onClick={() => choose(login)}
            className={classes.way}
            data-primary={login === usual || undefined}
          >
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
          onClick={() => (location.hash = '')}
        >
          Back
        </Button>
        <Button variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
        <Button variant="filled" type="submit" loading={busy} disabled={!isReady}>
          {submitLabel}
        </Button>
      </DialogButtons>
    </form>
  );
}
