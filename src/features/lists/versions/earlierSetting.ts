import type * as vscode from 'vscode';
import type { Disposable } from '../../../base/lifecycle.ts';

const section = 'forge';
const key = 'review.earlierComments';

/** The setting `forge.review.earlierComments`: whether comments on an earlier version appear on the next one. */
export interface EarlierSetting {
	now(): boolean;
	/** For the user, in all windows. */
	choose(isShown: boolean): PromiseLike<void>;
	onDidChange(listener: () => void): Disposable;
}

/** Settings may have any type. */
export function earlierSetting(
	workspace: Pick<typeof vscode.workspace, 'getConfiguration' | 'onDidChangeConfiguration'>,
): EarlierSetting {
	return {
		now: () => workspace.getConfiguration(section).get<unknown>(key) !== false,
		choose: (isShown) => workspace.getConfiguration(section).update(key, isShown, true),
		onDidChange: (listener) =>
			workspace.onDidChangeConfiguration((change) => {
				if (change.affectsConfiguration(`${section}.${key}`)) {
					listener();
				}
			}),
	};
}
