/** Sets the marker that a test looks for, in the ways scripts are smuggled in. */
export const run = 'globalThis.pwned=1';
export const evil = 'https://evil.example';
