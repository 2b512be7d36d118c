import { createContext, useContext } from 'react';

/** Runs a call; where the server wants to know again who is there, asks the user and runs it once more. */
export type WithProof = <T>(run: () => Promise<T>) => Promise<T>;

/** Without a place that asks, the server's refusal is what the user reads. */
export const ProofContext = createContext<WithProof>((run) => run());

export const useWithProof = (): WithProof => useContext(ProofContext);
