/** When the story of the sample world begins. */
export const worldStartMs = Date.UTC(2024, 2, 1, 8, 0, 0);

/** End of the history. Later actions are newer, regardless of the user's clock. */
export const worldEndMs = Date.UTC(2026, 10, 13, 18, 0, 0);
