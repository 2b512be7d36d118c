import { createContext, useContext } from 'react';

/** Runs a call; if the server requires reauthentication, asks the user and repeats it. */
export type WithProof = <T>(run: () => Promise<T>) => Promise<T>;

/** Without a provider, the user sees the server's refusal. */
export const ProofContext = createContext<WithProof>((run) => run());

export const useWithProof = (): WithProof => useContext(ProofContext);
