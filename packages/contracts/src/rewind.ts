import { z } from 'zod';

/** The copy works where the session does. */
export const ForkBody = z.object({
  /** The last turn the copy has; without it the last one that has ended. */
  turnId: z.string().min(1).optional(),
  place: z.object({ kind: z.literal('folder') }).optional(),
});
export type ForkBody = z.infer<typeof ForkBody>;
