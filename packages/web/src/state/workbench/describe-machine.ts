import type { NodeMark, Project } from '@liminal/contracts';

/** What is to be said of the machine a session is on; empty where it is there, or this one. */
export function machineTrouble(node: NodeMark | undefined): string {
  switch (node?.presence) {
    case 'gone':
      return 'its machine is gone';
    case 'unseen':
      return "its machine can't be reached";
    case 'there':
    case 'here':
    case undefined:
      return '';
  }
}

/** Whether something is another machine's. */
export const isElsewhere = (node: NodeMark | undefined): node is NodeMark =>
  node !== undefined && node.presence !== 'here';

/** A folder as one of several: two machines may each have one of this name. */
export const nameAndMachine = ({ name, node }: Pick<Project, 'name' | 'node'>): string =>
  isElsewhere(node) ? `${name} on ${node.name}` : name;
