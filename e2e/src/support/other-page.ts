export type Tried = { readonly what: string; readonly outcome: string };

/**
 * Runs inside a page of another origin: tries to read from our server and to make it do something, in every way a page
 * can. `nothing` is the only good outcome. The browser gets it as source, so it must be self-contained.
 */
export async function tryEverything(server: string): Promise<Tried[]> {
  const reads = ['/', '/api/health', '/api/projects', '/api/openapi.json', '/api/search?q=a', '/api/folders'];
  const commands = ['/api/demo', '/api/projects', '/api/token/rotate'];
  const frames = new Set(['iframe', 'object', 'embed']);
  const patienceMs = 3_000;
  const tried: Promise<Tried>[] = [];
  const within = (outcome: Promise<string>): Promise<string> =>
    Promise.race([outcome, new Promise<string>((resolve) => setTimeout(resolve, patienceMs, 'nothing'))]);
  const attempt = (what: string, act: () => Promise<string>): void => {
    const refused = () => 'nothing';
    tried.push(within(act().catch(refused)).then((outcome) => ({ what, outcome })));
  };
  /** An image, script, frame …: whether anything loaded. */
  const load = (tag: string, field: string, path: string): void =>
    attempt(`<${tag} ${field}> ${path}`, () => {
      const element = document.createElement(tag);
      const outcome = new Promise<string>((resolve) => {
        element.onload = () => resolve(frames.has(tag) ? readFrame(element) : 'loaded');
        element.onerror = () => resolve('nothing');
      });
      if (tag === 'link') element.setAttribute('rel', 'stylesheet');
      element.setAttribute(field, server + path);
      document.body.append(element);
      return outcome;
    });
  // A frame also fires `load` when it shows that it was refused.
  const readFrame = (element: HTMLElement): string => {
    const inner = (element as { contentDocument?: Document | null }).contentDocument ?? null;
    return inner === null || inner.body.innerHTML === '' ? 'nothing' : inner.body.innerHTML;
  };
  const describeReply = async (reply: Response): Promise<string> => {
    const text = await reply.text();
    return reply.type === 'opaque' && text === '' ? 'nothing' : `${reply.type} ${reply.status} ${text}`;
  };

  for (const path of reads) {
    for (const mode of ['cors', 'no-cors'] as const) {
      for (const credentials of ['include', 'omit'] as const) {
        attempt(`fetch ${mode} ${credentials} ${path}`, async () =>
          describeReply(await fetch(server + path, { mode, credentials })),
        );
      }
    }
    for (const tag of ['img', 'script', 'iframe', 'video', 'audio', 'embed']) load(tag, 'src', path);
    load('link', 'href', path);
    load('object', 'data', path);
    attempt(`import ${path}`, async () => JSON.stringify(await import(/* @vite-ignore */ server + path)));
    attempt(`worker ${path}`, async () => {
      new Worker(server + path);
      return 'a worker';
    });
    attempt(`event source ${path}`, () => {
      const source = new EventSource(server + path, { withCredentials: true });
      return new Promise((resolve) => {
        source.onopen = () => resolve('open');
        source.onerror = () => resolve('nothing');
      });
    });
  }
  for (const path of commands) {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b']) {
      attempt(`fetch POST ${type} ${path}`, async () =>
        describeReply(
          await fetch(server + path, {
            method: 'POST',
            mode: 'no-cors',
            credentials: 'include',
            headers: { 'content-type': type },
            body: '{"dir":"/tmp"}',
          }),
        ),
      );
    }
    for (const method of ['POST', 'PUT', 'DELETE']) {
      attempt(`fetch ${method} JSON ${path}`, async () =>
        describeReply(
          await fetch(server + path, {
            method,
            credentials: 'include',
            headers: { 'content-type': 'application/json' },
            body: '{"dir":"/tmp"}',
          }),
        ),
      );
    }
    attempt(`fetch POST without a body ${path}`, async () =>
      describeReply(await fetch(server + path, { method: 'POST', mode: 'no-cors', credentials: 'include' })),
    );
    attempt(`beacon ${path}`, async () => {
      navigator.sendBeacon(server + path, new Blob(['{"dir":"/tmp"}'], { type: 'text/plain' }));
      return 'nothing';
    });
    for (const enctype of ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']) {
      attempt(`form ${enctype} ${path}`, () => {
        const frame = document.createElement('iframe');
        frame.name = `frame-${Math.random()}`;
        const form = document.createElement('form');
        Object.assign(form, { method: 'post', action: server + path, enctype, target: frame.name });
        const field = document.createElement('input');
        Object.assign(field, { name: '{"dir":"/tmp","x":"', value: '"}' });
        form.append(field);
        document.body.append(frame, form);
        form.submit();
        return new Promise((resolve) => (frame.onload = () => resolve(readFrame(frame))));
      });
    }
  }
  for (const path of ['/ws', '/']) {
    attempt(`socket ${path}`, () => {
      const socket = new WebSocket(server.replace('http', 'ws') + path);
      return new Promise((resolve) => {
        socket.onopen = () => resolve('open');
        socket.onerror = () => resolve('nothing');
      });
    });
  }
  attempt('a window of its own', async () => {
    const opened = window.open(`${server}/api/projects`);
    // Its first, empty document is readable; once it has navigated, reading it throws.
    while (opened !== null && !opened.closed) {
      const text = opened.document.body.innerText;
      if (text !== '') return text;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return 'nothing';
  });
  return Promise.all(tried);
}
