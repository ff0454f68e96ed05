import { readOptions } from './options.ts';
import { startSampleForge } from './sampleForge.ts';

/** Runs until standard input closes or a signal comes; says one line of JSON when ready. */
async function main(): Promise<void> {
	const forge = await startSampleForge(readOptions(process.argv.slice(2), process.env));
	const ending = Promise.withResolvers<void>();
	process.stdin.on('end', ending.resolve).on('close', ending.resolve).on('error', ending.resolve).resume();
	process.on('SIGTERM', ending.resolve).on('SIGINT', ending.resolve).on('SIGHUP', ending.resolve);
	process.stdout.on('error', ending.resolve);
	process.stdout.write(`${JSON.stringify(forge.ready)}\n`);
	await ending.promise;
	await forge.stop();
}

main().then(
	() => process.exit(0),
	(error: unknown) => {
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
		process.exit(1);
	},
);
