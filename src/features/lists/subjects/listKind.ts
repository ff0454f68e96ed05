import { sentDescription } from '../../../editor/ask/extraFields.ts';
import * as vscode from 'vscode';
import { type OwnedKind, namesWith } from '../../../editor/owned/ownedKind.ts';
import { refOfList } from 'sourcehut/port/list.ts';
import { readArchivePlace } from 'public-inbox/read/archivePlace.ts';
import { allLists } from '../../../store/lists/knownLists.ts';
import { listSubject } from './subjects.ts';
import { webOf } from '../../../editor/links/webOf.ts';

/** Lists as things that people own, subscribe to and follow. */
export const listKind: OwnedKind<'list'> = {
	kind: 'list',
	icon: 'mail',
	area: 'lists',
	commands: { follow: 'forge.lists.follow', showView: 'forge.lists.focus' },
	rules: {
		// docs/protocol.md#list-names: longer ones make some servers fail.
		longestName: 128,
		longestDescription: 2047,
		isLetterFirst: false,
		exampleName: 'my-project-devel',
	},
	texts: {
		notSignedIn: () => vscode.l10n.t('You are not signed in. Sign in to see lists.'),
		choose: (command) =>
			command === undefined ? vscode.l10n.t('Choose a list') : vscode.l10n.t('Choose a list for "{0}"', command),
		someMissing: (account, reason) => vscode.l10n.t('Some lists of {0} could not be loaded. {1}', account, reason),
		chooseOwn: () => vscode.l10n.t('Choose one of your lists'),
		noneOwn: () => vscode.l10n.t("You don't own a list."),
		onlyOwner: (owner) => vscode.l10n.t('Only {0}, who owns this list, can do this.', owner),
		noneFollowed: () => vscode.l10n.t("You don't follow a list."),
		followAny: () => vscode.l10n.t('Follow List…'),
		follow: () => vscode.l10n.t('Follow a list'),
		reference: () => vscode.l10n.t('Its reference, its URL, or ~owner to choose among theirs'),
		ofOwner: (owner) => vscode.l10n.t('Choose a list of {0}', owner),
		noneOfOwner: (owner, word) =>
			word === ''
				? vscode.l10n.t('{0} has no list that you may see.', owner)
				: vscode.l10n.t('No list of {0} that you may see has {1} in its name.', owner, word),
		isOwn: (name) => vscode.l10n.t('{0} is your own list and already in the view.', name),
		create: () => vscode.l10n.t('Create a list'),
		isTaken: () => vscode.l10n.t('You already have a list with this name.'),
		saveDescription: () => vscode.l10n.t('Save List Description'),
		deletes: () =>
			vscode.l10n.t(
				"Deletes the list with all messages, patchsets and subscriptions for everyone. Links to its messages will stop working. This can't be undone.",
			),
		typeToDelete: (name) => vscode.l10n.t('Type {0} to delete it with all its messages', name),
	},
	subjectOf: listSubject,
	elsewhere(text) {
		// Pages of forges have an owner in their path.
		const place = /^https?:\/\/[^/]+\/(?!~|%7e)/i.test(text.trim()) ? readArchivePlace(text) : undefined;
		return place && (() => vscode.commands.executeCommand('forge.archives.follow', text));
	},
	pasted: (text, instance) => webOf(instance).pastedList?.(text),
	own: ({ lists }, signal) => lists.own.first(signal),
	moreOwn: ({ lists }, signal) => lists.own.more(signal),
	async tied(connection, signal) {
		const { lists: refs, failure } = await allLists(connection.lists.collection, signal);
		return { refs, failure };
	},
	ofOwner: ({ lists }, search, signal) => namesWith(search.word, lists.uncached.ofOwner(search.owner, signal)),
	followed: ({ lists }) => lists.followed.all(),
	follow: async ({ lists }, ref, signal) => refOfList(await lists.follow(ref, signal)),
	unfollow: ({ lists }, ref) => lists.unfollow(ref),
	create: async ({ lists }, wanted, signal) => refOfList(await lists.writes.create(wanted, signal)),
	async description({ lists }, ref, signal) {
		return sentDescription(await lists.collection.read(ref, signal));
	},
	describe: ({ lists }, ref, text, signal) => lists.writes.describe(ref, text, signal),
	remove: async ({ lists }, ref, signal) => (await lists.writes.remove?.(ref, signal)) ?? false,
};
