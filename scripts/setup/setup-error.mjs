/** An expected failure of the setup. Its message says what to do and is all that the user sees. */
export class SetupError extends Error {}
