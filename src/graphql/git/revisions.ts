import { unfit } from '../../forge/forgeError.ts';

/** The default branch, as revisions name it. */
export const headRevision = 'HEAD';

/** A path as trees have them: names parted by single slashes. Throws for one that leads nowhere, or up again. */
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
