import type { NodeMark, Project } from '@liminal/contracts';

/** The problem with a session's machine; empty if it is reachable, or this one. */
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

/** Whether something is on another machine. */
export const isElsewhere = (node: NodeMark | undefined): node is NodeMark =>
  node !== undefined && node.presence !== 'here';

/** The label of a folder: two machines may each have one of this name. */
export const nameAndMachine = ({ name, node }: Pick<Project, 'name' | 'node'>): string =>
  isElsewhere(node) ? `${name} on ${node.name}` : name;
