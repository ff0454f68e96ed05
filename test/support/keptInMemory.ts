import { textInMemory } from '../../src/state/shared/keptText.ts';

/** A text kept in memory. */
export const keptInMemory = textInMemory;
