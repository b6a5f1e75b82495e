import type { NodePresence } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import { isElsewhere, machineTrouble, nameAndMachine } from './describe-machine.ts';

const node = (presence: NodePresence) => ({ nodeId: 'n', name: 'workshop', presence });

describe('the description of machines', () => {
  it('mentions only machines that are gone or unreachable', () => {
    expect(machineTrouble(node('gone'))).toBe('its machine is gone');
    expect(machineTrouble(node('unseen'))).toBe("its machine can't be reached");
    expect([machineTrouble(node('there')), machineTrouble(node('here')), machineTrouble(undefined)]).toEqual([
      '',
      '',
      '',
    ]);
  });

  it('adds the name of another machine to a folder', () => {
    expect(nameAndMachine({ name: 'app', node: node('there') })).toBe('app on workshop');
    expect(nameAndMachine({ name: 'app', node: node('here') })).toBe('app');
    expect(nameAndMachine({ name: 'app' })).toBe('app');
    expect([isElsewhere(node('gone')), isElsewhere(node('here')), isElsewhere(undefined)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
