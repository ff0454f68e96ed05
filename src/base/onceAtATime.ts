/** Ignores calls for a key whose work is still running. */
export function onceAtATime(): (key: string, work: () => Promise<void>) => Promise<void> {
	const running = new Set<string>();
	return async (key, work) => {
		if (running.has(key)) {
			return;
		}
		running.add(key);
		try {
			await work();
		} finally {
			running.delete(key);
		}
	};
}
