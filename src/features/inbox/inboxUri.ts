import * as vscode from 'vscode';

/** Scheme of row addresses. No provider opens them. */
export const inboxScheme = 'forge-inbox';

/** Separates entries from things in row names. */
type RowKind = 'entry' | 'thing';

/** Address for the row's file decoration. `name`: entry id or thing key. */
export function inboxUri(connectionKey: string, kind: RowKind, name: string): vscode.Uri {
	return vscode.Uri.from({ scheme: inboxScheme, authority: connectionKey, path: `/${kind}/${name}` });
}

/** The same as a key of marks. */
export function inboxMarkKey(connectionKey: string, kind: RowKind, name: string): string {
	return `${connectionKey}/${kind}/${name}`;
}
