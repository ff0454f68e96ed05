import { textInMemory } from '../../src/store/shared/keptText.ts';

/** A text kept in memory. */
export const keptInMemory = textInMemory;
