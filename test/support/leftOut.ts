/** What was absent where tests would have run. */
const lacks = new WeakMap<object, string>();

/**
 * Skips the test that runs because something is absent there, and says what: it is counted as skipped. A test that skips
 * itself in another way counts as failed.
 */
export function leaveOut(running: Mocha.Context, lack: string): never {
	if (running.test !== undefined) {
		lacks.set(running.test, lack);
	}
	return running.skip();
}

/** What a test was skipped for by `leaveOut`. */
export function lackOf(test: object): string | undefined {
	return lacks.get(test);
}
