import { atEndOfRun } from './endOfRun.ts';
import { startSampleForge, type Dialect, type SampleForge } from './sampleForge.ts';

const forges = new Map<Dialect, Promise<SampleForge>>();

/**
 * The shared sample forge of this process, reset to its initial world. It belongs to its last caller. Nobody stops it;
 * the next call replaces a forge that ended.
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
