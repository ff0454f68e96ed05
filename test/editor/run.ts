// The editor calls `run` in its extension host. The tests stand bundled beside this file.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runMocha } from '../harness/runMocha.ts';

/** Runs every in-editor test; the outcome goes into the file that the starting command named. */
export async function run(): Promise<void> {
	const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.test.cjs'))
		.toSorted()
		.map((file) => join(__dirname, file));
	const good = await runMocha({
		files,
		report: process.env['FORGE_DESK_TEST_REPORT'] ?? '',
		timeoutMs: 30_000,
		grep: process.env['FORGE_DESK_TEST_GREP'] ?? '',
		reporter: 'min',
	});
	if (!good) {
		throw new Error('The in-editor tests did not pass.');
	}
}
