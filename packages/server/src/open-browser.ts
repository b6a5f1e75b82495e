import open from 'open';

/** Opens the address in the person's browser; where there is none, says so: the server runs on either way. */
export async function openBrowser(url: string, say: (sentence: string) => void): Promise<void> {
  const cannot = () => say('No browser could be opened here. Open the address above yourself.');
  const hasDisplay =
    process.platform !== 'linux' ||
    process.env['DISPLAY'] ||
    process.env['WAYLAND_DISPLAY'] ||
    process.env['WSL_DISTRO_NAME'];
  if (!hasDisplay) return cannot();
  try {
    const child = await open(url);
    child.once('error', cannot);
  } catch {
    cannot();
  }
}
