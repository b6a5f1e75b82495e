import { existsSync } from 'node:fs';
import { readProc } from './proc-table.ts';
import { readPs } from './ps-table.ts';

/** One line of the system's process table. */
export type ProcessEntry = { readonly pid: number; readonly parent: number; readonly group: number };

/** What marks the processes of an agent. */
export type Marks = {
  /** `NAME=value` in the environment the process was started with. */
  readonly mark?: string;
  /** Value of the resource limit that marks its processes, where one could be set. */
  readonly limit?: string | null;
};

/** The processes that lived at one moment. */
export type ProcessTable = {
  readonly entries: readonly ProcessEntry[];
  /** Some systems keep the environment of some programs to themselves: a mark that is not seen may be there. */
  readonly mayHideMarks: boolean;
  isMarked(pid: number, marks: Marks): Promise<boolean>;
};

/** Null where the system shows no processes at all. */
export type ReadProcessTable = () => Promise<ProcessTable | null>;

/** Linux has `/proc`; macOS and the BSDs have `ps`. */
export const readProcessTable: ReadProcessTable = existsSync('/proc/self/stat') ? readProc : () => readPs();
