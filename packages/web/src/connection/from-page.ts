/** The address of something on our own server, also where the page lies below a path of a reverse proxy. */
export const fromPage = (path: string, page = location.pathname): string =>
  page.slice(0, page.lastIndexOf('/') + 1) + path.slice(1);
