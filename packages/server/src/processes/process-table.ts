import { existsSync } from 'node:fs';
import { readProc } from './proc-table.ts';
import { readPs } from './ps-table.ts';

/** One line of the system's process table. */
export type ProcessEntry = {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** When it started, if the system tells. Tells it from a later process with the same id. */
  readonly started?: number;
};

/** The marks of an agent's processes. */
export type Marks = {
  /** `NAME=value` in the environment the process was started with. */
  readonly mark?: string;
  /** The value of the resource limit that marks its processes, if one could be set. */
  readonly limit?: string | null;
};

/** The processes alive at one moment. */
export type ProcessTable = {
  readonly entries: readonly ProcessEntry[];
  /** A mark may exist without being visible: see `sweepMarked`. */
  isMarked(pid: number, marks: Marks): boolean;
};

/** Null if the system shows no processes at all. */
export type ReadProcessTable = () => Promise<ProcessTable | null>;

/** Linux has `/proc`. macOS and the BSDs have `ps`. */
export const readProcessTable: ReadProcessTable = existsSync('/proc/self/stat') ? readProc : () => readPs();
