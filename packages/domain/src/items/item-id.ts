/**
 * Where ids of items are made and read. An id says the turn, the message within the turn and the place within the
 * message; the user's own message is number 0, and what steers the turn follows it there.
 */
export const makeItemId = (turnId: string, message: number, place = 0): string => `${turnId}:${message}:${place}`;

/** The message a turn began with, or the one that steered it at this place. */
export const personsItemId = (turnId: string, place = 0): string => makeItemId(turnId, 0, place);

/** A note of the system, numbered apart from the agent's messages. */
export const noteItemId = (turnId: string, note: number): string => `${turnId}:n${note}:0`;

/** Whether this is a message that steered its turn. */
export const isSteeringItem = (id: string): boolean => /:0:[1-9]\d*$/.test(id);

/** Turn ids may hold colons themselves. */
export const turnOfItem = (id: string): string => id.replace(/:n?\d+:\d+$/, '');
