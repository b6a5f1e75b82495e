import type { NodeMark } from '@liminal/contracts';

/** What is to be said of the machine a session is on; empty where it is there, or this one. */
export function machineTrouble(node: NodeMark | undefined): string {
  switch (node?.presence) {
    case 'gone':
      return 'its machine is gone';
    case 'unseen':
      return 'its machine cannot be seen';
    case 'there':
    case 'here':
    case undefined:
      return '';
  }
}
