import * as vscode from 'vscode';
import { withoutLinks } from './notify.ts';

/** How long work may take before it is announced: shorter work would only flicker. */
const patienceMs = 700;

/** What is shown of work that goes on. */
export type ShownProgress = vscode.Progress<{ readonly message?: string; readonly increment?: number }>;

/**
 * Runs work that a person waits for. When it takes longer than a moment a notification shows `title` and offers to
 * cancel; cancelling aborts the signal that the work was given. `announced` hears of the notification.
 */
export async function withProgress<T>(
	title: string,
	signal: AbortSignal,
	work: (signal: AbortSignal) => Promise<T>,
	announced: (shown: ShownProgress) => void = () => undefined,
): Promise<T> {
	const cancelling = new AbortController();
	const running = work(AbortSignal.any([signal, cancelling.signal]));
	const announce = setTimeout(() => {
		void vscode.window.withProgress(
			{ location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable: true },
			async (progress: ShownProgress, token) => {
				const subscription = token.onCancellationRequested(() => cancelling.abort());
				announced(progress);
				try {
					await running;
				} catch {
					// Whoever asked for the work hears of it.
				} finally {
					subscription.dispose();
				}
			},
		);
	}, patienceMs);
	try {
		return await running;
	} finally {
		clearTimeout(announce);
	}
}
