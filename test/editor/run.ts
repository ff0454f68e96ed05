// The editor calls `run` in its extension host. The tests are bundled in the same folder.
import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { runMocha } from '../harness/runMocha.ts';

/** Runs the in-editor tests and writes the result to the file named by the calling command. */
export async function run(): Promise<void> {
	const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.test.cjs'))
		.toSorted()
		.map((file) => join(__dirname, file));
	const report = process.env['FORGE_DESK_TEST_REPORT'] ?? '';
	const words = v.parse(v.array(v.string()), JSON.parse(process.env['FORGE_DESK_TEST_WORDS'] ?? '[]'));
	const { failed, notRun } = await runMocha({ files, report, timeoutMs: 30_000, words });
	appendFileSync(report, `${JSON.stringify({ state: 'done' })}\n`);
	if (failed + notRun > 0) {
		throw new Error('The in-editor tests did not pass.');
	}
}
