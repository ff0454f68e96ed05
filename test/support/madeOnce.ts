import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atEndOfRun } from './endOfRun.ts';
import { testMachine, type TestMachine } from './localMachine.ts';

/**
 * What tests begin with, such as a clone with some commits: made for the first of them, below the folder of a machine of its
 * own, and copied for each below that of its machine. Many runs of git become one for each clone that is copied. `Facts` are
 * what the tests know of it, and hold no paths.
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
				// What git knows of the files is about those that were copied.
				machine.plain(copy, 'update-index', '-q', '--unmerged', '--refresh');
			}
		}
		return facts;
	};
}

function hasFilesInIndex(clone: string): boolean {
	const index = join(clone, '.git/index');
	// How many there are is told at its beginning, behind its name and version.
	return existsSync(index) && readFileSync(index).readUInt32BE(8) > 0;
}
