import { createContext, useContext } from "react";
import { NEW_RUN, type RunState } from "@/shared/events/run";

const LiveRun = createContext<RunState>(NEW_RUN);

/** The run as its events say; only what reads it is drawn anew with each of them. */
export const LiveRunProvider = LiveRun.Provider;
export const useLiveRun = (): RunState => useContext(LiveRun);
