import type { ReactNode } from 'react';
import type { OpenPort } from '@liminal/contracts';
import { Icon } from './icon.tsx';
import './port-links.css';

const isLocal = /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/;

/** The URL at which this browser can reach a port of the server's machine; null if it can't. */
export function portAddress({ port, reach }: OpenPort, hostname: string): string | null {
  if (isLocal.test(hostname)) return `http://localhost:${port}/`;
  return reach === 'any' ? `http://${hostname}:${port}/` : null;
}

/** The ports that programs listen on, as links if this browser can reach them. */
export function PortLinks({ ports }: { readonly ports: readonly OpenPort[] | undefined }): ReactNode {
  return ports?.map((open) => {
    const address = portAddress(open, location.hostname);
    const text = `:${open.port}`;
    return address === null ? (
      <span key={open.port} className="port-link" title="Reachable only on the server's machine">
        {text}
      </span>
    ) : (
      <a
        key={open.port}
        className="port-link"
        href={address}
        target="_blank"
        rel="noopener noreferrer"
        title={`Open ${address}`}
        aria-label={`Open ${address}`}
      >
        <Icon name="fetch" size={12} />
        {text}
      </a>
    );
  });
}
