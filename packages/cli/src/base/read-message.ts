import { text } from 'node:stream/consumers';

/** The message a user gave; `-` stands for standard input. */
export const readMessage = async (given: string): Promise<string> =>
  given === '-' ? (await text(process.stdin)).trimEnd() : given;
