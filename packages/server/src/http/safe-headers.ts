const policy = (scripts: string): string =>
  `default-src 'none'; script-src ${scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Headers of every response: browsers run only our own scripts and don't show our pages in frames. */
export const safeHeaders = {
  'content-security-policy': policy("'self'"),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** A browser that has seen the public address over TLS never uses plain http for it again. */
export const secureHeaders = { 'strict-transport-security': 'max-age=31536000' };

/** For a page whose only script is inline and has this hash. */
export const policyForScript = (sha256: string): string => policy(`'sha256-${sha256}'`);
