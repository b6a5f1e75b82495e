import { sessionBusContract } from '../session-bus.contract.ts';
import { createMemoryBus } from './memory-bus.ts';

sessionBusContract('memory', () => {
  let epochs = 0;
  return { bus: createMemoryBus({ newEpoch: () => `e${++epochs}` }), settle: async () => {} };
});
