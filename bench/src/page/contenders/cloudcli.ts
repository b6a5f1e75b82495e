import type { Contender } from './contender.ts';

export function startCloudCli(_folder: string, _env: Readonly<Record<string, string>>): Promise<Contender> {
  throw new Error('to be written');
}
