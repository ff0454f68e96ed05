import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { CommandTable } from '../editor/commands/feature.ts';
import type { TreeSource } from '../editor/trees/treeSource.ts';
import type { Views } from '../editor/desk.ts';
import { isRecord, type ShowMoreSubject } from '../editor/commands/subjects.ts';
import type { Problems } from '../editor/ask/problems.ts';
import type { TreeNode } from '../editor/trees/treeNode.ts';
import { ForgeTree } from '../editor/trees/treeView.ts';
import { rowsInFocus } from '../editor/trees/rowsInFocus.ts';
import { expansionState } from '../editor/trees/expansionState.ts';
import { forEachView, viewIds, type ViewId } from '../commands/viewIds.ts';
import type { KeptNames } from '../store/shared/keptNames.ts';
import type { LiveConnections } from './accounts/connections.ts';

/** Target rows of a key press, by view. */
export function rowsOfViews(views: Views) {
	return forEachView((id) => rowsInFocus(views[id]));
}

/** All trees, and the commands of the views themselves. Sets the context keys of their `when` clauses. */
export function filledViews({
	views,
	sources,
	connections,
	kept,
	problems,
	clock,
	ready,
}: {
	readonly views: Views;
	readonly sources: Readonly<Record<ViewId, TreeSource>>;
	readonly connections: LiveConnections;
	/** Stores the unfolded rows of a view. */
	readonly kept: (view: ViewId, owner: string) => KeptNames;
	readonly problems: Problems;
	readonly clock: Clock;
	/** Resolves after the accounts of the start are connected. */
	readonly ready: Promise<void>;
}) {
	const owned = new Disposables();
	const trees = forEachView((id) => {
		const turned = expansionState(
			connections,
			(owner) => kept(id, owner),
			(error) => problems.log(error),
		);
		const isOfArchives = id === 'forge.lists' || id === 'forge.inbox';
		const isSignedIn = async (): Promise<boolean> => {
			await ready;
			// Items of the outbox wait without an account, too.
			return (
				id === 'forge.outbox' ||
				connections.all().some(({ instance }) => isOfArchives || instance.archiveUrl === undefined)
			);
		};
		// Search results and history end with the window, and queued changes have no rows below.
		const isGoneWithWindow = id === 'forge.search' || id === 'forge.history' || id === 'forge.outbox';
		return owned.add(
			new ForgeTree({
				id,
				view: views[id],
				source: sources[id],
				problems,
				clock,
				isSignedIn,
				...(isGoneWithWindow ? {} : { turned }),
			}),
		);
	});

	async function tellSignedOut(): Promise<void> {
		await ready;
		const all = connections.all();
		const facts = {
			'forge.signedOut': all.length === 0,
			'forge.hasProjects': all.some(({ projects }) => projects !== undefined),
			'forge.hasArchives': all.some(
				({ archives, instance }) => archives !== undefined || instance.archiveUrl !== undefined,
			),
			'forge.canAssign': all.some(({ writes }) => writes.canAssign()),
			'forge.canEdit': all.some(({ writes }) => writes.editTicket !== undefined),
		};
		for (const [key, value] of Object.entries(facts)) {
			await vscode.commands.executeCommand('setContext', key, value);
		}
	}

	owned.add(connections.onDidChange(() => void tellSignedOut()));
	void tellSignedOut();

	const all = Object.values(trees);
	owned.add(connections.onDidReplaceToken(() => all.forEach((each) => each.tokenReplaced())));
	const commands: CommandTable = {
		'forge.view.cancel': async () => all.forEach((each) => each.cancel()),
		'forge.view.refresh': async (subject) => {
			// The editor passes the row in focus.
			const row = isRow(subject) ? subject : undefined;
			all.forEach((each) => each.refresh(row));
		},
		'forge.view.tryAgain': async (subject) => {
			const view = viewIds.find((id) => id === subject);
			if (view !== undefined) {
				trees[view].again(undefined);
				return;
			}
			const row = isRow(subject) ? subject : undefined;
			// Only the view that owns the row reloads it.
			all.forEach((each) => each.again(row));
		},
		'forge.view.enter': async (subject) => {
			const view = viewIds.find((id) => id === subject);
			await (view && trees[view].commands.enter());
		},
		'forge.view.showMore': async (subject, signal) => {
			if (isShowMore(subject)) {
				await subject.run(signal);
			}
		},
	};
	return { trees, commands, dispose: () => owned.dispose() };
}

function isShowMore(subject: unknown): subject is ShowMoreSubject {
	return isRecord(subject) && subject['kind'] === 'showMore' && typeof subject['run'] === 'function';
}

function isRow(subject: unknown): subject is TreeNode {
	return isRecord(subject) && 'id' in subject && 'item' in subject;
}
