import type { ReactNode } from 'react';
import type { PermissionOption } from '@liminal/contracts';
import { Button } from '../../ui/button.tsx';
import { showControls, showHidden } from '@liminal/domain/text/visible-text';

/** Where the agent does not say what an answer covers, the least that is true of it is said. */
const lasting: Partial<Record<PermissionOption['kind'], string>> = {
  allow_always: 'The agent keeps this and will not ask again for what it covers.',
  reject_always: 'The agent keeps this and will not ask again.',
};

type OptionListProps = {
  readonly options: readonly PermissionOption[];
  readonly isReady: (option: PermissionOption) => boolean;
  readonly hintOf: (option: PermissionOption, index: number) => string;
  readonly onChoose: (option: PermissionOption) => void;
};

/** Every answer by its own name, with what it means beyond this once. */
export function OptionList({ options, isReady, hintOf, onChoose }: OptionListProps): ReactNode {
  return (
    <ul className="permission-options" aria-label="Answers">
      {options.map((option, index) => {
        const meaning = option.description ?? lasting[option.kind] ?? '';
        const hint = hintOf(option, index);
        return (
          <li
            key={option.optionId}
            className={meaning === '' ? 'permission-option' : 'permission-option permission-option-wide'}
          >
            <Button
              look={option.kind === 'allow_once' ? 'primary' : 'plain'}
              disabled={!isReady(option)}
              onClick={() => onChoose(option)}
            >
              {showHidden(option.name)}
              {hint !== '' && <kbd className="key-hint">{hint}</kbd>}
            </Button>
            {meaning !== '' && (
              <span className="muted" dir="auto">
                {showControls(meaning)}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
