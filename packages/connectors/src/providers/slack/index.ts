import { define } from '../../core/definition.ts';
import { slackAuthorization } from './authorization.ts';
import { type SlackConfig, parseSlackConfig } from './config.ts';
import { openSlack } from './connector.ts';

/** Slack: the files of a user's conversations. */
export const slack = define<SlackConfig>({
  id: 'slack',
  secrets: ['grant'],
  parse: parseSlackConfig,
  account: ({ account }) => account,
  identity: ({ teamId, userId }) => `slack ${teamId} ${userId}`,
  concurrency: () => 4,
  authorization: slackAuthorization,
  open: (config, env) => Promise.resolve(openSlack(config, env)),
});
