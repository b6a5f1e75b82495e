import { text } from 'node:stream/consumers';

/** The user's message. `-` reads standard input. */
export const readMessage = async (given: string): Promise<string> =>
  given === '-' ? (await text(process.stdin)).trimEnd() : given;
