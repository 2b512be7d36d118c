import type { LinkRow, Source } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '#/lib/http/error-text.ts';
import { sourceSentence } from '#/lib/http/screen-text.ts';
import { Dialog } from '#/ui/dialog/Dialog.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { linkProvider, linkSource, openedLink } from '../queries.ts';
import { logoUrl } from '../rows.ts';
import { SourceLogo } from '../SourceLogo.tsx';
import { AuthorizeDialog } from './AuthorizeDialog.tsx';
import { BusyImage } from './BusyImage.tsx';
import { ClosedDialog } from './ClosedDialog.tsx';
import type { Form, Setting } from './fields/field.ts';
import { PlainForm } from './fields/PlainForm.tsx';
import { formOf } from './forms.ts';
import { SftpForm } from './SftpForm.tsx';
import type { Targets } from './targets.ts';

export interface LinkDialogProps {
  source: Source;
  /** The link to edit; without one a link is created. */
  link?: LinkRow | undefined;
  orgOid?: string | undefined;
  /** The pending grant of an authorization. */
  stateId?: string | undefined;
  targets: Targets;
  /** Rendered on its own page. */
  asPage?: boolean;
  /** Leaves the dialog for one of its targets. */
  onLeave: (href: string) => void;
}

/** Creates or edits a link, with the form of its source. */
export function LinkDialog(props: LinkDialogProps) {
  const { data: known } = useQuery({ ...linkProvider(props.source.provider), enabled: props.source.closed !== undefined });
  const form = formOf(props.source.family);
  // A service that has ended counts as closed until the server names a replacement configured by the operator.
  const isClosed = props.source.closed !== undefined && (known === undefined || known.closed !== undefined);
  if (form === undefined || (isClosed && props.link === undefined)) return <ClosedDialog {...props} />;
  if (isAuthorized(form) && props.link === undefined) return <AuthorizeDialog {...props} />;
  return <LoadedDialog key={`${props.source.provider} ${props.link?.userLinkId ?? ''}`} {...props} form={form} />;
}

/** Whether links of the form are created at the provider. */
const isAuthorized = ({ family }: Form): boolean => family === 'oauth' || family === 'googlecloud';

function LoadedDialog({ form, source, link, orgOid, stateId, targets, asPage = false, onLeave }: LinkDialogProps & { form: Form }) {
  const known = useQuery(linkSource(source));
  const setting: Setting = {
    source: known.data ?? source,
    mode: link === undefined ? 'create' : 'edit',
    ...(link === undefined ? {} : { userLinkId: link.userLinkId }),
    ...(orgOid === undefined ? {} : { orgOid }),
    ...(stateId === undefined ? {} : { stateId }),
  };
  const opened = useQuery(openedLink(form, setting));
  const frame = {
    title: link === undefined ? `Link ${setting.source.title}` : `Edit ${link.name}`,
    logo: <SourceLogo src={logoUrl(source.provider)} size={40} />,
    asPage,
    onClose: () => onLeave(targets.cancel),
  };
  const error = known.error ?? opened.error;

  if (error) {
    return (
      <Dialog {...frame}>
        <ErrorState
          title="This could not be opened"
          message={errorText(error)}
          onRetry={() => void Promise.all([known.refetch(), opened.refetch()])}
        />
      </Dialog>
    );
  }
  if (known.data === undefined || opened.data === undefined) {
    return (
      <Dialog {...frame} sentence={sourceSentence(source)}>
        <BusyImage label={link === undefined ? 'Loading...' : 'Loading the stored connection info'} />
      </Dialog>
    );
  }
  const Pages = form.family === 'sftp' ? SftpForm : PlainForm;
  return (
    <Pages
      form={form}
      setting={setting}
      opened={opened.data}
      frame={frame}
      onSaved={(saved) => onLeave(targets.saved(saved))}
      onUnchanged={() => onLeave(targets.back)}
    />
  );
}
