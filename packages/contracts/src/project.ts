import { z } from 'zod';

export const Project = z.object({
  projectId: z.string().min(1),
  dir: z.string().min(1),
  name: z.string(),
  trusted: z.boolean(),
});
export type Project = z.infer<typeof Project>;
