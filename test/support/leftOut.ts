/** The missing feature of each skipped test. */
const lacks = new WeakMap<object, string>();

/**
 * Skips the current test because of a missing feature, and records it. A test that skips itself in another way fails.
 */
export function leaveOut(running: Mocha.Context, lack: string): never {
	if (running.test !== undefined) {
		lacks.set(running.test, lack);
	}
	return running.skip();
}

/** The feature for which `leaveOut` skipped a test. */
export function lackOf(test: object): string | undefined {
	return lacks.get(test);
}
