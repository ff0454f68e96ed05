import { appliedPatchset } from './patches/applying.ts';
import { submittedCommits } from './patches/submitting.ts';
import { inOneWindow } from './support/oneWindow.ts';
import { dialectsOf } from './support/sharedForge.ts';

for (const dialect of dialectsOf('field')) {
	// Sending changes the groups of the list, in which the other suite looks for the patchset.
	inOneWindow('patches', dialect, [appliedPatchset, submittedCommits]);
}
