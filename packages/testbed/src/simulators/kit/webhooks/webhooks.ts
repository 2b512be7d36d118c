interface Message {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What an address has answered; status 0: nothing. */
export interface WebhookAnswer {
  readonly status: number;
  readonly text: string;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

/** Milliseconds that providers wait for an answer. */
const patience = 10_000;

/** Sends a provider's calls to the addresses of its clients. */
export function createWebhooks() {
  const routes = new Map<string, string>();
  const running = new Set<Promise<unknown>>();

  async function send(address: string, { method = 'POST', headers = {}, body }: Message): Promise<WebhookAnswer> {
    const { origin, pathname, search } = new URL(address);
    const to = routes.get(origin);
    if (to === undefined) return { status: 0, text: '' };
    try {
      const answer = await fetch(`${to}${pathname}${search}`, {
        method,
        // What a reverse proxy passes on.
        headers: { ...headers, 'x-forwarded-host': new URL(origin).host },
        ...(body !== undefined && { body }),
        signal: AbortSignal.timeout(patience),
      });
      return { status: answer.status, text: await answer.text() };
    } catch {
      // As for a server that does not answer.
      return { status: 0, text: '' };
    }
  }

  return {
    /** From now on the origin that clients name leads to this one, as their name server and their proxy have it; others lead nowhere. */
    route: (origin: string, to: string): void => void routes.set(origin, to),
    send,
    /** Sends in the background. */
    notify(address: string, message: Message): void {
      const sending = send(address, message).finally(() => running.delete(sending));
      running.add(sending);
    },
    /** Resolves when nothing is being sent. */
    async idle(): Promise<void> {
      await Promise.all(running);
    },
  };
}
