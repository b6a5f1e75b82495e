import type { OpenAsk, PermissionRequest } from '@liminal/contracts';
import { showHidden } from '../text/visible-text.ts';

const longestWhole = 160;
/** Arguments besides the command that don't affect what runs. */
const harmless: ReadonlySet<string> = new Set(['command', 'description', 'timeout']);

/** The oldest open request, short enough for a list. */
export function openAskOf(requests: readonly PermissionRequest[]): OpenAsk | undefined {
  const [request] = requests;
  if (request === undefined) return undefined;
  const { requestId, kind, title, options, openedAt } = request;
  const whole = wholeOf(request);
  return {
    requestId,
    kind,
    title: title.length > longestTitle ? `${title.slice(0, longestTitle)}…` : title,
    ...(whole !== undefined && { whole }),
    options: whole === undefined ? [] : options,
    openedAt,
    count: requests.length,
  };
}

const longestTitle = 200;

/** The command, if it is everything the user would allow and is fully readable on one line. */
function wholeOf({ kind, toolArguments = {}, diffs = [] }: PermissionRequest): string | undefined {
  const { command } = toolArguments;
  if (kind !== 'tool' || typeof command !== 'string' || diffs.length > 0) return undefined;
  if (!Object.keys(toolArguments).every((name) => harmless.has(name))) return undefined;
  const isReadable = command.trim() !== '' && !/[\r\n\t]/.test(command) && showHidden(command) === command;
  return isReadable && command.length <= longestWhole ? command : undefined;
}
