import * as vscode from 'vscode';
import type { Desk } from '../editor/desk.ts';

/** The authentication provider, asked of the desk when somebody asks for a session. */
export interface LazySessions extends vscode.AuthenticationProvider, vscode.Disposable {
	/** Takes the real provider's events once the desk is there. */
	follow(sessions: vscode.AuthenticationProvider): void;
}

/** Loads nothing until somebody asks. */
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
