import * as vscode from 'vscode';
import type { Desk } from '../editor/desk.ts';

/** Authentication provider; loads the desk on first use. */
export interface LazySessions extends vscode.AuthenticationProvider, vscode.Disposable {
	/** Forwards the real provider's events. */
	follow(sessions: vscode.AuthenticationProvider): void;
}

export function lazySessions(desk: () => Promise<Desk>): LazySessions {
	const changed = new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>();
	return {
		onDidChangeSessions: changed.event,
		follow: (sessions) => void sessions.onDidChangeSessions((change) => changed.fire(change)),
		getSessions: (scopes, options) => desk().then(({ sessions }) => sessions.getSessions(scopes, options)),
		createSession: (scopes, options) => desk().then(({ sessions }) => sessions.createSession(scopes, options)),
		removeSession: (id) => desk().then(({ sessions }) => sessions.removeSession(id)),
		dispose: () => changed.dispose(),
	};
}
