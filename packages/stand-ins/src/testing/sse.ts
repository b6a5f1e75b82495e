import { asRecord } from '../wire/read-body.ts';

/** The data of every server-sent event in a text, as JSON; the closing "[DONE]" of OpenAI Chat is left out. */
export function eventsIn(text: string): Record<string, unknown>[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
    .map((line) => asRecord(JSON.parse(line.slice('data: '.length))));
}
