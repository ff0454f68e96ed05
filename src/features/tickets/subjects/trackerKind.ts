import * as vscode from 'vscode';
import type { OwnedKind } from '../../../editor/owned/ownedKind.ts';
import { ticketLimits } from '../../../forge/ticketLimits.ts';

/** Trackers, as what people own. */
export const trackerKind: OwnedKind = {
	rules: {
		longestName: ticketLimits.longestTrackerName,
		longestDescription: ticketLimits.longestTrackerDescription,
		// docs/protocol.md#tracker-names
		isLetterFirst: true,
		exampleName: 'my-project',
	},
	texts: {
		create: () => vscode.l10n.t('Create a tracker'),
		isTaken: () => vscode.l10n.t('You already have a tracker with this name.'),
		saveDescription: () => vscode.l10n.t('Save Tracker Description'),
		deletes: () =>
			vscode.l10n.t(
				"Deletes the tracker with all tickets, comments and labels for everyone. Links to its tickets will stop working. This can't be undone.",
			),
		typeToDelete: (name) => vscode.l10n.t('Type {0} to delete it with all its tickets', name),
	},
	own: ({ tickets }, signal) => tickets.ownTrackers(signal),
	moreOwn: ({ tickets }, signal) => tickets.moreOwnTrackers(signal),
	async description({ tickets }, ref, signal) {
		return (await tickets.renewTracker(ref, signal)).description;
	},
	describe: ({ writes }, ref, text, signal) => writes.trackers.describe(ref, text, signal),
	async remove({ writes }, ref, signal) {
		await writes.trackers.remove(ref, signal);
		return true;
	},
};
