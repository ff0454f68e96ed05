import { unfit } from '../../port/forgeError.ts';

/** The default branch as a revision. */
export const headRevision = 'HEAD';

/** Checks a path in a tree: names separated by single slashes. Throws for empty names and dots. */
export function checkedSteps(path: string): string {
	for (const step of path.split('/')) {
		if (step === '') {
			throw unfit('path', 'nameEmpty');
		}
		if (step === '.' || step === '..') {
			throw unfit('path', 'nameIsDots');
		}
		if (!step.isWellFormed()) {
			throw unfit('path', 'halfCharacter');
		}
	}
	return path;
}
