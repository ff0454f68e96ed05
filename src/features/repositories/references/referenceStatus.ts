import * as vscode from 'vscode';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { withoutPictures } from '../../../editor/ask/notify.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { refText } from '../../../forge/namedRef.ts';
import type { Reference } from '../../../forge/repository.ts';
import type { Connections } from '../../../state/connection.ts';
import { referenceKind, referenceOf } from '../../../state/repositories/repositoryReferences.ts';
import type { RepositoryStore } from '../../../state/repositories/repositoryStore.ts';
import { escapeMarkdown } from '../../../text/escapeMarkdown.ts';
import { shownName, titleOf } from '../subjects/words.ts';
import { fileInFront, isOf, openFolders } from '../places/openPlaces.ts';
import type { EntryPlace } from '../subjects/place.ts';

/** A status bar has room for more than one thing. */
const longestName = 40;

/**
 * Status bar item with the reference of the active remote file, or of the workspace folder. A click switches. It makes
 * no requests beyond those of the file itself.
 */
export function referenceStatus(connections: Connections): Disposable {
	const owned = new Disposables();
	const item = owned.add(vscode.window.createStatusBarItem('forge.reference', vscode.StatusBarAlignment.Left, 100));
	item.name = vscode.l10n.t('Remote reference');
	item.command = 'forge.repositories.switchReference';
	const ending = new AbortController();
	let watching = watch();

	function watch(): Disposables {
		const subscriptions = new Disposables();
		for (const { repositories } of connections.all()) {
			subscriptions.add(repositories.onDidChange(show));
		}
		return subscriptions;
	}

	function show(): void {
		const place = placeShown();
		if (!place) {
			item.hide();
			return;
		}
		say(place);
		const { ref, at, connectionKey } = place;
		const repositories = connections.byKey(connectionKey)?.repositories;
		if (repositories?.knownPinned(ref, at.ref) === undefined) {
			// The file's own editor shows the error.
			repositories?.standing(ref, at.ref, ending.signal).then(
				(standing) => standing && isShown(place) && say(place),
				() => undefined,
			);
		}
	}

	function isShown({ connectionKey, ref, at }: EntryPlace): boolean {
		const place = placeShown();
		return place !== undefined && isOf(place, connectionKey, { ref, revision: at.ref });
	}

	function say(place: EntryPlace): void {
		const facts = factsOf(place, connections.byKey(place.connectionKey)?.repositories);
		const { ref, at } = place;
		item.text = textOf(facts, place);
		item.accessibilityInformation = {
			label: vscode.l10n.t('{0} is shown at {1}', shownName(refText(ref)), shownName(at.ref)),
		};
		item.tooltip = untrustedMarkdown([
			`**${escapeMarkdown(shownName(refText(ref)))}**`,
			escapeMarkdown(shownName(facts.reference?.name ?? at.ref)),
			escapeMarkdown(facts.commitId ?? ''),
			escapeMarkdown(facts.title ?? ''),
			escapeMarkdown(vscode.l10n.t('Click to switch to another branch, tag or commit')),
		]);
		item.show();
	}

	owned.add(
		connections.onDidChange(() => {
			watching.dispose();
			watching = watch();
			show();
		}),
	);
	owned.add(vscode.window.tabGroups.onDidChangeTabs(show));
	owned.add(vscode.window.tabGroups.onDidChangeTabGroups(show));
	owned.add(vscode.workspace.onDidChangeWorkspaceFolders(show));
	show();
	return {
		dispose() {
			ending.abort();
			watching.dispose();
			owned.dispose();
		},
	};
}

/** Known facts of the shown place. */
interface StatusFacts {
	readonly reference: Reference | undefined;
	readonly commitId: string | undefined;
	/** First line of the commit's message. */
	readonly title: string | undefined;
}

function factsOf({ ref, at }: EntryPlace, repositories: RepositoryStore | undefined): StatusFacts {
	const commitId = repositories?.knownPinned(ref, at.ref)?.commit.id;
	const commit = commitId === undefined ? undefined : repositories?.knownCommit(ref, commitId);
	return {
		reference: referenceOf(at.ref, repositories?.knownReferences(ref)?.items ?? []),
		commitId,
		title: commit && titleOf(commit),
	};
}

function textOf({ reference, commitId }: StatusFacts, { ref, at: { ref: revision } }: EntryPlace): string {
	const name = clipped(shownName(ref.name));
	const short = commitId?.slice(0, 7);
	if (short !== undefined && commitId === revision) {
		return `$(git-commit) ${withoutPictures(`${name}: ${shownName(short)}`)}`;
	}
	const icon = reference && referenceKind(reference) === 'tag' ? '$(tag)' : '$(git-branch)';
	const facts = [clipped(shownName(revision)), ...(short === undefined ? [] : [shownName(short)])];
	return `${icon} ${withoutPictures(`${name}: ${facts.join(' · ')}`)}`;
}

function placeShown(): EntryPlace | undefined {
	return fileInFront() ?? openFolders()[0]?.place;
}

function clipped(name: string): string {
	const characters = Array.from(name);
	return characters.length > longestName ? `${characters.slice(0, longestName - 1).join('')}…` : name;
}
