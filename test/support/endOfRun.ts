const works: (() => Promise<void>)[] = [];

/** For what all test files of a process share, such as a browser: `end` is awaited once, after the last file. */
export function atEndOfRun(end: () => Promise<void>): void {
	works.push(end);
}

/** Ends everything that was shared, the newest first. To be called by whoever runs the tests. */
export async function endOfRun(): Promise<void> {
	for (const end of works.splice(0).toReversed()) {
		await end();
	}
}
