// A process that loads test files and prints those with a test that has all words, as JSON: listProcess.ts RING… -- WORD…
import { join } from 'node:path';
import Mocha from 'mocha';
import { keepMatching } from './matching.ts';
import { root } from './places.ts';
import { filesOf } from './testRing.ts';

const at = process.argv.indexOf('--');
const [rings, words] = [process.argv.slice(2, at), process.argv.slice(at + 1)];
const found: Record<string, readonly string[]> = {};
for (const ring of rings) {
	const files: string[] = [];
	for (const file of filesOf(ring)) {
		const mocha = new Mocha({ ui: 'tdd' });
		mocha.addFile(join(root, file));
		await mocha.loadFilesAsync();
		if (keepMatching(mocha.suite, words) > 0) {
			files.push(file);
		}
	}
	found[ring] = files;
}
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit(0));
