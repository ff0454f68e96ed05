import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { resultsFolder, root } from '../harness/places.ts';
import { testMachine } from '../support/localMachine.ts';
import { sharedForge } from '../support/sharedForge.ts';

/** Output of the example in a package’s README, with the sources in place of the published package. */
async function exampleOf(name: string, argument: string): Promise<string> {
	const [, example = ''] =
		/```ts\n([^]*?)```/.exec(readFileSync(join(root, 'packages', name, 'README.md'), 'utf8')) ?? [];
	mkdirSync(resultsFolder, { recursive: true });
	const folder = mkdtempSync(join(resultsFolder, 'example-'));
	try {
		const file = join(folder, 'example.ts');
		const face = pathToFileURL(join(root, 'packages', name, 'src/index.ts')).href;
		writeFileSync(file, example.replace(`'${name}'`, `'${face}'`));
		return (await promisify(execFile)(process.execPath, [file, argument], { timeout: 60_000 })).stdout;
	} finally {
		rmSync(folder, { recursive: true });
	}
}

suite('examples in the READMEs of packages', function () {
	this.timeout(60_000);

	test('hardened-git lists the commits of a clone', async () => {
		const machine = testMachine();
		try {
			machine.plain(machine.folder, 'init', '-q', 'clone');
			const clone = join(machine.folder, 'clone');
			writeFileSync(join(clone, 'a'), 'a');
			machine.commitAll(clone, 'fold: one');
			assert.match(await exampleOf('hardened-git', clone), /^[0-9a-f]{10} fold: one\n$/);
		} finally {
			machine.remove();
		}
	});

	test('sourcehut lists the trackers of an account', async () => {
		const { areas, tokens } = await sharedForge('graphql');
		assert.match(await exampleOf('sourcehut', JSON.stringify({ areas, tokens })), /^lantern$/m);
	});
});
