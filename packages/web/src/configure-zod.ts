/**
 * The content security policy allows no `eval`; Zod would find that out by trying, which the browser reports as a
 * violation. It reads this setting when it is loaded, so this file is imported before anything else.
 */
(globalThis as { __zod_globalConfig?: object }).__zod_globalConfig = { jitless: true };
