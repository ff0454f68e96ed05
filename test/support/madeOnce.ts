import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atEndOfRun } from './endOfRun.ts';
import { testMachine, type TestMachine } from './localMachine.ts';

/**
 * Shared starting state of tests, such as a clone with some commits. The first test creates it below its machine's
 * folder; the others copy it, which saves many runs of git. `Facts` describe the state without paths.
 */
export function madeOnce<Facts>(make: (machine: TestMachine) => Facts): (machine: TestMachine) => Facts {
	let made: { readonly folder: string; readonly facts: Facts } | undefined;
	const begin = (): typeof made & object => {
		const machine = testMachine();
		atEndOfRun(async () => machine.remove());
		return { folder: machine.folder, facts: make(machine) };
	};
	return (machine) => {
		const { folder, facts } = (made ??= begin());
		for (const name of readdirSync(folder).filter((each) => each !== 'home')) {
			const copy = join(machine.folder, name);
			cpSync(join(folder, name), copy, { recursive: true, verbatimSymlinks: true });
			if (hasFilesInIndex(copy)) {
				// Git's index has the file times of the original.
				machine.plain(copy, 'update-index', '-q', '--unmerged', '--refresh');
			}
		}
		return facts;
	};
}

function hasFilesInIndex(clone: string): boolean {
	const index = join(clone, '.git/index');
	// The index header has the number of entries after signature and version.
	return existsSync(index) && readFileSync(index).readUInt32BE(8) > 0;
}
