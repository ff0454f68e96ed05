import * as vscode from 'vscode';
import type { FileChange } from '../../../patch/fileDiff.ts';
import type { PatchsetPageStrings } from '../../../protocol/patchsetStrings.ts';
import { mailStrings } from '../mail/mailStrings.ts';
import { changeLetter, changeWord } from '../../../patchDocuments/fileWords.ts';

/** The page's own texts in the editor's language. */
export function patchsetStrings(): PatchsetPageStrings {
	return {
		mail: mailStrings(),
		copyReference: vscode.l10n.t('Copy Reference'),
		copied: vscode.l10n.t('Copied'),
		setStatus: vscode.l10n.t('Set Status'),
		versions: vscode.l10n.t('Versions'),
		linkVersion: vscode.l10n.t('Link Manually…'),
		unlinkVersion: vscode.l10n.t('Unlink'),
		compareVersion: vscode.l10n.t('Compare'),
		versionChanges: vscode.l10n.t('Open Changes'),
		changesSinceReview: vscode.l10n.t('Open Changes Since Your Review'),
		thisVersion: vscode.l10n.t('shown here'),
		sent: vscode.l10n.t('sent {0}', '{0}'),
		updated: vscode.l10n.t('updated {0}', '{0}'),
		tools: vscode.l10n.t('Continuous integration'),
		openDiffs: vscode.l10n.t('Open All Diffs'),
		openThread: vscode.l10n.t('Open Thread'),
		save: vscode.l10n.t('Save .mbox'),
		copyCommand: vscode.l10n.t('Copy git am Command'),
		checkApplies: vscode.l10n.t('Check if It Applies…'),
		apply: vscode.l10n.t('Apply…'),
		more: vscode.l10n.t('More Actions'),
		copyLink: vscode.l10n.t('Copy Link'),
		copyMessageId: vscode.l10n.t('Copy Message-ID'),
		previewReview: vscode.l10n.t('Preview Review'),
		sendReview: vscode.l10n.t('Send Review…'),
		discardReview: vscode.l10n.t('Discard Review…'),
		review: vscode.l10n.t('Your review'),
		openOnWeb: vscode.l10n.t('Open on the Web'),
		suggestions: vscode.l10n.t('Suggestion'),
		showEvidence: vscode.l10n.t('View Evidence'),
		health: vscode.l10n.t('Problems in this series'),
		showMail: vscode.l10n.t('Show Message'),
		coverLetter: vscode.l10n.t('Cover letter'),
		summary: vscode.l10n.t('Summary'),
		patches: vscode.l10n.t('Patches'),
		noPatches: vscode.l10n.t('No patches to show.'),
		oneFile: vscode.l10n.t('1 file'),
		severalFiles: vscode.l10n.t('{0} files', '{0}'),
		moreFiles: vscode.l10n.t('{0} more in the diff.', '{0}'),
		openDiff: vscode.l10n.t('Open Diff'),
		viewed: vscode.l10n.t('Viewed'),
		showRaw: vscode.l10n.t('View Raw Patch'),
		message: vscode.l10n.t('Commit message'),
		notes: vscode.l10n.t('Notes below the message'),
		applied: vscode.l10n.t('What git would apply'),
		letters: byChange(changeLetter),
		changes: byChange(changeWord),
		trailers: vscode.l10n.t('Trailers'),
		trailer: vscode.l10n.t('Trailer'),
		person: vscode.l10n.t('Person'),
		forPatches: vscode.l10n.t('For'),
		standing: vscode.l10n.t('Source'),
		tickets: vscode.l10n.t('Tickets'),
		ofUnknown: vscode.l10n.t('of a tracker that the message does not name'),
		loading: vscode.l10n.t('Loading messages…'),
		tryAgain: vscode.l10n.t('Try Again'),
	};
}

function byChange(text: (change: FileChange) => string): Readonly<Record<FileChange, string>> {
	return {
		modified: text('modified'),
		added: text('added'),
		deleted: text('deleted'),
		renamed: text('renamed'),
		copied: text('copied'),
	};
}
