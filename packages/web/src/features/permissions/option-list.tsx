import type { ReactNode } from 'react';
import type { PermissionOption } from '@liminal/contracts';
import { showControls, showHidden } from '@liminal/domain/text/visible-text';
import { Button } from '../../ui/button.tsx';
import { isRefusal } from './answer.ts';

/** The minimal explanation of an option if the agent doesn't give one. */
const lasting: Readonly<Record<PermissionOption['kind'], string | undefined>> = {
  allow_once: undefined,
  reject_once: undefined,
  allow_always: "The agent remembers this and won't ask again for matching calls.",
  reject_always: "The agent remembers this and won't ask again.",
};

type OptionListProps = {
  readonly options: readonly PermissionOption[];
  readonly isReady: (option: PermissionOption) => boolean;
  readonly hintOf: (option: PermissionOption, index: number) => string;
  readonly onChoose: (option: PermissionOption) => void;
};

/** All options by name, in one row: those that allow on the left, those that refuse on the right. */
export function OptionList({ options, isReady, hintOf, onChoose }: OptionListProps): ReactNode {
  return (
    <ul className="permission-options" aria-label="Answers">
      {options.map((option, index) => {
        const hint = hintOf(option, index);
        return (
          <li
            key={option.optionId}
            className={isRefusal(option) ? 'permission-option permission-option-refuse' : 'permission-option'}
          >
            <Button
              look={option.kind === 'allow_once' ? 'primary' : 'plain'}
              disabled={!isReady(option)}
              onClick={() => onChoose(option)}
            >
              {showHidden(option.name)}
              {hint !== '' && <kbd className="key-hint">{hint}</kbd>}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

/** Leaves out the command, which the title, the box and the button already show. */
const shortName = ({ name }: PermissionOption): string => /^Always allow\b/.exec(name)?.[0] ?? showHidden(name);

/** Explains below the buttons what the options mean beyond this request. */
export function OptionMeanings({ options }: { readonly options: readonly PermissionOption[] }): ReactNode {
  const meanings = options.flatMap((option) => {
    const meaning = option.description ?? lasting[option.kind] ?? '';
    return meaning === '' ? [] : [{ option, meaning }];
  });
  return meanings.map(({ option, meaning }) => (
    <p key={option.optionId} dir="auto">
      {/* If there is only one, it needn't name its option. */}
      {meanings.length > 1 && <span className="permission-meaning">{shortName(option)} </span>}
      {showControls(meaning)}
    </p>
  ));
}
