import type { PermissionNotice } from '@liminal/contracts';
import { showHidden } from '@liminal/domain/text/visible-text';

const longest = 80;
const short = (text: string): string => (text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text);

/** What became of a request, in a sentence. */
export function describeClosed({ state, request, optionId, reason }: PermissionNotice): string {
  const title = showHidden(short(request.title.replace(/\s+/g, ' ')));
  const option = request.options.find((each) => each.optionId === optionId);
  if (state === 'answered') return `Answered elsewhere: ${option?.name ?? 'answered'}. ${title}`;
  return `Request closed${reason === undefined || reason === '' ? '' : ` (${reason})`}: ${title}`;
}
