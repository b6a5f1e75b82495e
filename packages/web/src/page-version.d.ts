/** The version of this page, set by the build, see vite.config.ts. */
declare const __PAGE_VERSION__: string;
