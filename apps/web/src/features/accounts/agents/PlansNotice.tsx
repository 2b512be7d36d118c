import { IconRobot } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { PathLink } from '#/ui/PathLink.tsx';
import { agentPlans } from './queries.ts';
import classes from './agents.module.css';

/** Tells on the home page that agents wait for a decision; nothing otherwise. */
export function PlansNotice() {
  const { data } = useQuery(agentPlans);
  if (!data || data.waiting === 0) return null;
  return (
    <PathLink className={classes.notice} href="/account/agents">
      <IconRobot size={18} stroke={1.75} aria-hidden="true" />
      <span>
        {data.waiting === 1 ? 'An agent has planned something' : `Agents have planned ${data.waiting} things`} and waits for your decision
      </span>
      <b>Review</b>
    </PathLink>
  );
}
