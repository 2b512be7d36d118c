import { Button, NativeSelect } from '@mantine/core';
import type { AgentRequest, AppPasswordRights } from '@sheaf/contract';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { Reauthentication } from '#/features/accounts/security/ProofDialog.tsx';
import type { ChosenFolder, FolderFieldProps } from '#/lib/files/folder-choice.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { useHere } from '#/lib/navigation/location.ts';
import { useSession } from '#/lib/session/session.ts';
import { Gate, gateFoot, gateForm } from '#/ui/feedback/Gate.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { agentRequest, useAllowAgent, useRefuseAgent } from './queries.ts';
import classes from './agents.module.css';

type Props = { FolderField: ComponentType<FolderFieldProps> };

const day = 86_400;
const ends = [
  { value: '7', label: 'For a week' },
  { value: '90', label: 'For 90 days' },
  { value: '365', label: 'For a year' },
  { value: '', label: 'Until I revoke it' },
];

/** Asks the person whether a program may act for them, where and how. Programs send the browser here. */
export function AllowAgentPage({ FolderField }: Props) {
  const [, query = ''] = useHere().split('?');
  const { data, error } = useQuery(agentRequest(query));
  if (error)
    return (
      <Gate title="This agent cannot be let in" sentence={errorText(error)}>
        <div className={gateForm}>
          <Button component={PathLink} href="/account/agents">
            Your agents
          </Button>
        </div>
      </Gate>
    );
  // No automatic redirect: anybody can register a program, and could use an address of Sheaf to lead people elsewhere.
  if (data?.refusedTo !== undefined) {
    const { host } = new URL(data.refusedTo);
    return (
      <Gate title="This agent asked for something that does not exist" sentence={`Nobody was let in. It wants you to go back to ${host}.`}>
        <div className={gateForm}>
          <Button component="a" href={data.refusedTo} rel="noreferrer">
            Go to {host}
          </Button>
          <Button component={PathLink} href="/account/agents">
            Your agents
          </Button>
        </div>
      </Gate>
    );
  }
  if (!data?.request) return <Gate title="One moment..." />;
  return (
    <Reauthentication>
      <Consent FolderField={FolderField} query={query} request={data.request} />
    </Reauthentication>
  );
}

function Consent({ FolderField, query, request }: Props & { query: string; request: AgentRequest }) {
  const session = useSession();
  const [scope, setScope] = useState('folders');
  const [folders, setFolders] = useState<readonly ChosenFolder[]>([]);
  const [open, setOpen] = useState<ChosenFolder>();
  const [rights, setRights] = useState<AppPasswordRights>('read');
  const [end, setEnd] = useState('90');
  const allow = useAllowAgent();
  const refuse = useRefuseAgent();
  const isBusy = allow.isPending || allow.isSuccess || refuse.isPending || refuse.isSuccess;
  // The open folder counts without a further click.
  const chosen = [...folders, ...(open && folders.every(({ linkUri }) => linkUri !== open.linkUri) ? [open] : [])];
  const isReady = scope === 'all' || chosen.length > 0;
  const submit = (): void => {
    if (!isReady || isBusy) return;
    const expires = end === '' ? {} : { expires: Math.trunc(Date.now() / 1000) + Number(end) * day };
    allow.mutate({ query, linkUri: scope === 'all' ? [] : chosen.map(({ linkUri }) => linkUri), rights, ...expires });
  };
  const error = allow.error ?? refuse.error;
  return (
    <Gate title={`Let ${request.name} use your files?`} sentence={`You are signed in as ${session?.loginAccount ?? ''}.`}>
      <form className={gateForm} action={submit}>
        <p className={classes.who}>{whoWords(request)}</p>
        <NativeSelect
          label="Folders"
          data={[
            { value: 'folders', label: 'Only the folders that I choose' },
            { value: 'all', label: 'All links and Spaces' },
          ]}
          value={scope}
          disabled={isBusy}
          onChange={(event) => setScope(event.currentTarget.value)}
        />
        {scope === 'folders' && (
          <>
            {folders.length > 0 && (
              <ul className={classes.chosen} aria-label="Chosen folders">
                {folders.map((folder) => (
                  <li key={folder.linkUri}>
                    <span>{folder.destinationPath.split('/').join(' / ')}</span>
                    <IconButton
                      label={`Leave out ${folder.destinationPath}`}
                      onClick={() => setFolders(folders.filter((one) => one !== folder))}
                    >
                      <IconX size={16} stroke={1.75} />
                    </IconButton>
                  </li>
                ))}
              </ul>
            )}
            <FolderField
              key={folders.length}
              label={folders.length === 0 ? 'Folder' : 'Another folder'}
              placeholder="Choose a folder"
              disabled={isBusy}
              onChoose={setOpen}
            />
            {open && chosen.length > folders.length && (
              <Button
                size="xs"
                onClick={() => {
                  setFolders(chosen);
                  setOpen(undefined);
                }}
              >
                Add one more folder
              </Button>
            )}
          </>
        )}
        <NativeSelect
          label="It may"
          data={[
            { value: 'read', label: 'Look and read' },
            ...(request.rights === 'write' ? [{ value: 'write', label: 'Look, read, add and plan' }] : []),
          ]}
          value={rights}
          disabled={isBusy}
          onChange={(event) => setRights(event.currentTarget.value === 'write' ? 'write' : 'read')}
        />
        <NativeSelect label="How long" data={ends} value={end} disabled={isBusy} onChange={(event) => setEnd(event.currentTarget.value)} />
        <ul className={classes.means} aria-label="What this means">
          <li>It sees names, and the text of files{scope === 'all' ? ' everywhere' : ' in these folders'}.</li>
          {rights === 'write' && <li>It adds folders and text files, and replaces nothing.</li>}
          {rights === 'write' && <li>It only plans copies, moves, deletions and public links: you start or refuse each one.</li>}
          <li>Your activity shows everything it does, and you can revoke it at any time.</li>
        </ul>
        {error && <Notice kind="error">{errorText(error)}</Notice>}
        <Button type="submit" variant="filled" disabled={!isReady} loading={allow.isPending || allow.isSuccess}>
          Let it in
        </Button>
        <Button onClick={() => refuse.mutate(query)} disabled={isBusy}>
          Refuse
        </Button>
      </form>
      <p className={gateFoot}>Afterwards you return to {request.returnsTo}.</p>
    </Gate>
  );
}

/** What is known about the program. */
function whoWords({ home, isLocal, returnsTo }: AgentRequest): string {
  const where = isLocal ? 'a program on this computer' : `a program at ${returnsTo}`;
  if (home === undefined)
    return `It says so itself, and nobody has checked the name: it is ${where}. Go on only if you have just started it.`;
  return isLocal ? `${home} describes it, and it runs on this computer. Go on only if you have just started it.` : `${home} describes it.`;
}
