/** An expected failure of set-up: its message is a sentence that says what to do, and is all a user sees. */
export class SetupError extends Error {}
