import type { AppPasswordRights, AuditAction } from '@sheaf/contract';
import type { Static, TObject } from 'typebox';
import type { AgentProgram } from '#/identity/agents/service.ts';
import type { Window } from '#/serving/programs/windows.ts';

/** Who calls a tool, and what it may reach. */
export interface ToolContext {
  readonly agent: AgentProgram;
  readonly window: Window;
  readonly signal: AbortSignal;
  /** Adds to the account's log what the agent did, once it is done. */
  note(action: AuditAction, name: string, details?: Readonly<Record<string, string>>): void;
}

/** A tool as agents see it: https://modelcontextprotocol.io/specification/2026-07-28/server/tools */
export interface Tool<Input extends TObject = TObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** An agent without it does not see the tool. */
  readonly rights: AppPasswordRights;
  readonly input: Input;
  /** Rejects with AppError for refusals that the agent may read. */
  run(input: Static<Input>, context: ToolContext): Promise<Readonly<Record<string, unknown>>>;
}

/** Keeps the type of the input for `run`, and forgets it for the list of tools. */
export const tool = <Input extends TObject>(definition: Tool<Input>): Tool => ({
  ...definition,
  // The input has been checked by the schema before.
  run: (input, context) => definition.run(input as Static<Input>, context),
});
