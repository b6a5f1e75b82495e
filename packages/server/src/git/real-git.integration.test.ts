import { describe } from 'vitest';
import { gitContract } from './git.contract.ts';
import { createGit } from './real-git.ts';

describe('the real git', () => gitContract(() => createGit()));
