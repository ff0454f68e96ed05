import type { CommandTable } from '../../../editor/commands/feature.ts';
import type { RepositoriesParts } from '../parts/repositoriesParts.ts';
import type { ClonesHere } from './clonesHere.ts';
import { openChange, openChanges } from './commitChanges.ts';
import { sideComparison } from './compareSides.ts';
import { compareWithFile } from './compareWithFile.ts';

/** The commands that show what is different, between commits, references and files. */
export function compareCommands(parts: RepositoriesParts & { readonly clones: ClonesHere }): CommandTable {
	const sides = sideComparison(parts);
	return {
		'forge.repositories.openChanges': (subject, signal) => openChanges(parts, subject, signal),
		'forge.repositories.openChange': (subject, signal) => openChange(parts, subject, signal),
		'forge.repositories.compare': (subject, signal) => sides.compare(subject, signal),
		'forge.repositories.selectForCompare': (subject, signal) => sides.select(subject, signal),
		'forge.repositories.compareWithSelected': (subject, signal) => sides.compareWithSelected(subject, signal),
		'forge.repositories.swapSides': (subject, signal) => sides.swap(subject, signal),
		'forge.repositories.compareWithFile': (subject, signal) => compareWithFile(parts, subject, signal),
	};
}
