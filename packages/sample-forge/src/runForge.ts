/** A forge that has started. */
interface Running {
	/** Printed as one line of JSON. */
	readonly ready: object;
	stop(): Promise<void>;
}

/** Starts a forge. It runs until standard input closes or a signal arrives, then exits the process. */
export function runForge(start: () => Promise<Running>): void {
	untilEnd(start).then(
		() => process.exit(0),
		(error: unknown) => {
			process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
			process.exit(1);
		},
	);
}

async function untilEnd(start: () => Promise<Running>): Promise<void> {
	const forge = await start();
	const ending = Promise.withResolvers<void>();
	process.stdin.on('end', ending.resolve).on('close', ending.resolve).on('error', ending.resolve).resume();
	process.on('SIGTERM', ending.resolve).on('SIGINT', ending.resolve).on('SIGHUP', ending.resolve);
	process.stdout.on('error', ending.resolve);
	process.stdout.write(`${JSON.stringify(forge.ready)}\n`);
	await ending.promise;
	await forge.stop();
}
