/** What a browser is shown that comes without the cookie: which address to open. Nothing of the workbench is in it. */
export const noTokenPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Liminal Builder</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 15vh auto; padding: 0 1.5rem }</style>
</head>
<body>
<h1>Open the whole address</h1>
<p>Liminal Builder runs here, but this browser has not been let in yet, or its token was changed. Open the address that
it printed last: the one that ends in <code>?token=…</code></p>
<p>It is gone from the terminal? <code>npx liminal token show</code>, in the folder of Liminal Builder, prints it again.</p>
</body>
</html>
`;
