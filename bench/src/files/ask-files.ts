export type Project = { readonly port: number; readonly token: string; readonly projectId: string };

const at = ({ port, projectId }: Project, path: string): string =>
  `http://127.0.0.1:${port}/api/projects/${projectId}/${path}`;
const headersOf = ({ token }: Project) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
});

/** How long listing one folder takes, in ms. */
export async function readTree(project: Project, path: string): Promise<number> {
  const began = performance.now();
  const reply = await fetch(at(project, `tree?path=${path}`), { headers: headersOf(project) });
  if (!reply.ok) throw new Error(await reply.text());
  await reply.json();
  return performance.now() - began;
}

/** Searches like the page; may stop as soon as something was found. */
export async function followGrep(
  project: Project,
  query: string,
  { leavesAfterFirst = false } = {},
): Promise<{ readonly firstMs: number; readonly lastMs: number }> {
  const leaving = new AbortController();
  const began = performance.now();
  const reply = await fetch(at(project, 'grep'), {
    method: 'POST',
    headers: headersOf(project),
    body: JSON.stringify({ query }),
    signal: leaving.signal,
  });
  if (!reply.ok || !reply.body) throw new Error(await reply.text());
  let [text, firstMs] = ['', Number.NaN];
  for await (const bytes of reply.body.pipeThrough(new TextDecoderStream())) {
    text += bytes;
    if (Number.isNaN(firstMs) && text.includes('"path"')) firstMs = performance.now() - began;
    if (leavesAfterFirst && !Number.isNaN(firstMs)) {
      leaving.abort();
      return { firstMs, lastMs: Number.NaN };
    }
  }
  if (!text.includes('"done":true')) throw new Error('The search did not end.');
  return { firstMs, lastMs: performance.now() - began };
}
