import { Button, TextInput } from '@mantine/core';
import type { DeviceRequest } from '@sheaf/contract';
import { useEffect, useState } from 'react';
import { momentOf } from '#/features/accounts/dates.ts';
import { usePlaceWords } from '#/features/accounts/programs/queries.ts';
import { Reauthentication } from '#/features/accounts/security/ProofDialog.tsx';
import { errorText } from '#/lib/http/error-text.ts';
import { useHere } from '#/lib/navigation/location.ts';
import { useSession } from '#/lib/session/session.ts';
import { Gate, gateFoot, gateForm } from '#/ui/feedback/Gate.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { useConfirmDevice, useLookAtDevice, useRefuseDevice } from './queries.ts';
import classes from './devices.module.css';

/** Asks the person whether a program that shows a code may sign in. Programs send the browser here, or people type the address. */
export function DevicePage() {
  const [, query = ''] = useHere().split('?');
  const given = new URLSearchParams(query).get('user_code') ?? '';
  const { mutate: look, data, error, isPending } = useLookAtDevice();
  useEffect(() => {
    if (given !== '') look(given);
  }, [given, look]);
  if (data)
    return (
      <Reauthentication>
        <Question request={data} />
      </Reauthentication>
    );
  if (given !== '' && !error) return <Gate title="One moment..." />;
  return <AskCode given={given} isBusy={isPending} problem={error ? errorText(error) : undefined} onCode={look} />;
}

type AskProps = { given: string; isBusy: boolean; problem: string | undefined; onCode: (code: string) => void };

function AskCode({ given, isBusy, problem, onCode }: AskProps) {
  const [code, setCode] = useState(given);
  return (
    <Gate title="Let a program in" sentence="Type the code that the program shows.">
      <form className={gateForm} action={() => onCode(code)}>
        <TextInput
          label="Code"
          name="user-code"
          classNames={{ input: classes.typed }}
          placeholder="BCDF-GHJK"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          value={code}
          error={problem}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" variant="filled" disabled={code.trim() === ''} loading={isBusy}>
          Continue
        </Button>
      </form>
      <p className={gateFoot}>Use only a code that you see on your own screen. Nobody from Sheaf ever sends you one.</p>
    </Gate>
  );
}

function Question({ request }: { request: DeviceRequest }) {
  const { userCode, name, program, address, isNear, askedAt, wish } = request;
  const session = useSession();
  const confirm = useConfirmDevice();
  const refuse = useRefuseDevice();
  const isBusy = confirm.isPending || refuse.isPending;
  if (confirm.isSuccess) return <Done request={request} />;
  if (refuse.isSuccess)
    return (
      <Gate
        title="Refused"
        sentence="The program was not let in. If you did not start it, somebody else may have tried to get into your account."
      >
        <div className={gateForm}>
          <Button component={PathLink} href="/account/profile">
            Your profile
          </Button>
        </div>
      </Gate>
    );
  const error = confirm.error ?? refuse.error;
  return (
    <Gate
      title={wish === 'signIn' ? `Let ${name} into your account?` : `Give ${name} a drive?`}
      sentence={`You are signed in as ${session?.loginAccount ?? ''}.`}
    >
      <form className={gateForm} action={() => confirm.mutate(userCode)}>
        <p>Does the program show exactly this code?</p>
        <p className={classes.code}>{userCode}</p>
        <dl className={classes.facts}>
          <dt>Computer</dt>
          <dd>{name}</dd>
          <dt>Program</dt>
          <dd>{program}</dd>
          <dt>Address</dt>
          <dd>{address}</dd>
          <dt>Asked</dt>
          <dd>{momentOf(askedAt)}</dd>
          <dt>It may</dt>
          <dd>
            <Rights request={request} />
          </dd>
        </dl>
        <Notice kind={isNear ? 'note' : 'error'}>
          {isNear ? '' : 'The program asked from another network than this browser. '}
          Confirm only what you have just started yourself. If somebody sent you this code or address, refuse: they would get into your
          files.
        </Notice>
        {error && <Notice kind="error">{errorText(error)}</Notice>}
        <Button type="submit" variant="filled" disabled={isBusy} loading={confirm.isPending}>
          Yes, let it in
        </Button>
        <Button onClick={() => refuse.mutate(userCode)} disabled={isBusy}>
          Refuse
        </Button>
      </form>
      <p className={gateFoot}>Name and program are as the program says. Nobody has checked them.</p>
    </Gate>
  );
}

/** What the program may do, in words. */
function Rights({ request: { wish, rights, linkUris } }: { request: DeviceRequest }) {
  const placeWords = usePlaceWords();
  if (wish === 'signIn')
    return 'Read, add, change, share and delete files in all links, until you revoke it. It cannot change your account.';
  const verbs = rights === 'write' ? 'Read, add, change and delete files' : 'Read files';
  return `${verbs} in: ${placeWords({ linkUris })}. Until it is unmounted, or you revoke its app password.`;
}

function Done({ request: { name, wish } }: { request: DeviceRequest }) {
  const [where, href] = wish === 'signIn' ? ['Authentication codes', '/account/authcodes'] : ['App passwords', '/account/apppasswords'];
  return (
    <Gate title={`${name} is let in`} sentence={`You can close this page: the program goes on by itself. You revoke it under ${where}.`}>
      <div className={gateForm}>
        <Button component={PathLink} href={href}>
          {where}
        </Button>
      </div>
    </Gate>
  );
}
