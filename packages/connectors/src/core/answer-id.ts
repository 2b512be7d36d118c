import { AsyncLocalStorage } from 'node:async_hooks';

/** A running call, with the request ids that the service assigned to its requests. */
export interface Heard {
  /** Id of the last request that the service refused. */
  refused?: string;
  /** Id of the last request that the service answered, whatever the status. */
  last?: string;
}
const calls = new AsyncLocalStorage<Heard>();

/**
 * Response headers with a request id, which a service's support asks for: Amazon and S3-compatible services, Microsoft (Azure, Graph,
 * SharePoint), Google, Dropbox, Box, Slack, and Cloudflare, which stands in front of many others.
 */
const headers = [
  'x-amz-request-id',
  'x-ms-request-id',
  'request-id',
  'sprequestguid',
  'x-guploader-uploadid',
  'x-dropbox-request-id',
  'x-box-request-id',
  'box-request-id',
  'x-slack-req-id',
  'x-trans-id',
  'x-request-id',
  'cf-ray',
] as const;

/** Characters allowed in an id. Anything else is ignored, because what a server sends here is written to the log. */
const plain = /^[\w.:=+/|-]{1,128}$/;

/** Stores the id of an answered request in the running call. */
export function hearAnswer(status: number, answered: Readonly<Record<string, string>>): void {
  const call = calls.getStore();
  if (!call) return;
  for (const name of headers) {
    const id = answered[name];
    if (id === undefined || !plain.test(id)) continue;
    call.last = id;
    if (status >= 400) call.refused = id;
    return;
  }
}

/**
 * Runs a call and collects its request ids in `heard`. On failure, stores the id of the failed request in the error, as `serviceRequestId`.
 */
export async function hearing<T>(heard: Heard, work: () => Promise<T>): Promise<T> {
  try {
    return await calls.run(heard, work);
  } catch (error) {
    if (heard.refused !== undefined && error instanceof Error && !('serviceRequestId' in error))
      Object.assign(error, { serviceRequestId: heard.refused });
    throw error;
  }
}
