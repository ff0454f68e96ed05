// The published face. Sources of this repository import the files.
import { applySeries, goOn, stageSolved, takeBack } from './applySeries.ts';
import { cloneRepository } from './cloneRepository.ts';
import { fetchIntoClone } from './fetchIntoClone.ts';
import { filesAtCommit } from './filesAtCommit.ts';
import { GitFailure } from './gitFailure.ts';
import { hardenedGit, type HardenedGit, type Machine } from './hardenedGit.ts';
import { formattedPatches, localCommits, mergeBase, revisionCommit } from './localSeries.ts';
import { pushCommit } from './pushCommit.ts';
import { recipientCommands, runRecipientCommand } from './recipientCommands.ts';
import { scratchApply } from './scratchApply.ts';
import { ownIdentity, sendMail } from './sendMail.ts';
import { verifySignature } from './verifySignature.ts';

export type { HardenedGit, Machine };
export {
	applySeries,
	cloneRepository,
	fetchIntoClone,
	filesAtCommit,
	formattedPatches,
	GitFailure,
	goOn,
	hardenedGit,
	localCommits,
	mergeBase,
	ownIdentity,
	pushCommit,
	recipientCommands,
	revisionCommit,
	runRecipientCommand,
	scratchApply,
	sendMail,
	stageSolved,
	takeBack,
	verifySignature,
};
