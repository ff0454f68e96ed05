import * as vscode from 'vscode';
import { isForgeError } from '../../forge/forgeError.ts';
import type { ViewState } from '../names/viewIds.ts';
import { viewProblem } from './viewProblem.ts';

/** What a view waits for, and what the editor is told of that: by context keys, and as progress in the view. */
export interface ViewWork {
	/** Work that the view shows to be under way, and that can be cancelled there. */
	run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
	/** Gives up everything that is under way. */
	cancel(): void;
	tellLoading(): Promise<void>;
	tellState(state: ViewState): Promise<void>;
	/** Nothing could be read, and nothing is there from before. */
	tellFailed(error: unknown): Promise<void>;
}

/** `viewId` as in package.json. */
export function viewWork(viewId: string): ViewWork {
	const running = new Set<AbortController>();

	async function tellLoading(): Promise<void> {
		await vscode.commands.executeCommand('setContext', `${viewId}.loading`, running.size > 0);
	}

	async function tellState(state: ViewState): Promise<void> {
		await vscode.commands.executeCommand('setContext', `${viewId}.state`, state);
	}

	return {
		async run(work) {
			const abort = new AbortController();
			running.add(abort);
			await tellLoading();
			try {
				return await vscode.window.withProgress({ location: { viewId } }, () => work(abort.signal));
			} finally {
				running.delete(abort);
				await tellLoading();
			}
		},
		cancel: () => running.forEach((abort) => abort.abort()),
		tellLoading,
		tellState,
		async tellFailed(error) {
			const isOffline = isForgeError(error) && error.problem.kind === 'unreachable';
			await vscode.commands.executeCommand('setContext', `${viewId}.problem`, viewProblem(error));
			await tellState(isOffline ? 'offline' : 'failed');
		},
	};
}
