/**
 * Creates and reads item ids. An id contains the turn, the message within the turn and the position within the message.
 * The user's own message has number 0, and so do steering messages after it.
 */
export const makeItemId = (turnId: string, message: number, place = 0): string => `${turnId}:${message}:${place}`;

/** The message that started a turn, or the one that steered it at this position. */
export const personsItemId = (turnId: string, place = 0): string => makeItemId(turnId, 0, place);

/** A system note, numbered separately from the agent's messages. */
export const noteItemId = (turnId: string, note: number): string => `${turnId}:n${note}:0`;

/** Whether this message steered its turn. */
export const isSteeringItem = (id: string): boolean => /:0:[1-9]\d*$/.test(id);

/** Turn ids may contain colons themselves. */
export const turnOfItem = (id: string): string => id.replace(/:n?\d+:\d+$/, '');
