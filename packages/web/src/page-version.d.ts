/** The version this page was built as; put in by the build, see vite.config.ts. */
declare const __PAGE_VERSION__: string;
