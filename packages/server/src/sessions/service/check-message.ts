import { ok, type Result, type SendBody } from '@liminal/contracts';
import { checkImages } from '../../files/check-images.ts';
import { checkMentions } from '../../files/check-mentions.ts';

/** What comes with a message is looked at before any of it is kept; what is refused, no agent sees. */
export async function checkMessage(body: SendBody, projectDir: string | null): Promise<Result<null>> {
  const images = checkImages(body.images);
  if (!images.ok) return images;
  return projectDir === null ? ok(null) : checkMentions(projectDir, body.mentions);
}
