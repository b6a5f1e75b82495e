/** The server cannot start, for a reason a person can mend: the message says what to do. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
