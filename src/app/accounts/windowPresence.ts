import type * as vscode from 'vscode';
import { Emitter } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { Presence } from '../../state/tickets/index/backgroundReading.ts';

/** What is asked of the editor's window. */
export type WindowState = Pick<typeof vscode.window, 'state' | 'onDidChangeWindowState'>;

/** Somebody is there while the window has the focus. */
export function windowPresence(window: WindowState): Presence & Disposable {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	owned.add(window.onDidChangeWindowState(() => changed.fire()));
	return { isThere: () => window.state.focused, onDidChange: changed.event, dispose: () => owned.dispose() };
}
