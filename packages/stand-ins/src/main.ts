import { appendFileSync, fstatSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startStandInModel } from './model-server.ts';

// The stand-in in its own process, so a benchmark doesn't measure the model it talks to.
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    log: { type: 'string' },
    'word-ms': { type: 'string', default: '2' },
  },
});
const { log } = values;
const model = await startStandInModel({
  port: Number(values.port),
  wordMs: Number(values['word-ms']),
  ...(log === undefined ? {} : { log: (request) => appendFileSync(log, `${JSON.stringify(request)}\n`) }),
});
process.stdout.write(`${JSON.stringify({ port: model.port, baseUrl: model.baseUrl })}\n`);

const stop = (): void => void model.close().then(() => process.exit(0));
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
// Our parent holds our input pipe. If it dies without a signal, so do we.
const input = fstatSync(0);
if (input.isFIFO() || input.isSocket()) process.stdin.once('end', stop).once('error', stop).resume();
