import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** @param {...string} parts */
export const inRoot = (...parts) => path.join(root, ...parts);

/** The pinned Node, by its real file: the link in .bin is a .cmd on Windows. */
export const pinnedNode = inRoot('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
