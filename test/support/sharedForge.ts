import { atEndOfRun } from './endOfRun.ts';
import { startSampleForge, type Dialect, type SampleForge } from './sampleForge.ts';

const forges = new Map<Dialect, Promise<SampleForge>>();

/**
 * The sample forge that all test files of this process share, with its world as it is at a start. It belongs to who asked
 * last. Nobody stops it; one that ended all the same is replaced.
 */
export async function sharedForge(dialect: Dialect): Promise<SampleForge> {
	const known = await forges.get(dialect)?.catch(() => undefined);
	if (known?.process.exitCode === null && known.process.signalCode === null) {
		await known.reset();
		return known;
	}
	if (!forges.has(dialect)) {
		atEndOfRun(async () => await forges.get(dialect)?.then(async (forge) => await forge.stop()));
	}
	const started = startSampleForge({ dialect });
	forges.set(dialect, started);
	return await started;
}
