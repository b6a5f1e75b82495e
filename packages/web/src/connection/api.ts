import { callRoutes, type CallSentences, type RouteCalls, type ServerFetch } from '@liminal/client/call-routes';
import { signIn } from './page-secret.ts';

const sentences: CallSentences = {
  unreachable: "Can't reach the server. The page keeps trying to reconnect.",
  unreadable: "Couldn't read the server's response. Reload the page.",
  redirected: 'A proxy between this page and the server sent a redirect. Reload the page.',
};

const signInFailures = {
  refused: "That token isn't valid. Copy it again from the terminal.",
  slowed: 'Too many failed attempts. Wait a few seconds, then try again.',
  unreachable: "Can't reach the server. Check that it's running, then try again.",
};

/** Every route of the server, and signing in. */
export type Api = RouteCalls & {
  /** Signs this browser in with the token; returns null on success, otherwise a sentence. */
  signIn(token: string): Promise<string | null>;
  /** Rotates the token; this browser stays signed in with the secret in the reply. */
  rotateToken(): ReturnType<RouteCalls['workbench']['rotateToken']>;
};

export function createApi(
  fetch: ServerFetch,
  onUnauthorized: () => void = () => {},
  keepSecret: (secret: string) => void = () => {},
): Api {
  const calls = callRoutes({ fetch, onUnauthorized, sentences });
  return {
    ...calls,
    async signIn(token) {
      const signedIn = await signIn(fetch, token);
      if (!signedIn.ok) return signInFailures[signedIn.reason];
      keepSecret(signedIn.secret);
      return null;
    },
    async rotateToken() {
      const reply = await calls.workbench.rotateToken();
      if (reply.ok && reply.value.secret !== undefined) keepSecret(reply.value.secret);
      return reply;
    },
  };
}
