import type { CallOptions } from '../connector.ts';
import type { ProviderApp } from '../definition.ts';

/** What the service should call at each change. */
export interface SubscriptionWish {
  /** Public https address to call. */
  readonly address: string;
  /** A shared secret that each of the service's calls must contain. At most 100 letters, digits, `-` and `_`. */
  readonly secret: string;
  /** Handle of the link's current subscription, which this one continues or replaces. */
  readonly before?: string;
}

export interface Subscription {
  /** Identifies the subscription at the service; not a secret. */
  readonly handle: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** Whether the previous subscription continues, with its own secret. */
  readonly isContinued: boolean;
}

/**
 * Notifications from the service when something has changed (webhooks). A notification is only a hint to call {@link Connector.changes};
 * its content is never trusted.
 */
export interface Hints {
  /** Subscribes an address to changes in the account. Rejects with `alreadyExists` when the service already calls one for another link. */
  subscribe(wish: SubscriptionWish, ask: CallOptions): Promise<Subscription>;
  /** Ends a subscription; also resolves when it has already ended. */
  unsubscribe(handle: string, ask: CallOptions): Promise<void>;
}

/** A request to the hint address; anybody may have sent it. */
export interface HintRequest {
  readonly method: string;
  readonly query: URLSearchParams;
  /** Keyed by header names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
}

/** Meaning of such a request, as far as the connector can tell. */
export type Hint =
  /** The service verifies the address: it expects this text in the answer. */
  | { readonly shape: 'echo'; readonly text: string }
  /** Something has changed in the subscriptions with these secrets. `isEnding`: the service asks for the renewal of the subscription. */
  | { readonly shape: 'secrets'; readonly secrets: readonly string[]; readonly isEnding: boolean }
  /** Signed with the application's secret: something has changed in the accounts of links with these identities. */
  | { readonly shape: 'identities'; readonly identities: readonly string[] };

/** Parses a request to the hint address; returns undefined for one without meaning, or with a wrong signature. Never throws. */
export type ReadHint = (request: HintRequest, app: ProviderApp) => Hint | undefined;
