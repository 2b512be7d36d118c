import { Button } from '@mantine/core';
import { Gate, gateFoot, gateForm } from '#/ui/feedback/Gate.tsx';

interface Props {
  readonly mailedTo: string;
  readonly onAgain: () => void;
  readonly onChange: () => void;
}

/** Shown after sign-up where mails are sent: the same whether or not the address has an account, which only its mail reveals. */
export function SignUpMailed({ mailedTo, onAgain, onChange }: Props) {
  return (
    <Gate title="Check your mail" sentence={`We sent a message to ${mailedTo}. Open it to go on.`}>
      <div className={gateForm}>
        <Button onClick={onAgain}>Send again</Button>
      </div>
      <p className={gateFoot}>
        Nothing there?{' '}
        <button type="button" onClick={onChange}>
          Check the address
        </button>
      </p>
    </Gate>
  );
}
