import type { ButtonHTMLAttributes, ReactNode } from 'react';
import './button.css';

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly look?: 'plain' | 'primary' | 'quiet' | 'danger';
};

/** A button with text. `type` is `button` by default, so none submits a form by accident. */
export function Button({ look = 'plain', className = '', type = 'button', ...rest }: ButtonProps): ReactNode {
  return <button type={type} className={`button button-${look} ${className}`} {...rest} />;
}

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> & { readonly label: string };

/** A button with only an icon: its label is its name and its tooltip. */
export function IconButton({ label, className = '', type = 'button', ...rest }: IconButtonProps): ReactNode {
  return <button type={type} aria-label={label} title={label} className={`icon-button ${className}`} {...rest} />;
}
