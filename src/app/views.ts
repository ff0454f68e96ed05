import * as vscode from 'vscode';
import type { Clock } from '../base/clock.ts';
import { Disposables } from '../base/lifecycle.ts';
import type { CommandTable } from '../editor/commands/feature.ts';
import type { TreeSource } from '../editor/trees/treeSource.ts';
import type { Views } from '../editor/desk.ts';
import type { ShowMoreSubject } from '../editor/commands/subjects.ts';
import type { Problems } from '../editor/ask/problems.ts';
import type { TreeNode } from '../editor/trees/treeNode.ts';
import { ForgeTree } from '../editor/trees/treeView.ts';
import { rowsInFocus } from '../editor/trees/rowsInFocus.ts';
import { turnedRows } from '../editor/trees/turnedRows.ts';
import { viewIds, type ViewId } from '../commands/viewIds.ts';
import type { KeptNames } from '../store/shared/keptNames.ts';
import type { LiveConnections } from './accounts/connections.ts';

export interface ViewParts {
	readonly views: Views;
	readonly sources: Readonly<Record<ViewId, TreeSource>>;
	readonly connections: LiveConnections;
	/** Stores the unfolded rows of a view. */
	readonly kept: (view: ViewId, owner: string) => KeptNames;
	readonly problems: Problems;
	readonly clock: Clock;
	/** Resolves after the accounts of the start are connected. */
	readonly ready: Promise<void>;
}

/** All trees, and the commands of the views themselves. */
export interface FilledViews extends vscode.Disposable {
	readonly trees: Readonly<Record<ViewId, ForgeTree>>;
	readonly commands: CommandTable;
}

/** Target rows of a key press, by view. */
export function rowsOfViews(views: Views): Readonly<Record<ViewId, ReturnType<typeof rowsInFocus<TreeNode>>>> {
	return {
		'forge.inbox': rowsInFocus(views['forge.inbox']),
		'forge.tickets': rowsInFocus(views['forge.tickets']),
		'forge.lists': rowsInFocus(views['forge.lists']),
		'forge.repositories': rowsInFocus(views['forge.repositories']),
		'forge.search': rowsInFocus(views['forge.search']),
		'forge.history': rowsInFocus(views['forge.history']),
	};
}

/** Fills the views and sets the context keys of their `when` clauses. */
export function filledViews({ views, sources, connections, kept, problems, clock, ready }: ViewParts): FilledViews {
	const owned = new Disposables();
	const trees = {
		'forge.inbox': tree('forge.inbox'),
		'forge.tickets': tree('forge.tickets'),
		'forge.lists': tree('forge.lists'),
		'forge.repositories': tree('forge.repositories'),
		'forge.search': tree('forge.search'),
		'forge.history': tree('forge.history'),
	};

	function tree(id: ViewId): ForgeTree {
		const isSignedIn = async (): Promise<boolean> => {
			await ready;
			return connections.all().length > 0;
		};
		const turned = turnedRows(
			connections,
			(owner) => kept(id, owner),
			(error) => problems.log(error),
		);
		return owned.add(
			new ForgeTree({
				id,
				view: views[id],
				source: sources[id],
				problems,
				clock,
				isSignedIn,
				...(isGoneWithWindow(id) ? {} : { turned }),
			}),
		);
	}

	async function tellSignedOut(): Promise<void> {
		await ready;
		const all = connections.all();
		const hasProjects = all.some(({ projects }) => projects !== undefined);
		await vscode.commands.executeCommand('setContext', 'forge.signedOut', all.length === 0);
		const hasArchives = all.some(({ archives }) => archives !== undefined);
		await vscode.commands.executeCommand('setContext', 'forge.hasProjects', hasProjects);
		await vscode.commands.executeCommand('setContext', 'forge.hasArchives', hasArchives);
		const canAssign = all.some(({ writes }) => writes.canAssign());
		await vscode.commands.executeCommand('setContext', 'forge.canAssign', canAssign);
		const canEdit = all.some(({ writes }) => writes.editTicket !== undefined);
		await vscode.commands.executeCommand('setContext', 'forge.canEdit', canEdit);
	}

	owned.add(connections.onDidChange(() => void tellSignedOut()));
	void tellSignedOut();

	const all = Object.values(trees);
	return {
		trees,
		commands: {
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
			'forge.view.showMore': async (subject, signal) => {
				if (isShowMore(subject)) {
					await subject.run(signal);
				}
			},
		},
		dispose: () => owned.dispose(),
	};
}

/** Search results and history end with the window. */
function isGoneWithWindow(id: ViewId): boolean {
	return id === 'forge.search' || id === 'forge.history';
}

function isShowMore(subject: unknown): subject is ShowMoreSubject {
	return (
		typeof subject === 'object' &&
		subject !== null &&
		'kind' in subject &&
		subject.kind === 'showMore' &&
		'run' in subject &&
		typeof subject.run === 'function'
	);
}

function isRow(subject: unknown): subject is TreeNode {
	return typeof subject === 'object' && subject !== null && 'id' in subject && 'item' in subject;
}
