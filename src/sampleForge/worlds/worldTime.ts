/** When the story of the sample world begins. */
export const worldStartMs = Date.UTC(2024, 2, 1, 8, 0, 0);

/** When it ends; what users do afterwards is newer, whatever their clock says. */
export const worldEndMs = Date.UTC(2026, 10, 13, 18, 0, 0);
