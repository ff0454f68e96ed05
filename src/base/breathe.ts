/** Lets everything else in the extension host have its turn, and goes on right after it. */
export function breathe(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
