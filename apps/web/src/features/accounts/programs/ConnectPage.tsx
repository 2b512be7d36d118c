import { Button } from '@mantine/core';
import { type AppPassword, type ProgramAddresses, linkUriOf, parseLinkUri } from '@sheaf/contract';
import { IconChevronLeft, IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { Reauthentication } from '#/features/accounts/security/ProofDialog.tsx';
import type { FolderFieldProps } from '#/lib/files/folder-choice.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { useRoute } from '#/lib/navigation/route.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { NewKeyCard } from './NewKeyCard.tsx';
import { NewKeyDialog } from './NewKeyDialog.tsx';
import { NewPasswordDialog } from './NewPasswordDialog.tsx';
import { NewSecretsCard } from './NewSecretsCard.tsx';
import { type NewSecrets, addressesOf, appPasswordList } from './queries.ts';
import { s3Programs } from './s3-steps.ts';
import { sftpAddress, sftpPrograms } from './sftp-steps.ts';
import { davPrograms } from './steps.ts';
import { Steps } from './Steps.tsx';
import { Value } from './Values.tsx';
import { rightsWords, usedWords } from './words.ts';
import classes from './programs.module.css';

type Props = { FolderField: ComponentType<FolderFieldProps> };

/** How programs and devices open a link: its address, an app password, and the steps for each of them. */
export function ConnectPage({ FolderField }: Props) {
  const userLinkId = useRoute()?.params['userLinkId'] ?? '';
  const { data, error, refetch } = useQuery(addressesOf(userLinkId));
  return (
    <Reauthentication>
      <Page>
        <PathLink className={classes.back} href="/account/mysheaf">
          <IconChevronLeft size={16} stroke={2} aria-hidden="true" />
          My Sheaf
        </PathLink>
        {data ? (
          <Connection addresses={data} FolderField={FolderField} />
        ) : error ? (
          <ErrorState level={1} title="This link cannot be connected" message={errorText(error)} onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows count={5} height={52} />
        )}
      </Page>
    </Reauthentication>
  );
}

/** Protocols, with their names on screen. */
const ways = { dav: 'WebDAV', s3: 'S3', sftp: 'SFTP' } as const;
type Way = keyof typeof ways;
const wayNames = Object.entries(ways) as readonly [Way, string][];

function Connection({ addresses: { linkName, linkUri, dav, s3, sftp }, FolderField }: Props & { addresses: ProgramAddresses }) {
  const [way, setWay] = useState<Way>('dav');
  const [open, setOpen] = useState<'password' | 'key'>();
  const [made, setMade] = useState<NewSecrets>();
  const [added, setAdded] = useState<AppPassword>();
  const close = (): void => setOpen(undefined);
  const isWithKey = way === 'sftp' && sftp !== undefined;
  return (
    <>
      <PageHead title={`Connect to ${linkName}`} line="Open this link in Finder or Explorer, on a phone, or with rclone and restic." />
      <Ways chosen={way} hasSftp={sftp !== undefined} onChoose={setWay} />
      <div className={classes.columns}>
        <div className={classes.main}>
          <section aria-label="Server">
            <h2>Server</h2>
            <dl className={classes.values}>
              {way === 'dav' && <Value name="Address" text={dav} />}
              {way === 'sftp' && sftp && (
                <>
                  <Value name="Address" text={sftpAddress(sftp)} />
                  <Value name="Folder" text={sftp.folder} />
                </>
              )}
              {way === 's3' && (
                <>
                  <Value name="Endpoint" text={s3.endpoint} />
                  <Value name="Bucket" text={s3.bucket} />
                </>
              )}
            </dl>
          </section>
          <section aria-label="App password">
            <h2>App password</h2>
            {isWithKey && added ? (
              <NewKeyCard added={added} sftp={sftp} onDone={() => setAdded(undefined)} />
            ) : made ? (
              <NewSecretsCard made={made} onStored={() => setMade(undefined)} />
            ) : (
              <div className={classes.ask}>
                <p>
                  {isWithKey
                    ? 'Use an app password or an SSH key, never your account’s password.'
                    : 'Use an app password, never your account’s.'}
                </p>
                <span className={classes.actions}>
                  {isWithKey && (
                    <Button size="xs" leftSection={<IconKey size={16} stroke={1.75} />} onClick={() => setOpen('key')}>
                      Add SSH key
                    </Button>
                  )}
                  <Button size="xs" leftSection={<IconPlus size={16} stroke={1.75} />} onClick={() => setOpen('password')}>
                    New app password
                  </Button>
                </span>
              </div>
            )}
          </section>
          <section aria-label="Steps">
            <h2>Steps</h2>
            {way === 'dav' && <Steps programs={davPrograms(dav, made?.username ?? 'USER-NAME')} />}
            {way === 'sftp' && sftp && <Steps programs={sftpPrograms({ ...sftp, username: (added ?? made)?.username ?? 'USER-NAME' })} />}
            {way === 's3' && <Steps programs={s3Programs({ ...s3, keyId: made?.accessKeyId ?? 'KEY-ID' })} />}
          </section>
        </div>
        <PasswordsHere linkUri={linkUri} withKeys={isWithKey} />
      </div>
      {open === 'password' && (
        <NewPasswordDialog
          FolderField={FolderField}
          link={{ linkUri, name: linkName }}
          onClose={close}
          onCreated={(created) => {
            setMade(created);
            close();
          }}
        />
      )}
      {open === 'key' && (
        <NewKeyDialog
          FolderField={FolderField}
          link={{ linkUri, name: linkName }}
          onClose={close}
          onAdded={(key) => {
            setAdded(key);
            close();
          }}
        />
      )}
    </>
  );
}

function Ways({ chosen, hasSftp, onChoose }: { chosen: Way; hasSftp: boolean; onChoose: (way: Way) => void }) {
  const shown = wayNames.filter(([way]) => hasSftp || way !== 'sftp');
  return (
    <div className={classes.clients} role="group" aria-label="Way">
      {shown.map(([way, name]) => (
        <button key={way} type="button" aria-pressed={way === chosen} onClick={() => onChoose(way)}>
          {name}
        </button>
      ))}
    </div>
  );
}

/** App passwords that open this link, and keys where they sign in. */
function PasswordsHere({ linkUri, withKeys }: { linkUri: string; withKeys: boolean }) {
  const { data } = useQuery(appPasswordList);
  const isHere = (one: string): boolean => linkUriOf(parseLinkUri(one)?.userLinkId ?? '', '/') === linkUri;
  const here =
    data?.appPasswords.filter(({ linkUris, sshKey }) => (withKeys || !sshKey) && (linkUris.length === 0 || linkUris.some(isHere))) ?? [];
  return (
    <aside className={classes.here} aria-label="App passwords here">
      <h2>App passwords here</h2>
      {data && here.length === 0 && <p>None yet.</p>}
      <ul>
        {here.map((password) => (
          <li key={password.appPasswordId}>
            <b>{password.name}</b>
            <small>
              {rightsWords(password)}, {usedWords(password)}
            </small>
          </li>
        ))}
      </ul>
      <PathLink href="/account/apppasswords">All app passwords</PathLink>
    </aside>
  );
}
