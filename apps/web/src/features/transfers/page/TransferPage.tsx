import { Button } from '@mantine/core';
import type { Transfer } from '@sheaf/contract';
import { IconChevronLeft, IconFileCertificate, IconFileDownload, IconFolderSymlink } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Decisions, StartButton, leftText } from '#/features/transfers/Decisions.tsx';
import { reportAddress, signatureAddress, useAct, useBrowseUrls, useTransfer } from '#/features/transfers/queries.ts';
import { errorText, errorAnswerText } from '#/lib/http/error-text.ts';
import { useRoute } from '#/lib/navigation/route.ts';
import type { LiveTransfer } from '#/lib/transfers/live.ts';
import { hasEnded } from '#/lib/transfers/measure.ts';
import { pageTransfers } from '#/lib/transfers/page-transfers.ts';
import { hrefOfPlace, titleOf } from '#/lib/transfers/words.ts';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page } from '#/ui/PageHead.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { Actions } from './Actions.tsx';
import { ItemList } from './ItemList.tsx';
import { PlanSums } from './PlanSums.tsx';
import { Progress } from './Progress.tsx';
import { Undone } from './Undone.tsx';
import { Verification } from './Verification.tsx';
import { Way } from './Way.tsx';
import classes from './transfers.module.css';

/** One transfer: its plan, its progress, its items and its proof. */
export function TransferPage() {
  const transferId = useRoute()?.params['transferId'] ?? '';
  const { transfer, query } = useTransfer(transferId);
  useEffect(() => pageTransfers.view(), []);
  return (
    <Page>
      <PathLink className={classes.back} href="/transfers">
        <IconChevronLeft size={16} stroke={2} aria-hidden="true" />
        Transfers
      </PathLink>
      {transfer ? (
        <Details transfer={transfer} />
      ) : query.error ? (
        <ErrorState level={1} title="This transfer cannot be shown" message={errorText(query.error)} onRetry={() => void query.refetch()} />
      ) : (
        <SkeletonRows count={5} height={52} />
      )}
    </Page>
  );
}

function Details({ transfer }: { transfer: LiveTransfer }) {
  const { state, to } = transfer;
  const browseUrlOf = useBrowseUrls();
  const href = hrefOfPlace(to, browseUrlOf);
  const isPlanned = state === 'planned';
  return (
    <>
      <header className={classes.head}>
        <div>
          <h1>{titleOf(transfer)}</h1>
          <Way transfer={transfer} browseUrlOf={browseUrlOf} />
        </div>
        <span className={classes.actions}>
          {!isPlanned && <Actions transfer={transfer} />}
          {hasEnded(transfer) && href !== undefined && (
            <Button component={PathLink} href={href} leftSection={<IconFolderSymlink size={16} stroke={1.75} aria-hidden="true" />}>
              Show in folder
            </Button>
          )}
        </span>
      </header>
      {isPlanned && transfer.error && <Notice kind="error">{errorAnswerText(transfer.error)}</Notice>}
      <Undone transfer={transfer} />
      <Progress transfer={transfer} />
      {state !== 'planning' && <PlanSums transfer={transfer} />}
      {isPlanned && <Plan transfer={transfer} />}
      {hasEnded(transfer) && (
        <div className={classes.columns}>
          <Verification transfer={transfer} />
          <Report transfer={transfer} />
        </div>
      )}
      {state !== 'planning' && <ItemList transfer={transfer} />}
    </>
  );
}

/** The decisions of a plan that has not started, and its start. */
function Plan({ transfer }: { transfer: Transfer }) {
  const act = useAct(transfer);
  return (
    <>
      <Decisions transfer={transfer} />
      <div className={classes.start}>
        <span role="status">{leftText(transfer)}</span>
        <Actions transfer={transfer} />
        <StartButton transfer={transfer} act={act} />
      </div>
    </>
  );
}

function Report({ transfer: { transferId, endedAt } }: { transfer: Transfer }) {
  return (
    <section className={classes.report} aria-labelledby="transfer-report">
      <h2 id="transfer-report">Report</h2>
      <p>One line for each file: what happened to it, and how it was proven. The signature shows that a report is unchanged.</p>
      <span>
        {(['csv', 'json'] as const).map((format) => (
          <Button
            key={format}
            size="sm"
            component="a"
            href={reportAddress(transferId, format)}
            download
            leftSection={<IconFileDownload size={16} stroke={1.75} aria-hidden="true" />}
          >
            {format.toUpperCase()}
          </Button>
        ))}
        {endedAt !== undefined &&
          (['csv', 'json'] as const).map((format) => (
            <Button
              key={format}
              size="sm"
              variant="default"
              component="a"
              href={signatureAddress(transferId, format)}
              download={`transfer-${transferId}.${format}.signature.json`}
              leftSection={<IconFileCertificate size={16} stroke={1.75} aria-hidden="true" />}
            >
              {`Signature of ${format.toUpperCase()}`}
            </Button>
          ))}
      </span>
    </section>
  );
}
