import * as vscode from 'vscode';

/** What the addresses of rows begin with; nothing can be opened under it. */
export const inboxScheme = 'forge-inbox';

/** The part of a row's name that tells entries from things. */
type RowKind = 'entry' | 'thing';

/** The address by which the editor asks for a row's decoration. `name`: id of the entry, or key of the thing. */
export function inboxUri(connectionKey: string, kind: RowKind, name: string): vscode.Uri {
	return vscode.Uri.from({ scheme: inboxScheme, authority: connectionKey, path: `/${kind}/${name}` });
}

/** The same as a key of marks. */
export function inboxMarkKey(connectionKey: string, kind: RowKind, name: string): string {
	return `${connectionKey}/${kind}/${name}`;
}
