import { sentDescription } from '../../../editor/ask/extraFields.ts';
import * as vscode from 'vscode';
import { ownAndFollowed, type OwnedKind, namesWith } from '../../../editor/owned/ownedKind.ts';
import { ticketLimits } from 'sourcehut/port/ticketLimits.ts';
import { refOfTracker } from '../../../store/tickets/trackerRefs.ts';
import { trackerSubject } from './subjects.ts';
import { webOf } from '../../../editor/links/webOf.ts';

export const trackerKind: OwnedKind<'tracker'> = {
	kind: 'tracker',
	icon: 'project',
	area: 'todo',
	commands: { follow: 'forge.trackers.follow', showView: 'forge.tickets.focus' },
	rules: {
		longestName: ticketLimits.longestTrackerName,
		longestDescription: ticketLimits.longestTrackerDescription,
		// docs/protocol.md#tracker-names
		isLetterFirst: true,
		exampleName: 'my-project',
	},
	texts: {
		notSignedIn: () => vscode.l10n.t('You are not signed in. Sign in to see tickets.'),
		choose: (command) =>
			command === undefined ? vscode.l10n.t('Choose a tracker') : vscode.l10n.t('Choose a tracker for "{0}"', command),
		someMissing: (account, reason) => vscode.l10n.t('Some trackers of {0} could not be loaded. {1}', account, reason),
		chooseOwn: () => vscode.l10n.t('Choose one of your trackers'),
		noneOwn: () => vscode.l10n.t("You don't own a tracker."),
		onlyOwner: (owner) => vscode.l10n.t('Only {0}, who owns this tracker, can do this.', owner),
		noneFollowed: () => vscode.l10n.t("You don't follow a tracker."),
		followAny: () => vscode.l10n.t('Follow Tracker…'),
		follow: () => vscode.l10n.t('Follow a tracker'),
		reference: () => vscode.l10n.t('Its reference, its URL, or ~owner to choose among theirs'),
		ofOwner: (owner) => vscode.l10n.t('Choose a tracker of {0}', owner),
		noneOfOwner: (owner, word) =>
			word === ''
				? vscode.l10n.t('{0} has no tracker that you may see.', owner)
				: vscode.l10n.t('No tracker of {0} that you may see has {1} in its name.', owner, word),
		isOwn: (name) => vscode.l10n.t('{0} is your own tracker and already in the view.', name),
		create: () => vscode.l10n.t('Create a tracker'),
		isTaken: () => vscode.l10n.t('You already have a tracker with this name.'),
		saveDescription: () => vscode.l10n.t('Save Tracker Description'),
		deletes: () =>
			vscode.l10n.t(
				"Deletes the tracker with all tickets, comments and labels for everyone. Links to its tickets will stop working. This can't be undone.",
			),
		typeToDelete: (name) => vscode.l10n.t('Type {0} to delete it with all its tickets', name),
	},
	visibility: { question: () => vscode.l10n.t('Who can see the tracker?'), isAlwaysAsked: false },
	subjectOf: trackerSubject,
	pasted(text, instance) {
		const reference = webOf(instance).pastedReference?.(text);
		return reference?.kind === 'ticket' ? reference.ticket.tracker : reference?.tracker;
	},
	own: ({ tickets }, signal) => tickets.ownTrackers(signal),
	moreOwn: ({ tickets }, signal) => tickets.trackers.own.more(signal),
	tied: (connection, signal) =>
		ownAndFollowed(trackerKind, connection, connection.tickets.trackers.followed.all(), signal),
	ofOwner: ({ tickets }, search, signal) => namesWith(search.word, tickets.uncached.trackers(search.owner, signal)),
	followed: ({ tickets }) => tickets.trackers.followed.all(),
	follow: async ({ tickets }, ref, signal) => refOfTracker(await tickets.follow(ref, signal)),
	unfollow: ({ tickets }, ref) => tickets.unfollow(ref),
	create: async ({ writes }, wanted, signal) => refOfTracker(await writes.trackers.create(wanted, signal)),
	async description({ tickets }, ref, signal) {
		return sentDescription(await tickets.trackers.read(ref, signal));
	},
	describe: ({ writes }, ref, text, signal) => writes.trackers.describe(ref, text, signal),
	async remove({ writes }, ref, signal) {
		await writes.trackers.remove(ref, signal);
		return true;
	},
};
