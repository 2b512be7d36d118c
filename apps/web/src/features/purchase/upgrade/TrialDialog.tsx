import { Button } from '@mantine/core';
import { products } from '@sheaf/contract';
import { useStartTrial } from '#/features/purchase/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { useContact } from '#/lib/session/session.ts';
import { Dialog, DialogButtons } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import classes from '../purchase.module.css';

const { name, trialDays } = products.premium;

type Props = { asPage?: boolean; onDone: () => void; onClose: () => void };

/** Starts the free trial; cannot be closed while it does. */
export function TrialDialog({ asPage = false, onDone, onClose }: Props) {
  const trial = useStartTrial();
  const title = `${trialDays} Day Free Trial`;
  if (trial.isSuccess) {
    return (
      <Dialog title="Thank You" asPage={asPage} level={2} onClose={onDone}>
        <div className={classes.confirmation} role="status">
          <p>Premium features are now available.</p>
          <Questions />
        </div>
        <DialogButtons>
          <Button variant="filled" onClick={onDone} data-autofocus autoFocus>
            OK
          </Button>
        </DialogButtons>
      </Dialog>
    );
  }
  return (
    <Dialog title={title} asPage={asPage} level={2} busy={trial.isPending} onClose={onClose}>
      <div className={classes.confirmation}>
        <p>All premium features are free for {trialDays} days. No credit card required.</p>
      </div>
      {trial.error && (
        <Notice kind="error" inDialog>
          Could not activate {name}. {errorText(trial.error)}
        </Notice>
      )}
      <DialogButtons>
        <Button variant="subtle" onClick={onClose} disabled={trial.isPending}>
          Cancel
        </Button>
        <Button variant="filled" loading={trial.isPending} onClick={() => trial.mutate()} data-autofocus>
          Get Trial
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** Contact for questions, as far as configured. */
function Questions() {
  const { forum, support } = useContact();
  if (forum === undefined && support === undefined) return null;
  const toForum = forum !== undefined && (
    <a className={classes.textLink} href={forum} target="_blank" rel="noreferrer">
      forum
    </a>
  );
  const toSupport = support !== undefined && (
    <a className={classes.textLink} href={support}>
      customer support
    </a>
  );
  return (
    <p>
      Questions? {toForum && <>Visit the {toForum}</>}
      {toForum && toSupport && ' or contact '}
      {!toForum && toSupport && 'Contact '}
      {toSupport}.
    </p>
  );
}
