/**
 * The content security policy forbids `eval`. Zod would detect that by trying, which the browser reports as a
 * violation. Zod reads this setting when it loads, so import this file before anything else.
 */
(globalThis as { __zod_globalConfig?: object }).__zod_globalConfig = { jitless: true };
