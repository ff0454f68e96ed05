import * as vscode from 'vscode';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { TreeSource } from '../../../editor/trees/treeSource.ts';
import type { Connection } from '../../../store/connection.ts';
import type { RepositoriesContext } from './repositoriesContext.ts';

/** Shortest interval between redraws. */
const redrawMs = 200;

/** Results, such as a search, that grow while the user watches. */
interface Results<Shown> {
	readonly connectionOf: (shown: Shown) => Connection;
	readonly isRunning: (shown: Shown) => boolean;
	/** `turn` makes the rows others than those of earlier results. */
	readonly rows: (shown: Shown, turn: number) => readonly TreeNode[];
	readonly note: (shown: Shown) => string;
	readonly tryAgain: (shown: Shown) => void;
	/** Others are shown, or the view disappears. */
	readonly end: (shown: Shown) => void;
}

/** A view that appears with its first results and disappears when cleared. Closes with the account. */
export function resultsView<Shown>(
	id: 'forge.history' | 'forge.search',
	{ connections, clock }: RepositoriesContext,
	{ connectionOf, isRunning, rows, note, tryAgain, end }: Results<Shown>,
) {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<TreeNode | undefined>());
	const noteChanged = owned.add(new Emitter<void>());
	let shown: Shown | undefined;
	let redraw: Disposable | undefined;
	let turn = 0;

	function draw(): void {
		redraw?.dispose();
		redraw = undefined;
		void setContext('running', shown !== undefined && isRunning(shown));
		noteChanged.fire();
		changed.fire(undefined);
	}

	async function setContext(name: 'active' | 'running', value: boolean): Promise<void> {
		await vscode.commands.executeCommand('setContext', `${id}.${name}`, value);
	}

	function replace(next: Shown | undefined): void {
		if (shown) {
			end(shown);
		}
		shown = next;
	}

	async function clear(): Promise<void> {
		replace(undefined);
		await setContext('active', false);
		draw();
	}

	owned.add(
		connections.onDidChange(() => {
			const connection = shown && connectionOf(shown);
			if (connection && connections.byKey(connection.key) !== connection) {
				void clear();
			}
		}),
	);
	const tree: TreeSource = {
		roots: async () => (shown ? rows(shown, turn) : []),
		isLatestOnly: true,
		forget: () => (shown ? tryAgain(shown) : undefined),
		onDidChange: changed.event,
		note: { text: () => (shown ? note(shown) : ''), onDidChange: noteChanged.event },
	};
	return {
		tree,
		/** `undefined` while the view is away. */
		shown: () => shown,
		draw,
		/** For changes that come in bursts. */
		drawSoon: () => void (redraw ??= clock.after(redrawMs, draw)),
		/** Replaces the results. `begin` runs before the view gets the focus. */
		async show(next: Shown, begin: () => void) {
			replace(next);
			turn += 1;
			begin();
			await setContext('active', true);
			await vscode.commands.executeCommand(`${id}.focus`);
		},
		/** Takes the view away. */
		clear,
		dispose() {
			replace(undefined);
			redraw?.dispose();
			owned.dispose();
		},
	};
}
