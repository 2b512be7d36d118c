import { Button } from '@mantine/core';
import type { Agent } from '@sheaf/contract';
import { IconRobot } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dateOf, momentOf } from '#/features/accounts/dates.ts';
import { usePlaceWords } from '#/features/accounts/programs/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { CopyText } from '#/ui/CopyText.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { Section } from '#/ui/Section.tsx';
import { Tile } from '#/ui/Tile.tsx';
import { PlanList } from './PlanList.tsx';
import { agentList, useRevokeAgent } from './queries.ts';
import rowClasses from '#/features/accounts/programs/programs.module.css';
import classes from './agents.module.css';

/** The programs that may act for the account, what they have planned, and the address for further ones. */
export function AgentsPage() {
  const { data, error, refetch } = useQuery(agentList);
  return (
    <Page>
      <PageHead title="Agents" line="Assistants and other programs that work with your files, as far as you allow." />
      {error && <ErrorState title="Your agents could not be listed" message={errorText(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows count={3} height={60} />}
      {data && (
        <>
          <PlanList />
          <Section title="Your agents" text="Revoking takes effect everywhere at once and stops what is under way.">
            {data.agents.length === 0 ? (
              <EmptyState title="There are no agents yet.">
                An agent that wants in sends you to a page of Sheaf that asks you first.
              </EmptyState>
            ) : (
              <AgentList agents={data.agents} />
            )}
          </Section>
          <Section title="Let another one in" text="For assistants that know the Model Context Protocol (MCP).">
            {data.address === undefined ? (
              <p>Whoever runs this installation has switched agents off.</p>
            ) : (
              <div className={classes.address}>
                <p>Give the assistant this address as a remote MCP server. It opens a page on which you choose folders and rights.</p>
                <CopyText text={data.address} label="Copy the address" framed />
              </div>
            )}
          </Section>
        </>
      )}
    </Page>
  );
}

function AgentList({ agents }: { agents: readonly Agent[] }) {
  const [now] = useState(() => Date.now() / 1000);
  const revoke = useRevokeAgent();
  const placeWords = usePlaceWords();
  return (
    <ul className={classes.agents}>
      {agents.map((agent) => {
        const hasEnded = agent.expires !== undefined && agent.expires <= now;
        const end = agent.expires === undefined ? 'does not expire' : `${hasEnded ? 'expired' : 'expires'} on ${dateOf(agent.expires)}`;
        const used = agent.lastUsedAt === undefined ? 'not used yet' : `last used ${momentOf(agent.lastUsedAt)}`;
        return (
          <li key={agent.agentId} className={`${rowClasses.row} ${classes.agent}`} data-ended={hasEnded || undefined}>
            <Tile>
              <IconRobot size={18} stroke={1.75} />
            </Tile>
            <span>
              <b>{agent.name}</b>
              <small>{agent.host}</small>
            </span>
            <span>
              {placeWords(agent)}
              <small>
                {agent.rights === 'write' ? 'Read, add and plan' : 'Read'}, {end}, {used}
              </small>
            </span>
            <Button
              size="xs"
              disabled={revoke.isPending}
              onClick={() => revoke.mutate(agent.agentId)}
              aria-label={`${hasEnded ? 'Remove' : 'Revoke'} ${agent.name}`}
            >
              {hasEnded ? 'Remove' : 'Revoke'}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
