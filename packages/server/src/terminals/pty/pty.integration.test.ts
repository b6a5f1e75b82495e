import { ptyContract } from './pty.contract.ts';
import { createRusptyHost } from './ruspty.ts';
import { createScriptHost } from './script.ts';

ptyContract('the native library', createRusptyHost);
ptyContract('script(1)', (deps) => Promise.resolve(createScriptHost(deps)));
