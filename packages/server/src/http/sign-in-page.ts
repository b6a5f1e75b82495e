import { createHash } from 'node:crypto';
import { pageSecretKey } from '@liminal/contracts';
import { policyForScript } from './safe-headers.ts';

/**
 * Runs in the browser. Removes the token from the address at once. A page that lost its cookie, or had it overwritten
 * from another port, still has its secret and gets a new cookie for it. Everyone else enters the token or the whole
 * address.
 */
const script = `
const base = location.pathname.slice(0, location.pathname.lastIndexOf('/') + 1);
const key = ${JSON.stringify(pageSecretKey(''))} + base;
const hadToken = new URLSearchParams(location.search).has('token');
if (location.search !== '') history.replaceState(null, '', location.pathname);
const form = document.querySelector('form');
const field = document.querySelector('input');
const note = document.querySelector('[role=alert]');
const storage = (act) => { try { return act(localStorage); } catch { return null; } };
const signIn = (headers) => fetch(base + 'api/sign-in', { method: 'POST', credentials: 'same-origin', headers });
const enter = async (reply) => {
  const { secret } = await reply.json();
  storage((kept) => kept.setItem(key, secret));
  location.replace(location.pathname);
};
const kept = storage((area) => area.getItem(key));
if (kept !== null) {
  signIn({ 'liminal-page-secret': kept }).then((reply) => {
    if (reply.ok) return enter(reply);
    if (reply.status === 401) storage((area) => area.removeItem(key));
  }, () => {});
}
if (hadToken) note.textContent = "The token in that link isn't valid, or it was rotated.";
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const given = field.value.trim();
  const token = URL.canParse(given) ? (new URL(given).searchParams.get('token') ?? given) : given;
  if (token === '') return field.focus();
  note.textContent = '';
  try {
    const reply = await signIn({ authorization: 'Bearer ' + token });
    if (reply.ok) return await enter(reply);
    note.textContent = reply.status === 401
      ? "That token isn't valid. Copy it again from the terminal."
      : (await reply.json()).error.message;
  } catch {
    note.textContent = "Can't reach the server. Check that it's running, then try again.";
  }
  field.select();
});
`;

const style = `
:root { color-scheme: light dark; --text: #1c1e21; --muted: #5c6168; --page: #f6f6f7; --card: #fff; --edge: #cfd2d6;
  --accent: #2f5fd0; --on-accent: #fff; --failed: #b3261e }
@media (prefers-color-scheme: dark) { :root { --text: #e6e7e9; --muted: #a2a7ae; --page: #17181a; --card: #1f2124;
  --edge: #3c4046; --accent: #8fb0ff; --on-accent: #10131a; --failed: #ff9d94 } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--page); color: var(--text);
  font: 14px/1.5 system-ui, sans-serif }
main { box-sizing: border-box; width: min(28rem, 100vw); padding: 24px; background: var(--card);
  border: 1px solid var(--edge); border-radius: 6px }
h1 { margin: 0 0 8px; font-size: 20px; line-height: 1.3 }
p { margin: 0 0 12px; color: var(--muted) }
label { display: block; margin-bottom: 4px; font-weight: 600 }
form div { display: flex; gap: 8px }
input { flex: 1; min-width: 0; font: inherit; padding: 8px; color: inherit; background: var(--page);
  border: 1px solid var(--edge); border-radius: 4px }
button { font: inherit; padding: 8px 16px; color: var(--on-accent); background: var(--accent); border: 0;
  border-radius: 4px; cursor: pointer }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
[role=alert] { min-height: 1.5em; margin: 8px 0 12px; color: var(--failed) }
code { font-family: ui-monospace, monospace; overflow-wrap: anywhere }
`;

export const signInHeaders = {
  'content-security-policy': policyForScript(createHash('sha256').update(script).digest('base64')),
};

/**
 * The page for browsers that aren't signed in. It says where to find the token and has a field for it. It contains
 * nothing from the workbench.
 */
export const signInPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>Sign in · Liminal Builder</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Sign in to Liminal Builder</h1>
<p>Open the latest link that Liminal Builder printed (it ends in <code>?token=…</code>), or enter its token here.</p>
<form>
<label for="token">Access token</label>
<div><input id="token" type="password" autocomplete="off" spellcheck="false" autofocus><button>Sign in</button></div>
<p role="alert"></p>
</form>
<p>Lost the link? Run <code>npx liminal token show</code> in the Liminal Builder folder.</p>
</main>
<script>${script}</script>
</body>
</html>
`;
