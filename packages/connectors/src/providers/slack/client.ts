import { type Static, type TSchema, Type } from 'typebox';
import type { Env } from '../../core/definition.ts';
import { ConnectorError } from '../../core/error.ts';
import { type Api, type ApiRequest, createApi } from '../../kit/rest/api.ts';
import { checked } from '../../kit/rest/json.ts';
import { refusalOf } from '../../kit/rest/refusal.ts';
import { SlackAnswer, slackRefusal } from './errors.ts';

export const slackApi = 'https://slack.com/api';
/** Connections and concurrent requests of one link; Slack's rate limits are per minute. */
export const maxConnections = 6;

/** One method call; `form` makes it a POST. */
export interface SlackCall extends Pick<ApiRequest, 'query' | 'form' | 'signal'> {
  readonly name: string;
}

export interface SlackClient extends Pick<Api, 'send' | 'close'> {
  /** Calls a method and returns its validated response. An expired token is renewed once. */
  call<S extends TSchema>(schema: S, call: SlackCall): Promise<Static<S>>;
  /** Throws `unexpected` for a URL that is not on Slack's hosts: the token must not be sent anywhere else. */
  own(address: string): string;
}

export function createSlackClient(env: Env): SlackClient {
  const base = env.app?.apiUrl ?? slackApi;
  const api = createApi({ env, base, maxConnections, refusal: (response) => refusalOf(response) });
  const { hostname } = new URL(base);

  const ask = async ({ name, query, form, signal }: SlackCall): Promise<{ readonly answer: SlackAnswer; readonly value: unknown }> => {
    const request = { url: `/${name}`, signal, ...(query && { query }), ...(form && { form }) };
    const value = await api.json(Type.Unknown(), { ...request, method: form ? 'POST' : 'GET' });
    return { value, answer: checked(SlackAnswer, value) };
  };

  return {
    send: api.send,
    close: api.close,
    async call(schema, call) {
      const { tokens } = env;
      if (!tokens) throw new ConnectorError('needsAuthorization', 'nothing was granted');
      const token = await tokens.access(call.signal);
      let { answer, value } = await ask(call);
      if (!answer.ok && answer.error === 'token_expired') {
        await tokens.access(call.signal, token);
        ({ answer, value } = await ask(call));
      }
      if (!answer.ok) throw slackRefusal(answer);
      return checked(schema, value);
    },
    own(address) {
      const url = URL.parse(address);
      const isSafe = url && (url.protocol === 'https:' || url.protocol === new URL(base).protocol);
      if (isSafe && (url.hostname === hostname || url.hostname.endsWith(`.${hostname}`))) return url.href;
      throw new ConnectorError('unexpected', 'a file lies at an address that is not of Slack');
    },
  };
}
