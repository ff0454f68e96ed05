import assert from 'node:assert/strict';
import { runsAll } from '../../support/counts.ts';
import { allChosenDialects } from '../../support/dialects.ts';
import { atEndOfRun } from '../../support/endOfRun.ts';
import { startSampleForge, type Dialect, type SampleForge } from '../../support/sampleForge.ts';

/**
 * In `npm test`, the dialect named by the file, so that the files together cover both REST dialects; in `npm run
 * prove` both. FORGE_DESK_DIALECTS overrides this and may add the third one.
 */
export function dialectsOf(inTest: Dialect): readonly Dialect[] {
	if (areChosen()) {
		return allChosenDialects();
	}
	const other = inTest === 'field' ? 'document' : 'field';
	return runsAll() ? [inTest, other] : [inTest];
}

/** As `dialectsOf`, and in `npm run prove` also GraphQL, for everyday use. */
export function waysIn(inTest: Dialect): readonly Dialect[] {
	const chosen = dialectsOf(inTest);
	return runsAll() && !areChosen() ? [...chosen, 'graphql'] : chosen;
}

function areChosen(): boolean {
	return (process.env['FORGE_DESK_DIALECTS'] ?? '') !== '';
}

let held: SampleForge | undefined;

/** Makes `borrowForge` return this forge in its current state until released. */
export function holdForge(forge: SampleForge | undefined): void {
	held = forge;
}

const running = new Map<Dialect, Promise<SampleForge>>();

async function start(dialect: Dialect): Promise<SampleForge> {
	const forge = await startSampleForge({ dialect });
	atEndOfRun(() => forge.stop());
	return forge;
}

/**
 * The forge shared by all suites of this process, reset to its start. A test that stops its forge must start its own.
 */
export async function borrowForge(dialect: Dialect): Promise<SampleForge> {
	if (held?.dialect === dialect) {
		return held;
	}
	const started = running.get(dialect) ?? start(dialect);
	running.set(dialect, started);
	const forge = await started;
	await forge.reset();
	return forge;
}

/** Call after the suite; fails if the forge has crashed. */
export async function giveBackForge(forge: SampleForge): Promise<void> {
	assert.deepEqual(await forge.crashes(), []);
}
