import { createHmac } from 'node:crypto';

/** `t=<seconds>,v1=<hex of HMAC-SHA256 over "<seconds>.<body>">`: the time is signed too, so that an old delivery can be told. */
export function signatureOf(secret: string, seconds: number, body: string): string {
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}
