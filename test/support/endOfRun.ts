const works: (() => Promise<void>)[] = [];

/**
 * Registers the disposal of a resource that all test files of a process share, such as a browser. It runs once, after
 * the last file.
 */
export function atEndOfRun(end: () => Promise<void>): void {
	works.push(end);
}

/** Disposes of all shared resources, newest first. Only the test runner calls it. */
export async function endOfRun(): Promise<void> {
	for (const end of works.splice(0).toReversed()) {
		await end();
	}
}
