import type { ConnectorErrorKind } from '@sheaf/connectors';
import type { AppError } from '@sheaf/contract';
import { writtenAttention } from './attention.ts';
import type { LinkState } from './store.ts';

/** Failures that last until somebody changes the link or its server. */
const needsAttention: ReadonlySet<ConnectorErrorKind> = new Set<ConnectorErrorKind>([
  'appRefused',
  'authType',
  'badConfig',
  'badKeyFile',
  'certificateChanged',
  'certificateMissing',
  'certificateName',
  'hostKeyChanged',
  'moved',
  'needsAuthorization',
  'noBucket',
  'timeout',
  'unauthorized',
  'unreachable',
  'wrongKey',
  'wrongPassphrase',
  'wrongProtocol',
  'wrongSignature',
]);

/** Seconds for which an unchanged state is not written again. */
const writeEvery = 60;

interface Options {
  readonly state: LinkState;
  readonly attention: string | null;
  readonly checkedAt: number | null;
  readonly now: () => number;
  /** Called when a source that needed attention answers again. */
  readonly recovered: () => void;
  readonly write: (state: LinkState, attention: string | null, checkedAt: number) => void;
}

/** Derives a link's state from its calls; writes changes, and now and then an unchanged state. */
export function createLinkHealth({ state, attention, checkedAt, now, write, recovered }: Options) {
  let written = { state, attention, checkedAt: checkedAt ?? 0 };
  const record = (next: LinkState, reason: string | null) => {
    const seconds = now();
    if (next === written.state && reason === written.attention && seconds - written.checkedAt < writeEvery) return;
    written = { state: next, attention: reason, checkedAt: seconds };
    write(next, reason, seconds);
  };
  return {
    worked(): void {
      const wasDown = written.state === 'attention';
      record('ok', null);
      if (wasDown) recovered();
    },
    /** `told` is shown to the user; a failure about an item only shows that the source answers. */
    failed(kind: ConnectorErrorKind, told: AppError): void {
      if (needsAttention.has(kind)) record('attention', writtenAttention(told));
    },
  };
}
