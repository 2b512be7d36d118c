import { Loader } from '@mantine/core';
import { Gate, gateForm } from '#/ui/feedback/Gate.tsx';

/** Shown while a provider's answer is processed. */
export function LinkProcessingPage() {
  return (
    <Gate title="Linking your account. This may take a moment...">
      <div className={gateForm} role="status" aria-label="Linking your account">
        <Loader size={22} color="var(--accent)" mx="auto" />
      </div>
    </Gate>
  );
}
