import { textInMemory } from '../../src/store/shared/keptText.ts';

export const keptInMemory = textInMemory;
