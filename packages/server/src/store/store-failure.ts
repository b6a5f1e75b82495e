/** Something could not be made durable. What a person asked for was then not done, and the message says so. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';
  /** The disk's own words. */
  readonly reason: string;

  constructor(reason: string) {
    super(`Couldn't write to disk (${reason}), so nothing was done. Check the disk, then try again.`);
    this.reason = reason;
  }
}
