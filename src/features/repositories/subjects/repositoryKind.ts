import { sentDescription } from '../../../editor/ask/extraFields.ts';
import * as vscode from 'vscode';
import { ownAndFollowed, type OwnedKind, namesWith } from '../../../editor/owned/ownedKind.ts';
import { repositoriesSubject } from './subjects.ts';

import { visibilityText } from './words.ts';
import { webOf } from '../../../editor/links/webOf.ts';

/** Repositories as things that people own and follow. */
export const repositoryKind: OwnedKind<'repository'> = {
	kind: 'repository',
	icon: 'repo',
	area: 'git',
	commands: { follow: 'forge.repositories.follow', showView: 'forge.repositories.focus' },
	rules: {
		// docs/protocol.md#repository-names: older servers also reject a leading digit, with a message of their own.
		longestName: 256,
		longestDescription: 1024,
		isLetterFirst: false,
		exampleName: 'my-project',
	},
	texts: {
		notSignedIn: () => vscode.l10n.t('You are not signed in. Sign in to see repositories.'),
		choose: (command) =>
			command === undefined
				? vscode.l10n.t('Choose a repository')
				: vscode.l10n.t('Choose a repository for "{0}"', command),
		someMissing: (account, reason) =>
			vscode.l10n.t('Some repositories of {0} could not be loaded. {1}', account, reason),
		chooseOwn: () => vscode.l10n.t('Choose one of your repositories'),
		noneOwn: () => vscode.l10n.t("You don't own a repository."),
		onlyOwner: (owner) => vscode.l10n.t('Only {0}, who owns this repository, can do this.', owner),
		noneFollowed: () => vscode.l10n.t("You don't follow a repository."),
		followAny: () => vscode.l10n.t('Follow Repository…'),
		follow: () => vscode.l10n.t('Follow a repository'),
		reference: () => vscode.l10n.t('Its reference, web URL or clone URL, or ~owner to choose among theirs'),
		ofOwner: (owner) => vscode.l10n.t('Choose a repository of {0}', owner),
		noneOfOwner: (owner, word) =>
			word === ''
				? vscode.l10n.t('{0} has no repository that you may see.', owner)
				: vscode.l10n.t('No repository of {0} that you may see has {1} in its name.', owner, word),
		isOwn: (name) => vscode.l10n.t('{0} is your own repository and already in the view.', name),
		create: () => vscode.l10n.t('Create a repository'),
		isTaken: () => vscode.l10n.t('You already have a repository with this name.'),
		saveDescription: () => vscode.l10n.t('Save Repository Description'),
		deletes: () =>
			vscode.l10n.t(
				"Deletes the repository with its whole history, all branches, tags and release files for everyone. Links to its files and commits will stop working. Only existing clones remain. This can't be undone.",
			),
		typeToDelete: (name) => vscode.l10n.t('Type {0} to delete it with its whole history', name),
	},
	visibility: { question: () => vscode.l10n.t('Who can see the repository?'), isAlwaysAsked: true },
	subjectOf(value) {
		const given = repositoriesSubject(value);
		return given && { kind: 'repository', connectionKey: given.connectionKey, ref: given.ref };
	},
	pasted: (text, instance) => webOf(instance).pastedRepository?.(text),
	note({ repositories }, ref) {
		const repository = repositories.metadata.known(ref);
		return repository && visibilityText(repository);
	},
	own: ({ repositories }, signal) => repositories.own.first(signal),
	moreOwn: ({ repositories }, signal) => repositories.own.more(signal),
	tied: (connection, signal) =>
		ownAndFollowed(repositoryKind, connection, connection.repositories.followed.all(), signal),
	ofOwner: ({ repositories }, search, signal) => namesWith(search.word, repositories.uncached.ofOwner(search, signal)),
	followed: ({ repositories }) => repositories.followed.all(),
	follow: ({ repositories }, ref, signal) => repositories.follow(ref, signal),
	unfollow: ({ repositories }, ref) => repositories.unfollow(ref),
	create: ({ repositories }, wanted, signal) => repositories.writes.create(wanted, signal),
	async description({ repositories }, ref, signal) {
		return sentDescription(await repositories.metadata.read(ref, signal));
	},
	describe: ({ repositories }, ref, description, signal) => repositories.writes.change(ref, { description }, signal),
	async remove({ repositories }, ref, signal) {
		await repositories.writes.remove(ref, signal);
		return true;
	},
};
