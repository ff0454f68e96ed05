import assert from 'node:assert/strict';
import { runsAll } from '../../support/counts.ts';
import { allChosenDialects } from '../../support/dialects.ts';
import { atEndOfRun } from '../../support/endOfRun.ts';
import { startSampleForge, type Dialect, type SampleForge } from '../../support/sampleForge.ts';

/**
 * One way of answering in `npm test`, which the file names, so that both are seen there; both in `npm run prove`. Those that
 * FORGE_DESK_DIALECTS names, if it does, also the third one.
 */
export function dialectsOf(inTest: Dialect): readonly Dialect[] {
	if (areChosen()) {
		return allChosenDialects();
	}
	const other = inTest === 'field' ? 'document' : 'field';
	return runsAll() ? [inTest, other] : [inTest];
}

/** As `dialectsOf`, and over GraphQL in `npm run prove`, too: for what people do every day. */
export function waysIn(inTest: Dialect): readonly Dialect[] {
	const chosen = dialectsOf(inTest);
	return runsAll() && !areChosen() ? [...chosen, 'graphql'] : chosen;
}

function areChosen(): boolean {
	return (process.env['FORGE_DESK_DIALECTS'] ?? '') !== '';
}

let held: SampleForge | undefined;

/** Who borrows a forge of this dialect gets this one as it stands, until nothing is held any longer. */
export function holdForge(forge: SampleForge | undefined): void {
	held = forge;
}

const running = new Map<Dialect, Promise<SampleForge>>();

async function start(dialect: Dialect): Promise<SampleForge> {
	const forge = await startSampleForge({ dialect });
	atEndOfRun(() => forge.stop());
	return forge;
}

/** The forge that all suites of this process use in turn, as it was at its start. Who stops it in a test starts its own. */
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

/** To be called after the suite, in which nothing may have broken in the forge. */
export async function giveBackForge(forge: SampleForge): Promise<void> {
	assert.deepEqual(await forge.crashes(), []);
}
